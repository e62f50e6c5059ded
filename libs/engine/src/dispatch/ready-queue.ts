/**
 * Ready leaves of one (role, activity, version). At most so many are offered at a time; the rest wait here, so that a
 * hundred thousand leaves without a worker put no more into the work queue than a handful (spec 04 "Work queue").
 */
import type { ActivationId, RunId, SessionId } from '@graphrun/domain';
import type { WorkKey } from '@graphrun/protocol';
import type { Partition } from '../partition.js';

export interface ReadyLeaf {
  readonly partition: Partition;
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly generation: number;
  readonly attempt: number;
  readonly queue: ReadyQueue;
  /** The next offer of it must be strict: it was offered before, or this epoch did not make it ready. */
  strict: boolean;
  /**
   * held: its run has enough leaves out. waiting: in line. loading: its run is being loaded. offered: in the work queue.
   * directed: one session was told. gone: no longer ready.
   */
  state: 'held' | 'waiting' | 'loading' | 'offered' | 'directed' | 'gone';
  /** The session that was told, while `directed`. */
  session: SessionId | null;
  /** Monotonic ms at which it was told, while `directed`. */
  directedAt: number;
}

export class ReadyQueue {
  #waiting: ReadyLeaf[] = [];
  #head = 0;
  readonly #offered = new Set<ReadyLeaf>();
  /** Monotonic ms at which an offer was made or taken last. */
  progressAt = 0;
  patienceMs: number;
  /** Monotonic ms at which an offer was taken last, or made while no other was out. */
  #takenAt = 0;

  constructor(
    readonly key: WorkKey,
    readonly limit: number,
    readonly firstPatienceMs: number,
  ) {
    this.patienceMs = firstPatienceMs;
  }

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  get offered(): ReadonlySet<ReadyLeaf> {
    return this.#offered;
  }

  /** Puts a leaf in line: at the front if its turn had come and only its run had to be loaded, which may soon be evicted. */
  wait(leaf: ReadyLeaf): void {
    const hadItsTurn = leaf.state === 'loading';
    leaf.state = 'waiting';
    this.#offered.delete(leaf);
    if (!hadItsTurn) this.#waiting.push(leaf);
    else if (this.#head === 0) this.#waiting.unshift(leaf);
    else {
      this.#head -= 1;
      this.#waiting[this.#head] = leaf;
    }
  }

  /** An offer was made. */
  made(nowMs: number): void {
    this.progressAt = nowMs;
    if (this.#offered.size === 1) this.#takenAt = nowMs;
  }

  /** True when offers are out and nobody has taken one for a while: there is no worker, or all of them are busy. */
  isStuck(nowMs: number): boolean {
    return this.#offered.size > 0 && nowMs - this.#takenAt >= this.firstPatienceMs;
  }

  /** The next leaf that may be offered, already counted as out; undefined when none waits or too many are out. */
  next(): ReadyLeaf | undefined {
    while (this.#offered.size < this.limit) {
      const leaf = this.#waiting[this.#head];
      if (leaf === undefined) break;
      this.#head += 1;
      if (leaf.state !== 'waiting') continue;
      this.#offered.add(leaf);
      return leaf;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return undefined;
  }

  /** The leaf is no longer ready: claimed, reported, cancelled, or its partition was dropped. */
  remove(leaf: ReadyLeaf, nowMs: number): void {
    leaf.state = 'gone';
    if (!this.#offered.delete(leaf)) return;
    this.progressAt = nowMs;
    this.#takenAt = nowMs;
    this.patienceMs = this.firstPatienceMs;
  }
}
