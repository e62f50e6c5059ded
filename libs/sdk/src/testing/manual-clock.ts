/** A clock that stands until a test moves it. */
import type { Clock } from '@graphrun/runtime';

interface Timer {
  readonly dueAt: number;
  readonly action: () => void;
}

/** Lets everything run that needs no time: promises, messages of in-process messaging, I/O that is done. */
export async function settle(turns = 8): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;
  /** The wall clock minus an ideal one: a test may set it wrong, as hosts are. */
  skewMs = 0;

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now + this.skewMs;
  }

  monotonic(): number {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer: Timer = { dueAt: this.#now + Math.max(0, delayMs), action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Moves time on, running each timer at its moment and letting its consequences settle. */
  async advance(ms: number): Promise<void> {
    await settle();
    const end = this.#now + ms;
    for (let timer = this.#next(end); timer !== null; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.dueAt);
      timer.action();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  #next(end: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (next === null || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }
}
