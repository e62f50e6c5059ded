/**
 * A worker process as the protocol wants it: claims what is strict, works lax where it may, renews, reports until it has a
 * receipt, takes the grants that come along. It can be killed or frozen at any step like any process.
 */
import type { ReportOutcome, SessionId } from '@graphrun/domain';
import type { TakenOffer } from '@graphrun/messaging';
import { newSessionId, Subjects, workKeyText } from '@graphrun/protocol';
import type { Offer, Receipt, RenewReply, SessionInfo, WorkerReceipt, WorkKey } from '@graphrun/protocol';
import type { Process } from '../core/process.js';
import { ACTIVITIES } from '../definitions.js';
import type { Servers } from '../servers/feed.js';
import { behaviourOf } from './handlers.js';
import type { Ledger } from './ledger.js';

export interface WorkerWatcher {
  /** A handler begins. */
  begun(session: SessionId, offer: Offer): void;
}

export interface WorkerOptions {
  readonly process: Process;
  readonly servers: Servers;
  readonly ledger: Ledger;
  readonly watcher: WorkerWatcher;
  readonly seed: number;
  readonly name: string;
  /** How many times this worker was started before. */
  readonly life: number;
  readonly free: number;
  /** Faults are over. */
  readonly calm: () => boolean;
}

interface Work {
  readonly offer: Offer;
  readonly done: () => void;
  deadline: number | null;
  state: 'claiming' | 'running' | 'reporting';
  aborted: boolean;
}

const SLOTS = 2;
const REPEAT_MS = 1500;
const RENEW_MS = 1500;
/** A claim that nobody answers is given up. */
const CLAIM_TIMES = 10;

const KEYS: readonly WorkKey[] = Object.entries(ACTIVITIES).flatMap(([activity, { reconciler }]) => [
  { role: 'forward' as const, activity, version: 1 },
  { role: 'compensation' as const, activity, version: 1 },
  ...(reconciler === undefined ? [] : [{ role: 'reconciliation' as const, activity: reconciler, version: 1 }]),
]);

export class SimulatedWorker {
  readonly session: SessionId;
  readonly #options: WorkerOptions;
  readonly #inbox: string;
  readonly #work = new Map<string, Work>();
  /** What was begun once is never begun again, whatever comes twice. */
  readonly #begun = new Set<string>();
  readonly #waiting = new Map<string, (receipt: WorkerReceipt) => void>();
  readonly #epochs = new Map<number, number>();
  readonly #free = new Map<string, number>();
  #refs = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { name, life, process, servers } = options;
    // The prefix says whose it is; the rest must not be drawn, or no run would be like another.
    this.session = `${newSessionId(name).slice(0, 17)}${name}-${life}` as SessionId;
    this.#inbox = new Subjects('sim').inbox('worker', name, `${life}`);
    servers.feed.inboxes.set(this.#inbox, { process, onReceipt: (receipt) => this.#received(receipt) });
    for (const key of KEYS) this.#free.set(workKeyText(key), SLOTS);
    servers.queue.sessions.set(this.session, {
      process,
      info: this.#info(),
      handlers: {
        info: () => this.#info(),
        onOffer: (taken) => this.#offered(taken),
        onGrant: (offer) => this.#granted(offer),
        onAbort: ({ run, activation, generation }) => this.#abort(workId({ run, activation, generation })),
      },
      free: this.#free,
    });
    for (const key of this.#free.keys()) servers.queue.dispatch(key);
    process.clock.after(RENEW_MS, () => this.#renew());
  }

  get idle(): boolean {
    return this.#work.size === 0;
  }

  #info(): SessionInfo {
    const { name, process } = this.#options;
    return {
      session: this.session,
      worker: name,
      principal: name,
      startedAt: process.bornAt,
      capabilities: [],
      unknownContracts: [],
      draining: false,
      running: 0,
    };
  }

  // ------------------------------------------------------------------------------------------------ taking work

  #offered(taken: TakenOffer): void {
    const { offer } = taken;
    const key = workKeyText(offer);
    const freed = (): void => {
      this.#free.set(key, (this.#free.get(key) ?? 0) + 1);
      const { process, servers } = this.#options;
      process.scheduler.at(1, null, `${process.name} has room`, () => servers.queue.dispatch(key));
    };
    if (this.#work.has(workId(offer)) || this.#begun.has(workId(offer))) {
      taken.ack();
      freed();
      return;
    }
    const work: Work = { offer, done: freed, deadline: null, state: 'claiming', aborted: false };
    this.#work.set(workId(offer), work);
    if (!offer.strict) {
      this.#begin(work);
      taken.ack();
      return;
    }
    this.#claim(work, () => taken.ack(), 0);
  }

