/**
 * Deadlines of owned partitions. One is decided only when the log up to the tail observed at or after its due time has
 * been delivered: a result that arrived in time is then before it in the inbox (spec 04 "Time"). While the log cannot
 * be reached no deadline is decided.
 */
import type { CommandLog } from '@graphrun/messaging';
import type { Cancel, Clock, Logger } from '@graphrun/runtime';
import type { EngineMetrics } from '../metrics.js';
import type { Partition } from '../partition.js';
import type { Item } from '../processor/item.js';
import type { Due } from './due-heap.js';
import { DueHeap } from './due-heap.js';

export interface TimerEntry extends Due {
  readonly partition: Partition;
  /** What goes into the partition's inbox then. */
  readonly item: Item;
  /** False when something else has made it void. */
  holds(): boolean;
  /** The item is in the inbox. */
  fired?(): void;
}

export interface TimersOptions {
  readonly log: CommandLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: EngineMetrics;
  /** Puts an item into the partition's inbox. */
  readonly accept: (partition: Partition, item: Item) => void;
}

/**
 * Timers that wait in inboxes at most, of all partitions together, so that a thousand due at once do not hold up other
 * work: what arrives meanwhile is decided behind these, and not behind all. The partitions share one processor, so a
 * limit for each of them would be none.
 */
const BATCH = 32;
/** However many partitions fire, each has that many of its timers decided together. */
const LEAST_SHARE = 4;
/** Between looks whether the processor has taken what was put into an inbox. */
const INBOX_LOOK_MS = 1;
/** Fewer timers than that are not worth a sweep. */
const SWEEP_LEAST = 4096;
/** Between looks at a log that has not delivered yet, or cannot be reached. */
const LOG_RETRY_MS = 50;

export class Timers {
  readonly #options: TimersOptions;
  readonly #heap = new DueHeap<TimerEntry>();
  /** What is due and not yet in the inbox, by partition, in order. */
  readonly #due = new Map<Partition, TimerEntry[]>();
  readonly #firing = new Set<Partition>();
  #armed: { readonly dueAt: number; readonly cancel: Cancel } | null = null;
  #sweepAt = SWEEP_LEAST;
  #closed = false;

  constructor(options: TimersOptions) {
    this.#options = options;
  }

  add(entry: TimerEntry): void {
    if (this.#heap.size >= this.#sweepAt) this.#sweep();
    this.#heap.push(entry);
    this.#arm();
  }

  /** Timers held, void ones included. */
  get size(): number {
    return this.#heap.size;
  }

  close(): void {
    this.#closed = true;
    this.#armed?.cancel();
    this.#armed = null;
  }

  /**
   * Most timers are void long before they are due: a step of milliseconds has a deadline of minutes. They are forgotten
   * together, whenever there may be as many void ones as others.
   */
  #sweep(): void {
    this.#heap.keep((entry) => entry.partition.dropped === null && entry.holds());
    this.#sweepAt = Math.max(SWEEP_LEAST, 2 * this.#heap.size);
  }

  #arm(): void {
    const next = this.#heap.peek();
    if (this.#closed || next === undefined || (this.#armed !== null && this.#armed.dueAt <= next.dueAt)) return;
    this.#armed?.cancel();
    const cancel = this.#options.clock.after(next.dueAt - this.#options.clock.now(), () => {
      this.#armed = null;
      this.#fireDue();
      this.#arm();
    });
    this.#armed = { dueAt: next.dueAt, cancel };
  }

  #fireDue(): void {
    const now = this.#options.clock.now();
    for (let next = this.#heap.peek(); next !== undefined && next.dueAt <= now; next = this.#heap.peek()) {
      this.#heap.pop();
      if (next.partition.dropped !== null || !next.holds()) continue;
      const due = this.#due.get(next.partition);
      if (due === undefined) this.#due.set(next.partition, [next]);
      else due.push(next);
    }
    const begin = [...this.#due].filter(([partition]) => !this.#firing.has(partition));
    // All of them first: how many there are says how much each may take.
    for (const [partition] of begin) this.#firing.add(partition);
    for (const [partition, due] of begin) void this.#fire(partition, due);
  }

  /** Puts what is due into the inbox, and what becomes due meanwhile: a share, and the next one when that was taken. */
  async #fire(partition: Partition, due: TimerEntry[]): Promise<void> {
    while (due.length > 0) {
      // Taken first: what becomes due while the log is looked at needs a look of its own.
      const share = due.splice(0, Math.max(LEAST_SHARE, Math.floor(BATCH / this.#firing.size)));
      if (!(await this.caughtUp(partition))) break;
      let last: Item | null = null;
      for (const entry of share) if (this.#decide(partition, entry)) last = entry.item;
      // Not until the inbox is empty: commands that keep coming must not keep timers from their turn.
      while (last !== null && partition.inbox.includes(last) && !this.#closed) await this.#pause(INBOX_LOOK_MS);
    }
    this.#firing.delete(partition);
    this.#due.delete(partition);
  }

  /** False when something else has made it void. */
  #decide(partition: Partition, entry: TimerEntry): boolean {
    const { clock, metrics, accept } = this.#options;
    if (partition.dropped !== null || !entry.holds()) return false;
    metrics.timerFired(clock.now() - entry.dueAt);
    entry.fired?.();
    accept(partition, entry.item);
    return true;
  }

  /** Resolves true when what is in the log now has been delivered; false when the partition was dropped meanwhile. */
  async caughtUp(partition: Partition): Promise<boolean> {
    const { log, logger } = this.#options;
    let tail: number | null = null;
    while (partition.dropped === null && !this.#closed) {
      try {
        tail ??= await log.tail(partition.id);
      } catch (error) {
        logger.warn({ err: error, partition: partition.id }, 'cannot see the end of the log; deadlines wait');
      }
      if (tail !== null && partition.deliveredSeq >= tail) return true;
      await this.#pause(LOG_RETRY_MS);
    }
    return false;
  }

  async #pause(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => this.#options.clock.after(delayMs, resolve));
  }
}
