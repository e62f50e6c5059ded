/**
 * Which function applies which event. One function for each kind and version, in the file of its concept. A function
 * that has shipped is never edited: a changed meaning is another version with another function (spec 09 "old histories").
 */
import type { BodyOf, EventKind, RunEvent } from '../events.js';
import type { Run } from '../state.js';
import { activityActivatedV1, activityCancelledV1, activityFailedV1, activitySucceededV1 } from './activity.js';
import { attemptFailedV1, attemptGrantedV1, attemptLostV1, lateResultObservedV1 } from './attempt.js';
import { interventionRequiredV1 } from './intervention.js';
import { retryDueV1, retryScheduledV1 } from './retry.js';
import { runCancelledV1, runFailedV1, runStopIntendedV1, runStopRepeatedV1, runSucceededV1 } from './run.js';
import { scopeCancelledV1, scopeCompletedV1, scopeFailedV1, scopeOpenedV1 } from './scope.js';

export type Applier<K extends EventKind> = (run: Run, body: BodyOf<K>, event: RunEvent) => void;

/** `run_admitted` makes the run that the others change: see `admission.ts`. */
export type ChangingKind = Exclude<EventKind, 'run_admitted'>;

export type Appliers = { readonly [K in ChangingKind]: { readonly [version: number]: Applier<K> } };

export const APPLIERS: Appliers = {
  run_stop_intended: { 1: runStopIntendedV1 },
  run_stop_repeated: { 1: runStopRepeatedV1 },
  run_succeeded: { 1: runSucceededV1 },
  run_failed: { 1: runFailedV1 },
  run_cancelled: { 1: runCancelledV1 },
  scope_opened: { 1: scopeOpenedV1 },
  scope_completed: { 1: scopeCompletedV1 },
  scope_failed: { 1: scopeFailedV1 },
  scope_cancelled: { 1: scopeCancelledV1 },
  activity_activated: { 1: activityActivatedV1 },
  activity_succeeded: { 1: activitySucceededV1 },
  activity_failed: { 1: activityFailedV1 },
  activity_cancelled: { 1: activityCancelledV1 },
  attempt_granted: { 1: attemptGrantedV1 },
  attempt_lost: { 1: attemptLostV1 },
  attempt_failed: { 1: attemptFailedV1 },
  late_result_observed: { 1: lateResultObservedV1 },
  retry_scheduled: { 1: retryScheduledV1 },
  retry_due: { 1: retryDueV1 },
  intervention_required: { 1: interventionRequiredV1 },
};

/** The version in which each kind is written today. */
export const EVENT_VERSIONS: { readonly [K in EventKind]: number } = {
  run_admitted: 1,
  run_stop_intended: 1,
  run_stop_repeated: 1,
  run_succeeded: 1,
  run_failed: 1,
  run_cancelled: 1,
  scope_opened: 1,
  scope_completed: 1,
  scope_failed: 1,
  scope_cancelled: 1,
  activity_activated: 1,
  activity_succeeded: 1,
  activity_failed: 1,
  activity_cancelled: 1,
  attempt_granted: 1,
  attempt_lost: 1,
  attempt_failed: 1,
  late_result_observed: 1,
  retry_scheduled: 1,
  retry_due: 1,
  intervention_required: 1,
};
