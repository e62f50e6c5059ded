/** Signals that are there before anybody waits for them; each is taken once, the oldest of an address first. */
import type { BufferedSignal } from './script.js';

export class Inbox {
  readonly #left: BufferedSignal[];

  constructor(signals: readonly BufferedSignal[]) {
    this.#left = [...signals];
  }

  take(signal: string, key: string): BufferedSignal | undefined {
    const index = this.#left.findIndex((entry) => entry.signal === signal && entry.key === key);
    return index < 0 ? undefined : this.#left.splice(index, 1)[0];
  }
}
