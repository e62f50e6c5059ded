export { ActivityError } from './activity-error.js';
export { AttemptAborted } from './attempt-aborted.js';
export type { AbortCause } from './attempt-aborted.js';
export { defineHandlers, defineReconcilers, handlersOf, reconcilersOf } from './define-handlers.js';
export type {
  AnyHandler,
  AnyReconciler,
  HandlerEntry,
  HandlerMap,
  HandlerWithOptions,
  ReconcilerEntry,
  ReconcilerMap,
  ReconcilerWithOptions,
} from './define-handlers.js';
export { blocking } from './handler.js';
export type { ActivityContext, ActivityHandler, BlockingHandler, HandlerOptions, HandlerRole } from './handler.js';
export type { DrainReport } from './host.js';
export type { WorkerCatalog, WorkerMessaging, WorkerOptions } from './options.js';
export type { ProbeResult, ReconcilerHandler, ReconcilerOptions } from './reconciler.js';
export { createWorker, Worker } from './worker.js';
export type { AttemptStatus, WorkerState, WorkerStatus } from './worker.js';
