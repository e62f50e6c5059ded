/**
 * Which function applies which event. One function for each kind and version, in the file of its concept. A function
 * that has shipped is never edited: a changed meaning is another version with another function (spec 09 "old histories").
 */
import type { BodyOf, EventKind, RunEvent } from '../events.js';
import type { ProgramSource } from '../program-source.js';
import type { Run } from '../state.js';
import { activityActivatedV1, activityCancelledV1, activityFailedV1, activitySucceededV1 } from './activity.js';
import { attemptFailedV1, attemptGrantedV1, attemptLostV1, lateResultObservedV1 } from './attempt.js';
import {
  chooseEnteredV1,
  containerCancelledV1,
  containerCompletedV1,
  containerFailedV1,
  containerFailingV1,
  foreachEnteredV1,
  loopEnteredV1,
  parallelEnteredV1,
  sagaEnteredV1,
} from './container.js';
import { interventionRequiredV1, interventionResolvedV1 } from './intervention.js';
import { probeAnsweredV1, probeStartedV1, reconciliationRequestedV1 } from './reconciliation.js';
import { runReopenedV1 } from './reopen.js';
import { retryDueV1, retryScheduledV1 } from './retry.js';
import {
  runCancelledV1,
  runContinuedV1,
  runFailedV1,
  runPausedV1,
  runResumedV1,
  runStopIntendedV1,
  runStopRepeatedV1,
  runSucceededV1,
  runTerminatedV1,
} from './run.js';
import {
  compensationBlockedV1,
  compensationCompletedV1,
  compensationStartedV1,
  obligationAbandonedV1,
  obligationBlockedV1,
  obligationIrreversibleV1,
  obligationRegisteredV1,
  obligationsReleasedV1,
  obligationsTransferredV1,
  sagaAbortStartedV1,
} from './saga.js';
import {
  bodyOpenedV1,
  errorRoutedV1,
  scopeCancelledV1,
  scopeCompletedV1,
  scopeFailedV1,
  scopeFailingV1,
  scopeOpenedV1,
} from './scope.js';
import { signalAcceptedV1, signalExpiredV1 } from './signal.js';
import { timerFiredV1, timerSetV1, waitCancelledV1, waitOpenedV1, waitSatisfiedV1, waitTimedOutV1 } from './wait.js';

/** `programs` is where an event that names another definition finds it. */
export type Applier<K extends EventKind> = (
  run: Run,
  body: BodyOf<K>,
  event: RunEvent,
  programs: ProgramSource,
) => void;

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
  run_paused: { 1: runPausedV1 },
  run_resumed: { 1: runResumedV1 },
  run_continued: { 1: runContinuedV1 },
  run_terminated: { 1: runTerminatedV1 },
  run_reopened: { 1: runReopenedV1 },
  body_opened: { 1: bodyOpenedV1 },
  scope_failing: { 1: scopeFailingV1 },
  error_routed: { 1: errorRoutedV1 },
  choose_entered: { 1: chooseEnteredV1 },
  loop_entered: { 1: loopEnteredV1 },
  foreach_entered: { 1: foreachEnteredV1 },
  parallel_entered: { 1: parallelEnteredV1 },
  saga_entered: { 1: sagaEnteredV1 },
  container_completed: { 1: containerCompletedV1 },
  container_failing: { 1: containerFailingV1 },
  container_failed: { 1: containerFailedV1 },
  container_cancelled: { 1: containerCancelledV1 },
  timer_set: { 1: timerSetV1 },
  timer_fired: { 1: timerFiredV1 },
  wait_opened: { 1: waitOpenedV1 },
  wait_satisfied: { 1: waitSatisfiedV1 },
  wait_timed_out: { 1: waitTimedOutV1 },
  wait_cancelled: { 1: waitCancelledV1 },
  signal_accepted: { 1: signalAcceptedV1 },
  signal_expired: { 1: signalExpiredV1 },
  obligation_registered: { 1: obligationRegisteredV1 },
  obligation_blocked: { 1: obligationBlockedV1 },
  obligation_irreversible: { 1: obligationIrreversibleV1 },
  obligations_transferred: { 1: obligationsTransferredV1 },
  obligations_released: { 1: obligationsReleasedV1 },
  saga_abort_started: { 1: sagaAbortStartedV1 },
  compensation_started: { 1: compensationStartedV1 },
  compensation_completed: { 1: compensationCompletedV1 },
  compensation_blocked: { 1: compensationBlockedV1 },
  obligation_abandoned: { 1: obligationAbandonedV1 },
  reconciliation_requested: { 1: reconciliationRequestedV1 },
  probe_started: { 1: probeStartedV1 },
  probe_answered: { 1: probeAnsweredV1 },
  intervention_resolved: { 1: interventionResolvedV1 },
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
  run_paused: 1,
  run_resumed: 1,
  run_continued: 1,
  run_terminated: 1,
  run_reopened: 1,
  body_opened: 1,
  scope_failing: 1,
  error_routed: 1,
  choose_entered: 1,
  loop_entered: 1,
  foreach_entered: 1,
  parallel_entered: 1,
  saga_entered: 1,
  container_completed: 1,
  container_failing: 1,
  container_failed: 1,
  container_cancelled: 1,
  timer_set: 1,
  timer_fired: 1,
  wait_opened: 1,
  wait_satisfied: 1,
  wait_timed_out: 1,
  wait_cancelled: 1,
  signal_accepted: 1,
  signal_expired: 1,
  obligation_registered: 1,
  obligation_blocked: 1,
  obligation_irreversible: 1,
  obligations_transferred: 1,
  obligations_released: 1,
  saga_abort_started: 1,
  compensation_started: 1,
  compensation_completed: 1,
  compensation_blocked: 1,
  obligation_abandoned: 1,
  reconciliation_requested: 1,
  probe_started: 1,
  probe_answered: 1,
  intervention_resolved: 1,
};