  #claim(work: Work, settled: () => void, times: number): void {
    const ref = this.#ref(work, 'claim');
    this.#send(work, 'claim', ref, {});
    this.#waiting.set(ref, ({ verdict, deadline }) => {
      settled();
      if (work.state !== 'claiming') return;
      if (verdict !== 'accepted') this.#finish(work);
      else {
        work.deadline = deadline ?? null;
        this.#begin(work);
      }
    });
    this.#options.process.clock.after(REPEAT_MS, () => {
      if (!this.#waiting.has(ref) || work.state !== 'claiming') return;
      if (times < CLAIM_TIMES) this.#claim(work, settled, times + 1);
      else this.#finish(work);
    });
  }

  #granted(offer: Offer): void {
    const id = workId(offer);
    if (this.#begun.has(id)) return;
    const there = this.#work.get(id);
    if (there !== undefined) {
      // The grant that its claim asks for has come by another way.
      if (offer.grantedUntil === null) return;
      there.deadline = offer.grantedUntil;
      this.#begin(there);
      return;
    }
    const work: Work = {
      offer,
      done: () => undefined,
      deadline: offer.grantedUntil,
      state: 'claiming',
      aborted: false,
    };
    this.#work.set(id, work);
    if (offer.strict && offer.grantedUntil === null) this.#claim(work, () => undefined, 0);
    else this.#begin(work);
  }

  #begin(work: Work): void {
    const { process, seed, watcher, calm } = this.#options;
    work.state = 'running';
    this.#begun.add(workId(work.offer));
    const { offer } = work;
    watcher.begun(this.session, offer);
    const begunAt = process.scheduler.now;
    if (offer.role === 'reconciliation') {
      process.clock.after(50, () => this.#probe(work));
      return;
    }
    const drawn = behaviourOf(seed, offer);
    // In the end everything is to come to rest: nobody hangs or hands back for ever.
    const behaviour =
      calm() && (drawn.outcome === null || drawn.outcome.kind === 'returned')
        ? { ...drawn, effect: true, outcome: { kind: 'success', output: offer.input } as const }
        : drawn;
    process.clock.after(behaviour.beforeMs, () => {
      if (work.aborted) return this.#finish(work);
      const refused = behaviour.effect && !this.#effect(work, begunAt);
      process.clock.after(behaviour.afterMs, () => {
        if (behaviour.outcome === null || work.aborted) this.#finish(work);
        else if (refused)
          this.#report(work, { kind: 'unhandled', failure: { code: 'activity.unhandled', message: 'too late' } });
        else this.#report(work, behaviour.outcome);
      });
    });
  }

  /** False when the provider refused. */
  #effect({ offer, deadline }: Work, begunAt: number): boolean {
    const kind = ACTIVITIES[offer.activity];
    if (kind === undefined || kind.effects === 'pure') return true;
    const { activity, effectKey: key } = offer;
    return this.#options.ledger.call({ key, activity, idempotent: kind.recovery === 'RetrySafe', begunAt, deadline });
  }

  #probe(work: Work): void {
    const { ledger, process } = this.#options;
    const { effectKey, activity, input } = work.offer;
    if (process.random.chance(0.15)) {
      this.#report(work, { kind: 'probed', answer: 'unknown' });
      return;
    }
    const answer = ledger.ask(effectKey, activity);
    this.#report(work, answer === 'applied' ? { kind: 'probed', answer, output: input } : { kind: 'probed', answer });
  }

  // --------------------------------------------------------------------------------------------------- messages

  #report(work: Work, outcome: ReportOutcome): void {
    work.state = 'reporting';
    const { offer } = work;
    const ref = this.#ref(work, 'report');
    this.#waiting.set(ref, ({ eager }) => {
      this.#finish(work);
      for (const next of eager ?? []) this.#granted(next);
    });
    const send = (): void => {
      if (!this.#waiting.has(ref)) return;
      this.#send(work, 'report', ref, {
        lax: !offer.strict && offer.grantedUntil === null && work.deadline === null,
        outcome,
      });
      this.#options.process.clock.after(REPEAT_MS, send);
    };
    send();
  }

  #ref({ offer }: Work, kind: string): string {
    this.#refs += 1;
    return `${kind}:${workId(offer)}:${this.#refs}`;
  }

  #send({ offer }: Work, kind: 'claim' | 'report', ref: string, fields: object): void {
    const { servers, process, name, free } = this.#options;
    const { run, activation, generation, partition } = offer;
    const room = free === 0 ? [] : KEYS.map((key) => ({ ...key, slots: free }));
    const command = {
      kind,
      ref,
      replyTo: this.#inbox,
      run,
      activation,
      generation,
      session: this.session,
      free: room,
      ...fields,
    };
    servers.log.send(process, { partition, role: 'worker', principal: name, kind, data: JSON.stringify(command) });
  }

  #received(receipt: Receipt): void {
    if (receipt.kind !== 'worker') return;
    const waiting = this.#waiting.get(receipt.ref);
    this.#waiting.delete(receipt.ref);
    waiting?.(receipt);
  }

  #finish(work: Work): void {
    if (this.#work.get(workId(work.offer)) !== work) return;
    this.#work.delete(workId(work.offer));
    work.done();
  }

  #abort(id: string): void {
    const work = this.#work.get(id);
    if (work !== undefined) work.aborted = true;
  }

  // ----------------------------------------------------------------------------------------------------- leases

  #renew(): void {
    const { process, servers } = this.#options;
    process.clock.after(RENEW_MS, () => this.#renew());
    const byPartition = new Map<number, Offer[]>();
    for (const { offer, state, deadline } of this.#work.values()) {
      if (state === 'claiming' || deadline === null) continue;
      const list = byPartition.get(offer.partition) ?? [];
      byPartition.set(offer.partition, list);
      list.push(offer);
    }
    for (const [partition, offers] of byPartition) {
      const claims = offers.map(({ run, activation, generation }) => ({ run, activation, generation }));
      for (const { process: owner, handler } of servers.queue.renewals.get(partition) ?? []) {
        void servers.queue
          .ask(process, owner, 'a renewal', () => handler({ session: this.session, claims }))
          .then((reply) => this.#renewed(partition, reply));
      }
    }
  }

  #renewed(partition: number, reply: RenewReply | null | 'gone' | 'silent'): void {
    if (reply === null || reply === 'gone' || reply === 'silent') return;
    if (reply.epoch < (this.#epochs.get(partition) ?? 0)) return;
    this.#epochs.set(partition, reply.epoch);
    for (const lost of reply.lost) this.#abort(workId(lost));
  }
}

function workId({ run, activation, generation }: Pick<Offer, 'run' | 'activation' | 'generation'>): string {
  return `${run}/${activation}/${generation}`;
}
