/**
 * Turns committed state into offers, leases and timers, and what workers and clocks do into internal commands. It holds
 * nothing that could not be rebuilt from PostgreSQL: `sync` makes it agree with a run as committed, from whatever it
 * held before.
 */
import type { Agenda, Run, RunId, SessionId } from '@graphrun/domain';
import { assignmentOf, contractOf, roleOf } from '@graphrun/domain';
import { LIMITS } from '@graphrun/dsl';
import type { ChangeFeed, CommandLog, WorkQueue } from '@graphrun/messaging';
import type { HeartbeatsReply, HeartbeatsRequest, RenewReply, RenewRequest } from '@graphrun/protocol';
import type { Cancel, Clock, Logger } from '@graphrun/runtime';
import type { EngineConfig } from '../config.js';
import type { EngineMetrics } from '../metrics.js';
import type { Partition } from '../partition.js';
import type { ClosedPartitionBatch, RunWrite } from '../processor/batch.js';
import type { Item } from '../processor/item.js';
import type { Residency } from '../residency.js';
import { heartbeatsOf, noteHeartbeat } from './heartbeats.js';
import { admissible } from './leaf-window.js';
import { OfferDesk } from './offer-desk.js';
import type { ReadyLeaf } from './ready-queue.js';
import { receiptsByInbox } from './receipts.js';
import type { ClaimEntry } from './run-entry.js';
import { RunEntry } from './run-entry.js';
import { SessionWatch } from './session-watch.js';
import { Timers } from './timers.js';

export interface DispatcherOptions {
  readonly queue: WorkQueue;
  readonly feed: ChangeFeed;
  readonly log: CommandLog;
  readonly connectedSince: () => number | null;
  readonly config: EngineConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: EngineMetrics;
  readonly residency: Residency;
  /** Puts work of our own into a partition's inbox. */
  readonly accept: (partition: Partition, item: Item) => void;
}

