/** The worker as its users see it: handlers are registered, then it is started, drained and closed. */
import type { Role, SessionId } from '@graphrun/domain';
import { LIMITS, POLICIES } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import { GraphrunError, newSessionId } from '@graphrun/protocol';
import { systemClock } from '@graphrun/runtime';
import type { HandlerMap, ReconcilerMap } from './define-handlers.js';
import type { ActivityHandler, BlockingHandler, HandlerOptions } from './handler.js';
import { readiness, liveness } from './health.js';
import { Host } from './host.js';
import type { DrainReport } from './host.js';
import type { WorkerOptions } from './options.js';
import type { ReconcilerHandler, ReconcilerOptions } from './reconciler.js';
import { Registrations } from './registrations.js';

const DEFAULT_SLOTS = 32;
const DEFAULT_LAX_THRESHOLD_MS = 200;

export type WorkerState = 'new' | 'running' | 'draining' | 'closed';

/** What a status page shows of an attempt in hand. */
export interface AttemptStatus {
  readonly run: string;
  readonly activation: string;
  readonly activity: string;
  readonly version: number;
  readonly role: Role;
  readonly attempt: number;
  readonly phase: 'claiming' | 'running' | 'reporting' | 'over';
  /** Details of the last heartbeat. */
  readonly details: Json | null;
}

export interface WorkerStatus {
  readonly session: SessionId;
  readonly worker: string;
  readonly state: WorkerState;
  readonly running: number;
  /** Claims and reports without a receipt. */
  readonly unreceipted: number;
  readonly attempts: readonly AttemptStatus[];
  /** Why a supervisor should restart the process; empty when it is alive and gets its work done. */
  readonly notAlive: readonly string[];
  /** Why it takes no work, or cannot bring it home, now; empty when ready. */
  readonly notReady: readonly string[];
}

export class Worker {
  /** This process from its start to its end; a restarted worker is another session. */
  readonly session: SessionId;
  readonly #options: WorkerOptions;
  readonly #registrations: Registrations;
  readonly #maxRunning: number;
  #state: WorkerState = 'new';
  #host: Host | null = null;
  #ending: Promise<DrainReport> | null = null;

  /** Throws GraphrunError `InvalidArgument` for settings that are out of range. */
  constructor(options: WorkerOptions) {
    this.#options = options;
    this.session = newSessionId(options.principal);
    this.#maxRunning = options.maxRunning ?? LIMITS.activeLeavesPerWorker;
    if (
      !Number.isSafeInteger(this.#maxRunning) ||
      this.#maxRunning < 1 ||
      this.#maxRunning > LIMITS.activeLeavesPerWorker
    ) {
      throw new GraphrunError(
        'InvalidArgument',
        `maxRunning must be 1 to ${LIMITS.activeLeavesPerWorker}, not ${this.#maxRunning}`,
      );
    }
    this.#registrations = new Registrations(
      options.catalog,
      options.slots ?? Math.min(DEFAULT_SLOTS, this.#maxRunning),
    );
  }

  get state(): WorkerState {
    return this.#state;
  }

  /**
   * Registers a handler for one version of an activity. Throws GraphrunError `InvalidArgument` when the catalog has no
   * such activity or its execution asks for another kind of handler, `AlreadyExists` for a second handler,
   * `FailedPrecondition` once the worker is started: capabilities are announced at the start.
   */
  handle<Input = Json, Output = unknown>(
    name: string,
    version: number,
    handler: ActivityHandler<Input, Output> | BlockingHandler,
    options: HandlerOptions<Input> = {},
  ): this {
    this.#mustBeNew();
    this.#registrations.add(name, version, handler, options);
    return this;
  }

  /**
   * Registers a reconciler: a handler that answers for the effects of the one activity that the catalog names for it.
   * Throws as `handle` does.
   */
  reconcile<Input = Json, Output = unknown>(
    name: string,
    version: number,
    reconciler: ReconcilerHandler<Input, Output> | BlockingHandler,
    options: ReconcilerOptions<Input> = {},
  ): this {
    this.#mustBeNew();
    this.#registrations.addReconciler(name, version, reconciler, options);
    return this;
  }

  /**
   * Registers what a module exports: all that the catalog knows, or exactly `activities` (`name` or `name/vN`), each with the
   * reconcilers that answer for it. A reconciler may also be named by itself.
   */
  handleAll(handlers: HandlerMap, activities: readonly string[] | null = null, reconcilers: ReconcilerMap = {}): this {
    this.#mustBeNew();
    this.#registrations.addAll(handlers, activities, reconcilers);
    return this;
  }

  /** Opens the session and takes work. Throws GraphrunError `Unavailable` when the transport is not there. */
  async start(): Promise<void> {
    this.#mustBeNew();
    const { fallback, messaging, worker, principal, logger } = this.#options;
    if (fallback !== undefined) this.#registrations.addFallback(fallback);
    if (this.#registrations.all().length === 0) {
      throw new GraphrunError(
        'FailedPrecondition',
        'the worker has no handler: register one with handle() before start()',
      );
    }
    this.#state = 'running';
    try {
      this.#host = await Host.open({
        messaging,
        worker,
        principal,
        logger,
        registrations: this.#registrations,
        session: this.session,
        maxRunning: this.#maxRunning,
        laxThresholdMs: this.#options.laxThresholdMs ?? DEFAULT_LAX_THRESHOLD_MS,
        clock: this.#options.clock ?? systemClock,
        random: this.#options.random ?? Math.random,
      });
    } catch (error) {
      this.#state = 'new';
      throw error;
    }
  }

  /**
   * Finishes what runs, hands back the rest, waits for the receipts, ends the session; at most `timeoutMs`. Messaging is
   * the caller's to close afterwards. A second call joins the first.
   */
  drain(timeoutMs: number = POLICIES.drainMs): Promise<DrainReport> {
    const host = this.#host;
    if (this.#ending !== null) return this.#ending;
    this.#state = 'draining';
    this.#ending = (host === null ? Promise.resolve({ finished: 0, abandoned: 0 }) : host.drain(timeoutMs)).finally(
      () => {
        this.#state = 'closed';
      },
    );
    return this.#ending;
  }

  /** Ends the session at once, without waiting for what runs. After a drain it does nothing. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.#host?.close();
  }

  status(): WorkerStatus {
    const host = this.#host;
    const clock = this.#options.clock ?? systemClock;
    return {
      session: this.session,
      worker: this.#options.worker,
      state: this.#state,
      running: host?.running ?? 0,
      unreceipted: host?.requests.waiting ?? 0,
      attempts: (host?.attempts() ?? []).map(({ offer, phase, heartbeat }) => ({
        run: offer.run,
        activation: offer.activation,
        activity: offer.activity,
        version: offer.version,
        role: offer.role,
        attempt: offer.attempt,
        phase,
        details: heartbeat?.details ?? null,
      })),
      notAlive: host === null ? [] : liveness(host, clock.monotonic()),
      notReady:
        this.#state === 'running' && host !== null
          ? readiness(host, clock.monotonic())
          : [`the worker is ${this.#state}`],
    };
  }

  #mustBeNew(): void {
    if (this.#state === 'new') return;
    throw new GraphrunError('FailedPrecondition', `the worker is ${this.#state}: register handlers and start it once`);
  }
}

export function createWorker(options: WorkerOptions): Worker {
  return new Worker(options);
}
