/**
 * The worker host of embedded mode. A session announces its capabilities when it opens, so when new contracts are
 * published a new session takes over: the old one finishes what it has begun and hands back the rest.
 */
import { POLICIES, versionedName } from '@graphrun/dsl';
import type { Logger } from '@graphrun/engine';
import type { Messaging } from '@graphrun/messaging';
import { createWorker } from '@graphrun/sdk';
import type { Worker, WorkerCatalog } from '@graphrun/sdk';
import type { HandlerSource } from './handlers.js';

export class EmbeddedWorkers {
  #current: Worker | null = null;
  /** Contracts and reconcilers of the catalog that the current session knows. */
  #served = 0;
  readonly #draining = new Set<Promise<unknown>>();
  #turn: Promise<void> = Promise.resolve();
  #sessions = 0;

  constructor(
    private readonly messaging: Messaging,
    private readonly source: HandlerSource,
    private readonly logger: Logger,
  ) {}

  /** Serves every activity of the catalog for which there is a handler. One change at a time. */
  serve(catalog: WorkerCatalog): Promise<void> {
    this.#turn = this.#turn.catch(() => undefined).then(() => this.#change(catalog)); // a failed change was told to its caller
    return this.#turn;
  }

  /** A person waits for the end of the process, so handlers have a short time; what they leave is taken up again. */
  async close(): Promise<void> {
    await this.#turn.catch(() => undefined); // as above
    await this.#current?.drain(POLICIES.cancellationGraceMs);
    await Promise.all(this.#draining);
  }

  async #change(catalog: WorkerCatalog): Promise<void> {
    const known = catalog.contracts.length + catalog.reconcilers.length;
    if (known === this.#served) return; // both are immutable and never withdrawn: the same number is the same set
    const { handlers, reconcilers, fallback } = this.source;
    // What the catalog has no contract for may be published later. A worker without anything to do cannot start.
    if (fallback === undefined && !isServed(catalog.contracts, handlers) && !isServed(catalog.reconcilers, reconcilers))
      return;
    this.#sessions += 1;
    const next = createWorker({
      messaging: this.messaging,
      catalog,
      worker: `embedded-${this.#sessions}`,
      principal: 'embedded',
      logger: this.logger,
      ...(fallback !== undefined && { fallback }),
    });
    next.handleAll(handlers, null, reconcilers);
    await next.start();
    const previous = this.#current;
    this.#current = next;
    this.#served = known;
    if (previous === null) return;
    const drained = previous.drain();
    this.#draining.add(drained);
    void drained.finally(() => this.#draining.delete(drained));
  }
}

/** True when the map has something for an activity or reconciler of the catalog. */
function isServed(items: readonly { readonly name: string; readonly version: number }[], map: object): boolean {
  return items.some(
    ({ name, version }) => Object.hasOwn(map, name) || Object.hasOwn(map, versionedName(name, version)),
  );
}
