/**
 * Waiting for the end of runs (spec 05 "long wait for the outcome"). Notices say at once what has ended, but they may be
 * lost, so they are only the fast path: the store is the truth. A waiter looks there
 *  - when it joins, if the run is older than what the ring of recent endings is sure to cover,
 *  - when a commit of the run's partition was missed (a gap in commit numbers, another epoch),
 *  - every five seconds, whatever happens.
 * A run that nobody waits for costs nothing but its place in the ring.
 *
 * The ring is there because a run can end before its receipt has told anybody its id.
 */
import type { RunId } from '@graphrun/domain';
import type { ChangeFeed, Subscription } from '@graphrun/messaging';
import { partitionOfRun } from '@graphrun/protocol';
import type { ChangeNotice, RunChange, TerminalOutcome } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';
import { RecentEndings } from './recent-endings.js';

/** Reads the outcome of a run from the store: null while it goes on or is not known. */
export type ReadOutcome = (run: RunId) => Promise<TerminalOutcome | null>;

/** Waiters look into the store that often even when all notices seem to come. */
const SAFETY_READ_MS = 5000;
/** Gaps of a partition within this time are answered by one round of reads. */
const GAP_PAUSE_MS = 200;
/** A run that was admitted this long before its request came may have left the ring: look it up. */
const RING_COVERS_MS = 1000;
/** How many runs are looked up at once. */
const READS_AT_ONCE = 8;

interface Waiter {
  readonly run: RunId;
  readonly partition: number;
  resolve(outcome: TerminalOutcome | null): void;
}

/** Calls the listener once, when whoever asked has gone. */
export type WhenGone = (listener: () => void) => void;

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Calls its listener when nobody wants the outcome any more. Lighter than an AbortSignal for each request. */
  readonly whenGone?: WhenGone;
}

export interface FollowedOutcome {
  readonly run: RunId;
  /** Null while the run goes on. */
  readonly outcome: TerminalOutcome | null;
}

