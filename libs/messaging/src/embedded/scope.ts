/** What the in-process adapters share: deferred calls that are all gone after closing, and the clock. */
import { GraphrunError } from '@graphrun/protocol';
import type { OnMessagingError } from '../messaging.js';
import { reportTo } from '../messaging.js';

export class EmbeddedScope {
  readonly clock: () => number;
  readonly #onError: OnMessagingError | undefined;
  readonly #immediates = new Set<NodeJS.Immediate>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  constructor(clock: () => number, onError: OnMessagingError | undefined) {
    this.clock = clock;
    this.#onError = onError;
  }

  get closed(): boolean {
    return this.#closed;
  }

  report(cause: unknown, where: string): void {
    reportTo(this.#onError, cause, where);
  }

  requireOpen(what: string): void {
    if (this.#closed)
      throw new GraphrunError('Unavailable', `${what} is not possible: this process is closing its messaging`);
  }

  /** Runs in another turn of the event loop, never inside the caller, like a message that comes over a network. */
  soon(where: string, action: () => void): () => void {
    if (this.#closed) return () => undefined;
    const immediate = setImmediate(() => {
      this.#immediates.delete(immediate);
      this.#guard(where, action);
    });
    this.#immediates.add(immediate);
    return () => {
      clearImmediate(immediate);
      this.#immediates.delete(immediate);
    };
  }

  later(delayMs: number, where: string, action: () => void): () => void {
    if (this.#closed) return () => undefined;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#guard(where, action);
    }, delayMs);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  close(): void {
    this.#closed = true;
    for (const immediate of this.#immediates) clearImmediate(immediate);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#immediates.clear();
    this.#timers.clear();
  }

  #guard(where: string, action: () => void): void {
    try {
      action();
    } catch (failure) {
      this.report(failure, where);
    }
  }
}
