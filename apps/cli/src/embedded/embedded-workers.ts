/**
 * The worker host of embedded mode. A session announces its capabilities when it opens, so when new contracts are
 * published a new session takes over: the old one finishes what it has begun and hands back the rest.
 */
import { POLICIES, versionedName } from '@graphrun/dsl';
import type { Logger } from '@graphrun/engine';
import type { Messaging } from '@graphrun/messaging';
import { createWorker } from '@graphrun/sdk';
import type { AnyHandler, HandlerMap, Worker, WorkerCatalog } from '@graphrun/sdk';

export class EmbeddedWorkers {
  #current: Worker | null = null;
  #served: ReadonlySet<string> = new Set();
  readonly #draining = new Set<Promise<unknown>>();
  #turn: Promise<void> = Promise.resolve();
  #sessions = 0;

  constructor(
    private readonly messaging: Messaging,
    private readonly handlers: HandlerMap,
    private readonly fallback: AnyHandler | undefined,
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
    const known = new Set(catalog.contracts.map(({ name, version }) => versionedName(name, version)));
    if (known.size === this.#served.size) return; // contracts are immutable: the same number is the same set
    const handlers = applicable(this.handlers, catalog);
    if (Object.keys(handlers).length === 0 && this.fallback === undefined) return;
    this.#sessions += 1;
    const next = createWorker({
      messaging: this.messaging,
      catalog,
      worker: `embedded-${this.#sessions}`,
      principal: 'embedded',
      logger: this.logger,
      ...(this.fallback !== undefined && { fallback: this.fallback }),
    });
    next.handleAll(handlers);
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

/** Handlers whose activity the catalog has: others may be published later. */
function applicable(handlers: HandlerMap, catalog: WorkerCatalog): HandlerMap {
  const names = new Set(catalog.contracts.flatMap(({ name, version }) => [name, versionedName(name, version)]));
  return Object.fromEntries(Object.entries(handlers).filter(([name]) => names.has(name)));
}
