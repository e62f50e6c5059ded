/**
 * The transport of this microservice: the replicated command logs of the partitions it owns. Nest starts and stops it
 * like any other transport; messages come from JetStream in the order of each log.
 *
 * A command is no request that a handler answers: it is put into its partition's inbox and answered by receipt after
 * the commit. So the strategy hands over to the engine, which reads the logs, and what it publishes to handlers are the
 * events of operation (`@EventPattern('partitions')` and the like).
 */
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { Server } from '@nestjs/microservices';
import type { Coordinator, CoordinatorHealth } from '@graphrun/engine';

export const HEALTH_CHANGED = 'health.changed';

/** How often a change of health is looked for. */
const LOOK_MS = 1000;

export class CommandLogTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('graphrun-command-log');
  readonly #coordinator: Coordinator;
  #looking: NodeJS.Timeout | null = null;
  #last = '';

  constructor(coordinator: Coordinator) {
    super();
    this.#coordinator = coordinator;
  }

  listen(callback: (error?: unknown) => void): void {
    this.#coordinator.start().then(
      () => {
        this.#looking = setInterval(() => this.#look(), LOOK_MS);
        this.#look();
        callback();
      },
      (error: unknown) => callback(error),
    );
  }

  async close(): Promise<void> {
    if (this.#looking !== null) clearInterval(this.#looking);
    await this.#coordinator.stop();
  }

  on(): never {
    throw new Error('this transport has no events of its own; use @EventPattern handlers');
  }

  // The signature is Nest's: whoever unwraps says what the transport stands for.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  unwrap<T>(): T {
    return this.#coordinator as T;
  }

  #look(): void {
    const health = this.#coordinator.health();
    const text = JSON.stringify(health);
    if (text === this.#last) return;
    this.#last = text;
    const handler = this.getHandlerByPattern(HEALTH_CHANGED);
    if (handler === null) return;
    Promise.resolve(handler(health satisfies CoordinatorHealth)).catch((error: unknown) =>
      this.handleError(String(error)),
    );
  }
}
