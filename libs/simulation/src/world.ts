/** One run of one plan: the real coordinator on simulated servers, workers and clients, from the first step to rest. */
import { agenda } from '@graphrun/domain';
import type { Run } from '@graphrun/domain';
import { createCoordinator, engineConfig } from '@graphrun/engine';
import type { Coordinator, Logger } from '@graphrun/engine';
import { SimulatedClient } from './actors/client.js';
import { Ledger } from './actors/ledger.js';
import { SimulatedWorker } from './actors/worker.js';
import { Process } from './core/process.js';
import { Random } from './core/random.js';
import { EPOCH_MS, Scheduler } from './core/scheduler.js';
import { artifacts } from './definitions.js';
import { Observer } from './invariants/observer.js';
import { isAtRest } from './invariants/rest.js';
import { Violation } from './invariants/violation.js';
import { CALM } from './plan.js';
import type { FaultAction, Plan, Rates } from './plan.js';
import { FeedServer, messagingOf, PeerServer } from './servers/feed.js';
import type { Servers } from './servers/feed.js';
import { LogServer } from './servers/log.js';
import { QueueServer } from './servers/queue.js';
import { StorePort } from './servers/store-port.js';
import { Tables } from './servers/tables.js';

export interface Outcome {
  /** Null when all promises were kept. */
  readonly violation: Error | null;
  readonly steps: number;
  /** Over the whole course: equal for equal seeds. */
  readonly hash: number;
  readonly trace: readonly string[];
  readonly simulatedMs: number;
  readonly statuses: readonly string[];
}

/** Faults are over after that much simulated time. */
const CALM_AFTER_MS = 30_000;
const MOST_STEPS = 60_000;
const MOST_MS = 400_000;
const ROUNDS = 6;

interface Member {
  readonly name: string;
  process: Process;
  store: StorePort;
  coordinator: Coordinator;
  lives: number;
}

interface Worker {
  process: Process;
  simulated: SimulatedWorker;
  lives: number;
}

export async function simulate(plan: Plan, options: { readonly trace?: boolean } = {}): Promise<Outcome> {
  const world = new World(plan, options.trace === true);
  return world.run();
}

class World {
  readonly #plan: Plan;
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #tables: Tables;
  readonly #servers: Servers;
  readonly #observer: Observer;
  readonly #ledger: Ledger;
  readonly #client: SimulatedClient;
  readonly #members: Member[] = [];
  readonly #workers: Worker[] = [];
  readonly #faults;
  #decided = 0;

