/** Questions that only the owner of a partition answers: whoever else serves them says null. */
import { GraphrunError } from '@graphrun/protocol';
import type { Subscription } from '../ports.js';
import type { EmbeddedScope } from './scope.js';

type Handler<Request, Reply> = (request: Request) => Reply | null;

export class OwnerQuestion<Request, Reply> {
  readonly #scope: EmbeddedScope;
  readonly #name: string;
  readonly #handlers = new Map<number, Set<Handler<Request, Reply>>>();

  constructor(scope: EmbeddedScope, name: string) {
    this.#scope = scope;
    this.#name = name;
  }

  serve(partition: number, handler: Handler<Request, Reply>): Promise<Subscription> {
    const handlers = this.#handlers.get(partition) ?? new Set();
    this.#handlers.set(partition, handlers);
    // A wrapper of its own for each subscription: the same function may serve twice.
    const entry: Handler<Request, Reply> = (request) => handler(request);
    handlers.add(entry);
    return Promise.resolve({
      close: () => {
        handlers.delete(entry);
        return Promise.resolve();
      },
    });
  }

  /** `what` begins the sentence of the `Unavailable` that is thrown when nobody answers. */
  async ask(partition: number, request: Request, what: string): Promise<Reply> {
    // Not in the caller's turn: the owner may be in the middle of a batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const handler of this.#handlers.get(partition) ?? []) {
      try {
        const reply = handler(request);
        if (reply !== null) return reply;
      } catch (failure) {
        this.#scope.report(failure, `${this.#name} ${partition}`);
      }
    }
    throw new GraphrunError('Unavailable', `${what} failed: nobody owns it at the moment; ask again in a moment`);
  }
}
