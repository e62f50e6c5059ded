/**
 * A simulated process: what it runs goes on only through steps that belong to it. One that is dead takes no step any more,
 * so whatever its code still awaits never comes; one that is frozen takes them later.
 */
import type { Clock } from '@graphrun/runtime';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

export class Process {
  alive = true;
  /** True time until which it takes no step. */
  frozenUntil = 0;
  /** True time until which nothing of the messaging reaches it or leaves it. */
  cutUntil = 0;
  /** What its wall clock is ahead of true time, ms. */
  skewMs = 0;
  readonly bornAt: number;
  readonly clock: Clock;

  constructor(
    readonly name: string,
    readonly scheduler: Scheduler,
    readonly random: Random,
  ) {
    this.bornAt = scheduler.now;
    this.clock = {
      now: () => scheduler.now + this.skewMs,
      // From another start than the wall clock, as real ones are.
      monotonic: () => scheduler.now - this.bornAt + 1000,
      after: (delayMs, action) => scheduler.at(delayMs, this, 'timer', action),
    };
  }

  get frozen(): boolean {
    return this.frozenUntil > this.scheduler.now;
  }

  get cut(): boolean {
    return this.cutUntil > this.scheduler.now;
  }

  kill(): void {
    this.alive = false;
  }

  /**
   * A request to a server: it arrives, is served, and its answer comes back, each a step of its own. A request of a process
   * that dies meanwhile is served or not, as it happens.
   */
  request<T>(label: string, latency: Latency, serve: () => T): Promise<T> {
    const { scheduler, random } = this;
    return new Promise<T>((resolve, reject) => {
      if (!this.alive) return;
      scheduler.at(latency.there, null, `${label} of ${this.name} arrives`, () => {
        if (!this.alive && random.chance(0.5)) return;
        let settle: () => void;
        try {
          const value = serve();
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error instanceof Error ? error : new Error(String(error)));
        }
        scheduler.at(latency.back, this, `${label} is answered`, settle);
      });
    });
  }
}

export interface Latency {
  readonly there: number;
  readonly back: number;
}
