/** Signals that nobody has taken yet; each is taken once, the oldest of an address first. */
import type { Address, BufferedSignal } from './script.js';

export class Inbox {
  readonly #left: BufferedSignal[];

  constructor(signals: readonly BufferedSignal[]) {
    this.#left = [...signals];
  }

  add(signal: BufferedSignal): void {
    this.#left.push(signal);
  }

  take({ signal, key }: Address): BufferedSignal | undefined {
    const index = this.#left.findIndex((entry) => entry.signal === signal && entry.key === key);
    return index < 0 ? undefined : this.#left.splice(index, 1)[0];
  }
}
