/** Brings a service back whenever it has ended, as systemd or Kubernetes would. */
import { eventually } from '@graphrun/testing';
import type { Service } from '@graphrun/testing';

const BACK_WITHIN_MS = 20_000;

export class Supervisor {
  #restarts = 0;
  #released = false;
  readonly #watching: Promise<void>;

  constructor(private readonly service: Service) {
    this.#watching = this.#watch();
  }

  /** How often the service has ended by itself. */
  get restarts(): number {
    return this.#restarts;
  }

  /** From here on the service stays down when it ends. The service is stopped by this. */
  async release(): Promise<void> {
    this.#released = true;
    await this.service.stop();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    for (;;) {
      await this.service.running.exited;
      if (this.#released) return;
      this.#restarts += 1;
      // It may end again before it has said that it is ready: work waits for it.
      await eventually(`${this.service.name} is back`, () => this.#bringBack(), BACK_WITHIN_MS);
    }
  }

  async #bringBack(): Promise<boolean> {
    if (this.#released) return true;
    await this.service.restart();
    return true;
  }
}
