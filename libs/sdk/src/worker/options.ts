/** Settings of a worker. They change resources and timing only, never the meaning of a run (spec 06). */
import type { Contract, Json, Reconciler } from '@graphrun/dsl';
import type { ChangeFeed, CommandLog, WorkQueue } from '@graphrun/messaging';
import type { Clock, Logger } from '@graphrun/runtime';
import type { AnyHandler } from './define-handlers.js';

/** The worker's side of the messaging ports. */
export interface WorkerMessaging {
  readonly log: Pick<CommandLog, 'publish'>;
  readonly queue: Pick<WorkQueue, 'openSession'>;
  readonly feed: Pick<ChangeFeed, 'openInbox'>;
}

/** Contracts, the schemas they name, and who answers for which: what worker and engine must agree on. */
export interface WorkerCatalog {
  readonly contracts: readonly Contract[];
  readonly reconcilers: readonly Reconciler[];
  /** JSON Schemas by `name/vN`. */
  readonly schemas: { readonly [nameAndVersion: string]: Json };
}

export interface WorkerOptions {
  readonly messaging: WorkerMessaging;
  readonly catalog: WorkerCatalog;
  /** Stable name over restarts, such as `payments-0`. */
  readonly worker: string;
  /** Whom the transport has authenticated this worker as. */
  readonly principal: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Attempts of one activity at once, where its handler does not say otherwise; default 32. */
  readonly slots?: number;
  /** Attempts of all activities at once; default and most 128 (spec 06). */
  readonly maxRunning?: number;
  /** How long work without a grant may run before it is claimed; default 200. */
  readonly laxThresholdMs?: number;
  /** Runs every activity of the catalog that has no handler of its own: for embedded mode and demonstrations. */
  readonly fallback?: AnyHandler;
  /** Numbers in [0, 1) for the jitter of repeats; default `Math.random`. */
  readonly random?: () => number;
}
