/** A clock that a test moves by hand. */
import type { WallClock } from '@graphrun/runtime';

interface Timer {
  readonly dueAt: number;
  readonly action: () => void;
}

export class ManualClock implements WallClock {
  #now = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { dueAt: this.#now + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Calls back everything that is due until then, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.dueAt <= until).toSorted((a, b) => a.dueAt - b.dueAt)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = due.dueAt;
      due.action();
    }
    this.#now = until;
  }
}
