/**
 * Virtual time, and everything that will happen in it. Whatever a simulated part awaits is a step in here, with a time and
 * a random rank among those of the same time; so one seed gives one order of all steps. Between two steps all promises
 * that can go on have gone on.
 */
import type { Process } from './process.js';
import type { Random } from './random.js';

export type Step = () => void;

interface Entry {
  at: number;
  readonly rank: number;
  /** The process whose step it is: dead, it is not taken; frozen, it is taken later. Null for servers and the network. */
  readonly owner: Process | null;
  readonly label: string;
  readonly action: Step;
  cancelled: boolean;
}

/** Where simulated time begins, UTC ms. */
export const EPOCH_MS = Date.UTC(2030, 0, 1);
const KEPT = 400;

export class Scheduler {
  /** True time, UTC ms. */
  now = EPOCH_MS;
  steps = 0;
  /** Over all steps: two runs of a seed that differ anywhere have different hashes. */
  hash = 0x811c9dc5;
  /** The last steps, as text. */
  readonly trace: string[] = [];
  keepAll = false;
  readonly #random: Random;
  readonly #heap: Entry[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  at(delayMs: number, owner: Process | null, label: string, action: Step): () => void {
    const at = this.now + Math.max(0, Math.ceil(delayMs));
    const entry: Entry = { at, rank: this.#random.next(), owner, label, action, cancelled: false };
    this.#push(entry);
    return () => {
      entry.cancelled = true;
    };
  }

  /** Notes what happened beside the steps themselves. */
  note(text: string): void {
    for (let i = 0; i < text.length; i += 1) this.hash = Math.imul(this.hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
    this.trace.push(`${String(this.now - EPOCH_MS).padStart(7)} ${text}`);
    if (!this.keepAll && this.trace.length > 2 * KEPT) this.trace.splice(0, KEPT);
  }

  /** Takes steps until `done` says so, nothing is left, or there were too many of them. */
  async run(done: () => boolean, limits: { readonly steps: number; readonly until: number }): Promise<void> {
    while (!done() && this.steps < limits.steps) {
      const entry = this.#pop();
      if (entry === null) return;
      if (entry.cancelled || entry.owner?.alive === false) continue;
      if (entry.owner !== null && entry.owner.frozenUntil > Math.max(entry.at, this.now)) {
        entry.at = entry.owner.frozenUntil;
        this.#push(entry);
        continue;
      }
      if (entry.at > limits.until) {
        this.#push(entry);
        return;
      }
      if (entry.at > this.now) this.now = entry.at;
      this.steps += 1;
      this.note(entry.owner === null ? entry.label : `${entry.owner.name}: ${entry.label}`);
      entry.action();
      // All that this step lets go on goes on before the next one is taken.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #before(a: Entry, b: Entry): boolean {
    return a.at < b.at || (a.at === b.at && a.rank < b.rank);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !this.#before(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): Entry | null {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined) return null;
    if (heap.length === 0) return top;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const rightFirst = left !== undefined && right !== undefined && this.#before(right, left);
      const child = rightFirst ? right : left;
      if (child === undefined || !this.#before(child, last)) break;
      heap[index] = child;
      index = 2 * index + (rightFirst ? 2 : 1);
    }
    heap[index] = last;
    return top;
  }
}