  constructor(plan: Plan, keepTrace: boolean) {
    this.#plan = plan;
    this.#random = Random.of(plan.seed, 'schedule');
    this.#scheduler = new Scheduler(this.#random);
    this.#scheduler.keepAll = keepTrace;
    this.#faults = [...plan.faults];
    const scheduler = this.#scheduler;
    this.#tables = new Tables(() => scheduler.now);
    for (const artifact of artifacts()) this.#tables.publish('default', artifact);
    const rates = (): Rates => (this.#calm ? CALM : plan.rates);
    const log = new LogServer(scheduler, this.#random, rates);
    this.#observer = new Observer(this.#tables, log);
    this.#servers = {
      log,
      queue: new QueueServer(scheduler, this.#random, rates, this.#observer),
      feed: new FeedServer(scheduler, this.#random, rates, this.#observer),
      peers: new PeerServer(),
    };
    this.#ledger = new Ledger(() => scheduler.now, this.#observer.happened);
    this.#observer.ledger = this.#ledger;
    this.#client = new SimulatedClient({
      process: new Process('client', scheduler, this.#random),
      servers: this.#servers,
      partitions: plan.partitions,
    });
  }

  get #calm(): boolean {
    return this.#scheduler.now > EPOCH_MS + CALM_AFTER_MS;
  }

  async run(): Promise<Outcome> {
    const { members, workers, runs } = this.#plan;
    for (let index = 0; index < members; index += 1) this.#startMember(index);
    for (let index = 0; index < workers; index += 1) this.#startWorker(index);
    for (const run of runs) this.#client.plan(run);
    for (let round = 0; round < ROUNDS && this.#observer.violation === null; round += 1) {
      await this.#untilRest();
      if (!this.#decideWhatIsBlocked(round)) break;
    }
    if (this.#observer.violation === null) this.#observer.atTheEnd(this.#client.sent, this.#scheduler.now);
    const { steps, hash, trace, now } = this.#scheduler;
    const statuses = [...this.#tables.runRows.values()].map(({ workflow, status }) => `${workflow} ${status}`);
    const { violation } = this.#observer;
    return { violation, steps, hash, trace, simulatedMs: now - EPOCH_MS, statuses };
  }

  async #untilRest(): Promise<void> {
    let lookAt = 0;
    await this.#scheduler.run(
      () => {
        this.#injectDue();
        if (this.#observer.violation !== null) return true;
        if (this.#scheduler.steps < lookAt) return false;
        lookAt = this.#scheduler.steps + 20;
        return this.#atRest();
      },
      { steps: MOST_STEPS, until: EPOCH_MS + MOST_MS },
    );
  }

  #atRest(): boolean {
    if (!this.#client.idle || !this.#workers.every(({ process, simulated }) => process.alive && simulated.idle))
      return false;
    for (const { run } of this.#observer.records.values()) if (run !== null && !isAtRest(run)) return false;
    return true;
  }

  // ------------------------------------------------------------------------------------------------- processes

  #startMember(index: number, lives = 0): void {
    const name = `m${index + 1}`;
    const process = new Process(`${name}.${lives}`, this.#scheduler, this.#random);
    const store = new StorePort(process, this.#tables, this.#observer);
    const { partitions, members, smallMemory, checkpointEvents } = this.#plan;
    const coordinator = createCoordinator({
      cluster: 'sim',
      config: engineConfig({
        partitions,
        member: name,
        members: Array.from({ length: members }, (_, other) => `m${other + 1}`),
        partitionLeaseMs: 6000,
        partitionRenewMs: 2000,
        claimLeaseMs: 5000,
        ownershipTickMs: 1000,
        sessionPingMs: 1500,
        stableConnectionMs: 3000,
        offerPatienceMs: 3000,
        batchCommands: this.#random.pick([1, 3, 256]),
        checkpointEvents,
        offersPerKey: this.#random.pick([1, 2, 512]),
        ...(smallMemory ? { residentBytes: 1 } : {}),
      }),
      database: { engine: store, maintain: () => Promise.resolve() },
      messaging: messagingOf(process, this.#servers),
      logger: this.#loggerOf(process),
      clock: process.clock,
      seed: this.#random.next(),
    });
    this.#members[index] = { name, process, store, coordinator, lives };
    coordinator.start().catch((error: unknown) => {
      this.#scheduler.note(`${process.name} does not start: ${String(error)}`);
      this.#killMember(index, 500);
    });
  }

  #killMember(index: number, backAfterMs: number): void {
    const member = this.#members[index];
    if (member?.process.alive !== true) return;
    member.process.kill();
    this.#scheduler.at(backAfterMs, null, `${member.name} comes back`, () =>
      this.#startMember(index, member.lives + 1),
    );
  }

  #startWorker(index: number, lives = 0): void {
    const name = `w${index + 1}`;
    const process = new Process(`${name}.${lives}`, this.#scheduler, this.#random);
    const simulated = new SimulatedWorker({
      process,
      servers: this.#servers,
      ledger: this.#ledger,
      watcher: this.#observer,
      seed: this.#plan.seed,
      name,
      life: lives,
      free: this.#plan.free,
      calm: () => this.#calm,
    });
    this.#workers[index] = { process, simulated, lives };
  }

  #killWorker(index: number, backAfterMs: number): void {
    const worker = this.#workers[index];
    if (worker?.process.alive !== true) return;
    worker.process.kill();
    this.#scheduler.at(backAfterMs, null, `w${index + 1} comes back`, () => this.#startWorker(index, worker.lives + 1));
  }

  #loggerOf(process: Process): Logger {
    const say =
      (level: string) =>
      (fields: object, message: string): void => {
        if (!process.alive) return;
        const cause = 'err' in fields && fields.err instanceof Error ? ` (${fields.err.message})` : '';
        this.#scheduler.note(`${process.name} ${level}: ${message}${cause}`);
      };
    return { debug: () => undefined, info: say('info'), warn: say('warn'), error: say('error') };
  }

  // ---------------------------------------------------------------------------------------------------- faults

  #injectDue(): void {
    for (
      let next = this.#faults[0];
      next !== undefined && next.atStep <= this.#scheduler.steps;
      next = this.#faults[0]
    ) {
      this.#faults.shift();
      if (this.#calm) continue;
      this.#scheduler.note(`FAULT ${JSON.stringify(next.action)}`);
      this.#inject(next.action);
    }
  }

  #inject(action: FaultAction): void {
    const { now } = this.#scheduler;
    switch (action.kind) {
      case 'kill owner':
        this.#killMember(action.member, action.backAfterMs);
        return;
      case 'freeze owner':
        this.#memberAt(action.member).process.frozenUntil = now + action.forMs;
        return;
      case 'cut owner':
        this.#memberAt(action.member).process.cutUntil = now + action.forMs;
        return;
      case 'clock':
        this.#memberAt(action.member).process.skewMs = action.skewMs;
        this.#observer.leadMs = Math.max(this.#observer.leadMs, action.skewMs);
        // It is set right again.
        this.#scheduler.at(CALM_AFTER_MS, this.#memberAt(action.member).process, 'the clock is set', () => {
          this.#memberAt(action.member).process.skewMs = 0;
        });
        return;
      case 'commit':
        this.#memberAt(action.member).store.faults.push(action.how);
        return;
      case 'store away':
        this.#memberAt(action.member).store.awayUntil = now + action.forMs;
        return;
      case 'log loses':
        this.#observer.damaged.add(action.partition);
        this.#servers.log.log(action.partition).loseTail(action.count);
        return;
      case 'log anew':
        this.#observer.damaged.add(action.partition);
        this.#servers.log.log(action.partition).recreate();
        return;
      case 'kill worker':
        this.#killWorker(action.worker, action.backAfterMs);
        return;
      case 'freeze worker': {
        const worker = this.#workers[action.worker];
        if (worker !== undefined) worker.process.frozenUntil = now + action.forMs;
        return;
      }
      case 'queue lost':
        this.#servers.queue.lose();
    }
  }

