/** One run of a handler: its context, its abort, and the outcome to report. */
import type { ReportOutcome } from '@graphrun/domain';
import type { Offer } from '@graphrun/protocol';
import type { Logger } from '@graphrun/runtime';
import { withFields } from '@graphrun/runtime';
import { AttemptAborted } from './attempt-aborted.js';
import type { AbortCause } from './attempt-aborted.js';
import type { ThreadPool } from './blocking/thread-pool.js';
import { isBlockingHandler } from './define-handlers.js';
import type { ActivityContext, ActivityHandler } from './handler.js';
import { heartbeatDetails } from './heartbeat.js';
import type { Heartbeat } from './heartbeat.js';
import {
  answeredOutcome,
  InputNotReadable,
  isShutdown,
  NotStarted,
  returnedOutcome,
  STOPPED,
  thrownOutcome,
} from './outcome.js';
import type { Registration } from './registrations.js';

export interface ExecutionServices {
  readonly threads: ThreadPool;
  readonly shuttingDown: AbortSignal;
  readonly logger: Logger;
  /** Monotonic ms. */
  monotonic(): number;
}

export class Execution {
  readonly #offer: Offer;
  readonly #registration: Registration;
  readonly #services: ExecutionServices;
  readonly #controller = new AbortController();
  #abortedAt: number | null = null;
  #heartbeat: Heartbeat | null = null;
  /** UTC ms; a grant that comes while the handler runs replaces the estimate. */
  deadline: number;

  constructor(offer: Offer, registration: Registration, deadline: number, services: ExecutionServices) {
    this.#offer = offer;
    this.#registration = registration;
    this.#services = services;
    this.deadline = deadline;
  }

  /** Monotonic ms at which the handler was asked to stop, or null. */
  get abortedAt(): number | null {
    return this.#abortedAt;
  }

  get heartbeat(): Heartbeat | null {
    return this.#heartbeat;
  }

  /** The first cause stands. */
  abort(why: AbortCause): void {
    if (this.#abortedAt !== null) return;
    this.#abortedAt = this.#services.monotonic();
    this.#controller.abort(new AttemptAborted(why));
  }

  /** Resolves when the handler has ended, whatever became of it. Never rejects. */
  async run(): Promise<ReportOutcome> {
    const { contract, key } = this.#registration;
    if (key.role === 'reconciliation') return this.#probe();
    try {
      return returnedOutcome(await this.#call());
    } catch (error) {
      return thrownOutcome(error, contract);
    }
  }

  /** A reconciler makes no effect, so one that stops for a shutdown is asked again elsewhere. */
  async #probe(): Promise<ReportOutcome> {
    try {
      return answeredOutcome(await this.#call());
    } catch (error) {
      if (isShutdown(error)) return STOPPED;
      if (error instanceof NotStarted) return { kind: 'returned', reason: error.message };
      this.#logger().warn({ err: error }, 'a reconciler gave no answer; its probe counts as unknown');
      return { kind: 'probed', answer: 'unknown' };
    }
  }

  async #call(): Promise<unknown> {
    const { handler } = this.#registration;
    const input = this.#decode();
    const context = this.#context();
    if (isBlockingHandler(handler)) return this.#services.threads.run({ handler, input, context });
    // What the handler wants is its author's word, checked by its decoder or by the schema of the contract.
    return (handler as ActivityHandler<unknown>)(input, context);
  }

  #decode(): unknown {
    const { decode, keyText } = this.#registration;
    if (decode === null) return this.#offer.input;
    try {
      return decode(this.#offer.input);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new InputNotReadable(`the decoder of ${keyText} refused the input: ${message}`, { cause });
    }
  }

  #context(): ActivityContext {
    const { effectKey, attempt } = this.#offer;
    const { signal } = this.#controller;
    const deadline = (): number => this.deadline;
    const logger = (): Logger => this.#logger();
    return {
      effectKey,
      subKey: (name) => `${effectKey}:${name}`,
      attempt,
      get deadline() {
        return deadline();
      },
      signal,
      get aborted() {
        return signal.aborted;
      },
      shuttingDown: this.#services.shuttingDown,
      get logger() {
        return logger();
      },
      heartbeat: (details) => {
        this.#heartbeat = { at: this.#services.monotonic(), details: heartbeatDetails(details) };
      },
    };
  }

  #logger(): Logger {
    const { run, activation, attempt, activity } = this.#offer;
    return withFields(this.#services.logger, { run, activation, attempt, activity });
  }
}