const SWEEP_MS = 1000;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #runs = new Map<RunId, RunEntry>();
  readonly #desk: OfferDesk;
  /** Runs with leaves that are held back. */
  readonly #crowded = new Set<RunEntry>();
  /** What each session holds: claims, and leaves that were handed to it alone. */
  readonly #held = new Map<SessionId, Set<ClaimEntry | ReadyLeaf>>();
  readonly #timers: Timers;
  readonly #watch: SessionWatch;
  #claims = 0;
  #sweep: Cancel | null = null;
  #closed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#desk = new OfferDesk(options);
    const { queue, log, clock, logger, metrics, config, connectedSince } = options;
    this.#timers = new Timers({
      log,
      clock,
      logger,
      metrics,
      accept: options.accept,
    });
    this.#watch = new SessionWatch({
      queue,
      clock,
      logger,
      connectedSince,
      pingMs: config.sessionPingMs,
      stableMs: config.stableConnectionMs,
      holders: () => this.#held.keys(),
      gone: (session) => this.#sessionGone(session),
    });
  }

  get readyCount(): number {
    let count = this.#desk.count;
    for (const { ready } of this.#crowded) for (const { state } of ready.values()) if (state === 'held') count += 1;
    return count;
  }

  get claimCount(): number {
    return this.#claims;
  }

  close(): void {
    this.#closed = true;
    this.#timers.close();
    this.#watch.close();
    this.#sweep?.();
  }

  // ---------------------------------------------------------------------------------------- after the commit

  /** Everything that a commit sets off. Called once for each commit, in order. */
  committed(parts: readonly ClosedPartitionBatch[]): void {
    const { feed } = this.#options;
    for (const [address, receipts] of receiptsByInbox(parts)) feed.receipts(address, receipts);
    feed.announce(
      parts.map(({ partition, commitNo, after }) => {
        const { id, epoch, inbox } = partition;
        return { partition: id, epoch, commitNo, backlog: inbox.length, changes: after.changes };
      }),
    );
    for (const part of parts) this.#followUp(part);
    this.#offer();
  }

  #followUp({ partition, after, writes }: ClosedPartitionBatch): void {
    const { queue, accept } = this.#options;
    for (const write of after.runs) {
      const run = write.resident.run.id;
      for (const { session, ...abort } of write.aborts) queue.abort(session, { run, ...abort });
      this.#sync(partition, write);
      if (write.agenda.progressDue) accept(partition, { kind: 'internal', run, command: { kind: 'progress' } });
    }
    for (const { run } of writes.unrecoverable) {
      partition.unrecovered.delete(run);
      const entry = this.#runs.get(run);
      if (entry !== undefined) this.#remove(run, entry);
    }
  }

  #sync(partition: Partition, write: RunWrite): void {
    const { run } = write.resident;
    partition.unrecovered.delete(run.id);
    let entry = this.#runs.get(run.id);
    if (entry !== undefined && entry.partition !== partition) {
      this.#remove(run.id, entry);
      entry = undefined;
    }
    if (write.agenda.terminal) {
      if (entry !== undefined) this.#remove(run.id, entry);
      return;
    }
    entry ??= new RunEntry(partition);
    this.#syncReady(entry, write);
    this.#syncClaims(entry, write);
    this.#admit(entry);
    this.#syncTimers(entry, run.id, write.agenda);
    if (entry.empty) this.#runs.delete(run.id);
    else this.#runs.set(run.id, entry);
  }

  #syncReady(entry: RunEntry, write: RunWrite): void {
    const { run } = write.resident;
    const { agenda, directed, turnedAway } = write;
    if (entry.ready.size > 0) {
      const ready = new Map(agenda.ready.map(({ leaf, generation }) => [leaf.id, generation]));
      for (const leaf of entry.ready.values()) {
        if (ready.get(leaf.activation) !== leaf.generation) this.#removeReady(entry, leaf);
      }
    }
    for (const { activation, generation } of turnedAway) this.#turnAway(entry, activation, generation);
    for (const { leaf, generation, attempt } of agenda.ready) {
      const there = entry.ready.get(leaf.id);
      if (there !== undefined) {
        if (there.state === 'loading') this.#desk.wait(there);
        continue;
      }
      const { role, handler } = assignmentOf(run, leaf);
      const queue = this.#desk.queueOf({ role, activity: handler.name, version: handler.version });
      const pure = role === 'forward' && contractOf(run, leaf).effects === 'pure';
      const made: ReadyLeaf = {
        partition: entry.partition,
        run: run.id,
        activation: leaf.id,
        generation,
        attempt,
        queue,
        // Lax only where nobody can have begun it: a handler that ends its process must use up its budget.
        strict: !pure || attempt > 1 || !write.activated.has(leaf.id),
        state: 'held',
        session: null,
        directedAt: 0,
      };
      entry.ready.set(leaf.id, made);
      const told = directed.find((d) => d.activation === leaf.id && d.generation === generation);
      if (told !== undefined) this.#direct(made, told.session);
    }
  }

  #direct(leaf: ReadyLeaf, session: SessionId): void {
    leaf.state = 'directed';
    leaf.session = session;
    leaf.directedAt = this.#options.clock.monotonic();
    this.#hold(session, leaf);
    this.#startSweep();
  }

  /** Its offer was taken for nothing: it waits for its turn again, behind the others of its run. */
  #turnAway(entry: RunEntry, activation: ReadyLeaf['activation'], generation: number): void {
    const leaf = entry.ready.get(activation);
    if (leaf?.generation !== generation || leaf.state !== 'offered') return;
    this.#removeReady(entry, leaf);
    leaf.state = 'held';
    entry.ready.set(activation, leaf);
  }

  /** Puts in line what its run may have out now. */
  #admit(entry: RunEntry): void {
    const { clock } = this.#options;
    let held = 0;
    for (const { state } of entry.ready.values()) if (state === 'held') held += 1;
    if (held > 0) {
      const admitted = admissible(entry, LIMITS.activeLeavesPerRun, clock.monotonic());
      for (const leaf of admitted) this.#desk.wait(leaf);
      held -= admitted.length;
    }
    if (held === 0) this.#crowded.delete(entry);
    else this.#crowded.add(entry);
  }

  #syncClaims(entry: RunEntry, write: RunWrite): void {
    const { run } = write.resident;
    const { agenda } = write;
    if (entry.claims.size > 0) {
      const claims = new Map(agenda.claims.map(({ leaf, claim }) => [leaf.id, claim.generation]));
      for (const claim of entry.claims.values()) {
        if (claims.get(claim.activation) !== claim.generation) this.#removeClaim(entry, claim);
      }
    }
    for (const { leaf, claim } of agenda.claims) {
      const there = entry.claims.get(leaf.id);
      // An expiry that came to nothing may come again.
      if (there !== undefined) there.expiring = false;
      else this.#addClaim(entry, run, { leaf, claim });
    }
  }

  #addClaim(entry: RunEntry, run: Run, { leaf, claim }: Agenda['claims'][number]): void {
    const { clock, config } = this.#options;
    const role = roleOf(leaf.id);
    const { effects, recovery } = contractOf(run, leaf);
    const claimed: ClaimEntry = {
      partition: entry.partition,
      run: run.id,
      activation: leaf.id,
      generation: claim.generation,
      session: claim.session,
      repeatable: role === 'reconciliation' || effects === 'pure' || recovery === 'RetrySafe',
      forward: role === 'forward',
      leaseUntil: clock.monotonic() + config.claimLeaseMs,
      heartbeat: null,
      expiring: false,
    };
    entry.claims.set(leaf.id, claimed);
    this.#claims += 1;
    this.#hold(claim.session, claimed);
    this.#timers.add({
      dueAt: claim.deadline,
      partition: entry.partition,
      item: {
        kind: 'internal',
        run: run.id,
        command: { kind: 'expire', activation: leaf.id, generation: claim.generation, reason: 'timeout' },
      },
      holds: () => entry.claims.get(leaf.id) === claimed,
    });
    this.#startSweep();
  }

  #syncTimers(entry: RunEntry, run: RunId, agenda: Agenda): void {
    const due = new Map(agenda.timers.map((timer) => [timer.name, timer.dueAt]));
    for (const name of entry.timers.keys()) if (!due.has(name)) entry.timers.delete(name);
    for (const [name, dueAt] of due) {
      if (entry.timers.get(name) === dueAt) continue;
      entry.timers.set(name, dueAt);
      this.#timers.add({
        dueAt,
        partition: entry.partition,
        item: { kind: 'internal', run, command: { kind: 'timer', name, dueAt } },
        holds: () => entry.timers.get(name) === dueAt,
        // Should the command come to nothing, the look at the run that follows it arms the timer again.
        fired: () => entry.timers.delete(name),
      });
    }
  }

  /** Looks at a run again at a time: it waits for nothing but that. */
  recoverAt(partition: Partition, run: RunId, dueAt: number): void {
    this.#timers.add({ dueAt, partition, item: { kind: 'recover', run }, holds: () => !this.#runs.has(run) });
  }

  // ------------------------------------------------------------------------------------------------- leases

  /**
   * Answers a worker's renewals for a partition. After a takeover a claim of a run that has not been looked at yet is neither
   * renewed nor lost: it gets a full lease when it is.
   */
  renew(partition: Partition, request: RenewRequest): RenewReply | null {
    if (partition.dropped !== null) return null;
    const { clock, config } = this.#options;
    const leaseUntil = clock.monotonic() + config.claimLeaseMs;
    const lost: RenewReply['lost'][number][] = [];
    for (const ref of request.claims) {
      const claim = this.#runs.get(ref.run)?.claims.get(ref.activation);
      if (claim?.generation === ref.generation && claim.session === request.session && !claim.expiring) {
        claim.leaseUntil = leaseUntil;
        noteHeartbeat(claim, ref.heartbeat, clock.monotonic());
      } else if (claim !== undefined || (partition.wakesRead && !partition.unrecovered.has(ref.run))) {
        const { run, activation, generation } = ref;
        lost.push({ run, activation, generation, reason: 'lost' });
      }
    }
    return { epoch: partition.epoch, leaseMs: config.claimLeaseMs, lost };
  }

  /** What the attempts of a run have said of themselves; null when the partition is no longer ours. */
  heartbeats(partition: Partition, { run }: HeartbeatsRequest): HeartbeatsReply | null {
    if (partition.dropped !== null) return null;
    return { attempts: heartbeatsOf(this.#runs.get(run), this.#options.clock.monotonic()) };
  }

  #startSweep(): void {
    if (this.#sweep !== null || this.#closed) return;
    this.#sweep = this.#options.clock.after(SWEEP_MS, () => {
      this.#sweep = null;
      const held = this.#sweepLeases();
      const offered = this.#desk.look();
      // A queue may have become one that nobody takes from: its leaves make room for others of their runs.
      for (const entry of this.#crowded) this.#admit(entry);
      this.#offer();
      if (held || offered || this.#crowded.size > 0) this.#startSweep();
    });
  }

  /** True while sessions hold something. */
  #sweepLeases(): boolean {
    const { clock, config } = this.#options;
    const now = clock.monotonic();
    let waiting = false;
    for (const [session, held] of this.#held) {
      for (const entry of held) {
        waiting = true;
        if ('leaseUntil' in entry) {
          if (!entry.expiring && entry.leaseUntil < now) this.#expire(entry, 'lease');
        } else if (now - entry.directedAt > config.offerPatienceMs) this.#undirect(session, entry);
      }
    }
    return waiting;
  }

  /** The session was told of the leaf in a receipt that may have been lost, or has ended: it is offered to all. */
  #undirect(session: SessionId, leaf: ReadyLeaf): void {
    this.#release(session, leaf);
    leaf.session = null;
    leaf.strict = true;
    this.#desk.wait(leaf);
    this.#offer();
  }

  #expire(claim: ClaimEntry, reason: 'lease' | 'worker_lost'): void {
    claim.expiring = true;
    const { partition, run, activation, generation } = claim;
    // What the worker may have sent in time is in the log: it goes first.
    void this.#timers.caughtUp(partition).then((held) => {
      if (!held || this.#runs.get(run)?.claims.get(activation) !== claim) return;
      const command = { kind: 'expire', activation, generation, reason } as const;
      this.#options.accept(partition, { kind: 'internal', run, command });
    });
  }

  #sessionGone(session: SessionId): void {
    for (const entry of this.#held.get(session) ?? []) {
      if ('leaseUntil' in entry) {
        if (entry.repeatable && !entry.expiring) this.#expire(entry, 'worker_lost');
      } else this.#undirect(session, entry);
    }
  }

  #hold(session: SessionId, entry: ClaimEntry | ReadyLeaf): void {
    const held = this.#held.get(session);
    if (held === undefined) this.#held.set(session, new Set([entry]));
    else held.add(entry);
    this.#watch.watch();
  }

  #release(session: SessionId, entry: ClaimEntry | ReadyLeaf): void {
    const held = this.#held.get(session);
    held?.delete(entry);
    if (held?.size === 0) this.#held.delete(session);
  }

  // ------------------------------------------------------------------------------------------------ forgetting

  /** Drops everything of a partition that is no longer ours. */
  forget(partition: Partition): void {
    for (const [run, entry] of this.#runs) if (entry.partition === partition) this.#remove(run, entry);
    this.#offer();
  }

  #offer(): void {
    if (this.#desk.offer()) this.#startSweep();
  }

  #remove(run: RunId, entry: RunEntry): void {
    for (const leaf of entry.ready.values()) this.#removeReady(entry, leaf);
    for (const claim of entry.claims.values()) this.#removeClaim(entry, claim);
    entry.timers.clear();
    this.#crowded.delete(entry);
    this.#runs.delete(run);
  }

  #removeReady(entry: RunEntry, leaf: ReadyLeaf): void {
    entry.ready.delete(leaf.activation);
    if (leaf.session !== null) this.#release(leaf.session, leaf);
    this.#desk.remove(leaf);
  }

  #removeClaim(entry: RunEntry, claim: ClaimEntry): void {
    entry.claims.delete(claim.activation);
    this.#claims -= 1;
    this.#release(claim.session, claim);
  }
}