  #memberAt(index: number): Member {
    const member = this.#members[index];
    if (member === undefined) throw new Violation('0 plan', `there is no member ${index}`);
    return member;
  }

  // ------------------------------------------------------------------------------------------------- operators

  /** A person looks after what is at rest and has not ended. True when there was something to decide. */
  #decideWhatIsBlocked(round: number): boolean {
    let decided = false;
    for (const { run } of this.#observer.records.values()) {
      if (run === null || agenda(run).terminal) continue;
      decided = this.#decideRun(run, round) || decided;
    }
    return decided;
  }

  #decideRun(run: Run, round: number): boolean {
    this.#decided += 1;
    const name = `${run.id}-${this.#decided}`;
    if (run.paused !== null) {
      this.#client.decide(run.id, name, null);
      return true;
    }
    for (const leaf of run.leaves.values()) {
      if (leaf.status.kind !== 'blocked') continue;
      const role = leaf.id.endsWith('c') ? 'compensation' : 'forward';
      const key = `gr1:${run.id}:${leaf.id.replace(/c$/, '')}:${role}` as Parameters<Ledger['ask']>[0];
      const truth = this.#ledger.ask(key, leaf.node);
      const resolution =
        truth === 'applied' ? ({ kind: truth, output: leaf.input.value } as const) : ({ kind: truth } as const);
      this.#client.decide(run.id, name, { activation: leaf.id, resolution });
      return true;
    }
    const stuck = [...run.obligations.values()].find(({ status }) => status.kind === 'blocked_execution');
    if (stuck === undefined) return false;
    if (round % 2 === 1) this.#client.abandon(run.id, name);
    else {
      const resolution = { kind: 'retry', attempts: 3 } as const;
      this.#client.decide(run.id, name, { activation: `${stuck.forward}c`, resolution });
    }
    return true;
  }
}
