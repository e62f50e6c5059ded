/** One command after the other in a few lanes, each with the time that its receipt took. */

export interface Sample {
  /** Of `performance.now()`. */
  readonly sentAt: number;
  readonly ms: number;
}

export class CommandStream {
  readonly #samples: Sample[] = [];
  readonly #lanes: readonly Promise<void>[];
  #stopped = false;

  /** Goes on until it is stopped. */
  constructor(
    lanes: number,
    private readonly send: () => Promise<unknown>,
  ) {
    this.#lanes = Array.from({ length: lanes }, () => this.#lane());
  }

  /** Commands that were under way at some time from `from` to `until`. */
  between(from: number, until: number): readonly number[] {
    return this.#samples.filter(({ sentAt, ms }) => sentAt + ms >= from && sentAt <= until).map(({ ms }) => ms);
  }

  /** Commands that were sent after `from` and had their receipts before `until`. */
  within(from: number, until: number): readonly number[] {
    return this.#samples.filter(({ sentAt, ms }) => sentAt >= from && sentAt + ms <= until).map(({ ms }) => ms);
  }

  /** Returns when the last commands have their receipts. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lanes);
  }

  async #lane(): Promise<void> {
    while (!this.#stopped) {
      const sentAt = performance.now();
      await this.send();
      this.#samples.push({ sentAt, ms: performance.now() - sentAt });
    }
  }
}