export class Outcomes {
  readonly #waiters = new Map<RunId, Set<Waiter>>();
  readonly #recent = new RecentEndings();
  readonly #lastCommit = new Map<number, { readonly epoch: number; readonly commitNo: number }>();
  readonly #dirty = new Set<number>();
  #watch: Subscription | null = null;
  #cancelSafety: (() => void) | null = null;
  #gaps = 0;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly read: ReadOutcome,
    private readonly clock: WallClock,
    private readonly partitions: number,
    private readonly onReadError: (error: unknown) => void,
    /** Sees every notice first. */
    private readonly observe: (notice: ChangeNotice) => void = () => undefined,
  ) {}

  /** Runs somebody waits for. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Commits that were missed since the start. */
  get gaps(): number {
    return this.#gaps;
  }

  async start(): Promise<void> {
    this.#watch = await this.feed.watch((notice) => this.#onNotice(notice));
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = null;
    this.#cancelSafety?.();
    this.#cancelSafety = null;
    for (const waiters of [...this.#waiters.values()]) for (const waiter of [...waiters]) waiter.resolve(null);
    await watch?.close();
  }

  /** True when a notice has said that the run is over. */
  hasEnded(run: RunId): boolean {
    return this.#recent.get(run) !== undefined;
  }

  /** The outcome of the run, or null when `timeoutMs` passes (or the service closes) first. The run goes on then. */
  async wait(run: RunId, options: WaitOptions): Promise<TerminalOutcome | null> {
    const recent = this.#recent.get(run);
    if (recent?.outcome !== undefined) return recent.outcome;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        run,
        partition: partitionOfRun(run, this.partitions),
        resolve: (outcome) => {
          cancel();
          this.#remove(waiter);
          resolve(outcome);
        },
      };
      const cancel = this.clock.after(options.timeoutMs, () => waiter.resolve(null));
      this.#add(waiter);
      options.whenGone?.(() => waiter.resolve(null));
      if (recent !== undefined || admittedAt(run) < this.clock.now() - RING_COVERS_MS) void this.#look([run]);
    });
  }

  /**
   * Waits like `wait`, and when the run continues as another one, for that one with the time that is left (spec 02
   * "Continue-as-new"). `run` is the last one that is known, whose outcome it is.
   */
  async follow(run: RunId, { timeoutMs, whenGone }: WaitOptions): Promise<FollowedOutcome> {
    const endAt = this.clock.now() + timeoutMs;
    // Asked once, and told to whichever wait is under way.
    const client = { gone: false, stop: (): void => undefined };
    whenGone?.(() => {
      client.gone = true;
      client.stop();
    });
    const onGone: WhenGone = (listener) => (client.stop = listener);
    let last: FollowedOutcome = { run, outcome: null };
    for (;;) {
      const restMs = endAt - this.clock.now();
      if (client.gone || restMs <= 0) return last;
      const outcome = await this.wait(last.run, { timeoutMs: restMs, whenGone: onGone });
      if (outcome?.status !== 'continued') return { run: last.run, outcome };
      last = { run: outcome.successor, outcome: null };
    }
  }

  #add(waiter: Waiter): void {
    const waiters = this.#waiters.get(waiter.run);
    if (waiters === undefined) this.#waiters.set(waiter.run, new Set([waiter]));
    else waiters.add(waiter);
    this.#cancelSafety ??= this.clock.after(SAFETY_READ_MS, () => void this.#safetyRound());
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#waiters.get(waiter.run);
    if (!waiters?.delete(waiter)) return;
    if (waiters.size === 0) this.#waiters.delete(waiter.run);
  }

  #onNotice(notice: ChangeNotice): void {
    this.observe(notice);
    for (const change of notice.changes) if (change.ended) this.#onEnd(change);
    const { partition, epoch, commitNo } = notice;
    const last = this.#lastCommit.get(partition);
    if (last !== undefined && (epoch < last.epoch || (epoch === last.epoch && commitNo <= last.commitNo))) return; // late or doubled
    this.#lastCommit.set(partition, { epoch, commitNo });
    if (last !== undefined && (epoch !== last.epoch || commitNo !== last.commitNo + 1)) this.#onGap(partition);
  }

  #onEnd(change: RunChange): void {
    this.#recent.add(change);
    if (!this.#waiters.has(change.run)) return;
    if (change.outcome === undefined) void this.#look([change.run]);
    else this.#deliver(change.run, change.outcome);
  }

  #onGap(partition: number): void {
    this.#gaps += 1;
    if (this.#waiters.size === 0 || this.#dirty.has(partition)) return;
    this.#dirty.add(partition);
    this.clock.after(GAP_PAUSE_MS, () => {
      this.#dirty.delete(partition);
      void this.#look(this.#waitedFor((waiter) => waiter.partition === partition));
    });
  }

  async #safetyRound(): Promise<void> {
    await this.#look(this.#waitedFor(() => true));
    this.#cancelSafety =
      this.#waiters.size === 0 || this.#watch === null
        ? null
        : this.clock.after(SAFETY_READ_MS, () => void this.#safetyRound());
  }

  #waitedFor(matches: (waiter: Waiter) => boolean): readonly RunId[] {
    const runs: RunId[] = [];
    for (const [run, waiters] of this.#waiters)
      for (const waiter of waiters)
        if (matches(waiter)) {
          runs.push(run);
          break;
        }
    return runs;
  }

  /** Looks the runs up, a few at a time. A failed read is reported; the next safety round tries again. */
  async #look(runs: readonly RunId[]): Promise<void> {
    for (let start = 0; start < runs.length; start += READS_AT_ONCE) {
      await Promise.all(
        runs.slice(start, start + READS_AT_ONCE).map(async (run) => {
          try {
            const outcome = await this.read(run);
            if (outcome !== null) this.#deliver(run, outcome);
          } catch (error) {
            this.onReadError(error);
          }
        }),
      );
    }
  }

  #deliver(run: RunId, outcome: TerminalOutcome): void {
    const waiters = this.#waiters.get(run);
    if (waiters !== undefined) for (const waiter of [...waiters]) waiter.resolve(outcome);
  }
}

/** The admission time of a run, UTC ms: the first 48 bits of its UUIDv7. */
export function admittedAt(run: RunId): number {
  return Number.parseInt(run.slice(0, 8) + run.slice(9, 13), 16);
}
