/**
 * SIGINT and SIGTERM. Most commands just end; one that has something to finish claims the first signal and then ends in
 * order. The second signal ends it at once.
 */
export class Interrupts {
  readonly #controller = new AbortController();
  #claimed = false;

  /** The signal that says "end now, in order"; from now on an interrupt no longer ends the process by itself. */
  claim(): AbortSignal {
    this.#claimed = true;
    return this.#controller.signal;
  }

  /** Takes one interrupt. False when the process should end at once. */
  take(): boolean {
    if (!this.#claimed || this.#controller.signal.aborted) return false;
    this.#controller.abort();
    return true;
  }
}

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
