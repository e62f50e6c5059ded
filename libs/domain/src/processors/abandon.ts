/**
 * `abandon` gives up on what aborting sagas still owe. The run then ends `failed` with `saga.abandoned`, whatever error route
 * would have taken the failure: effects that nobody will undo are no failure that a definition has foreseen (spec 03
 * "Intervention").
 */
import { intendStop } from '../behaviours/stopping.js';
import type { AbandonCommand, Decision } from '../commands.js';
import type { Failure } from '../events.js';
import type { Recorder } from '../recorder.js';
import type { Container, Obligation, Run } from '../state.js';
import { aroundOf, containerOf, isTerminal, stopOf } from '../status.js';
import { ACCEPTED, rejected } from './answers.js';
import { refuseStale } from './operator.js';

export function abandon(recorder: Recorder, { reason, expectedSeq }: AbandonCommand): Decision {
  const { run } = recorder;
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  const refusal = refuseStale(run, expectedSeq);
  if (refusal !== null) return refusal;
  const owed = [...run.obligations.values()].filter((obligation) => isAbandonable(run, obligation));
  const [first] = owed;
  const saga = first === undefined ? undefined : run.containers.get(first.saga);
  if (saga === undefined) {
    return rejected('FailedPrecondition', `run ${run.id} undoes nothing: there is no compensation to abandon`);
  }
  for (const { forward } of owed) recorder.record({ kind: 'obligation_abandoned', activation: forward, reason });
  if (stopOf(run) === null) intendStop(recorder, 'failure', primaryFailure(run, saga));
  return ACCEPTED;
}

/** What is owed by a saga that is aborting and was not undone. */
function isAbandonable(run: Run, { saga, status }: Obligation): boolean {
  if (run.containers.get(saga)?.status.kind !== 'settling') return false;
  switch (status.kind) {
    case 'open':
    case 'compensating':
    case 'blocked_input':
    case 'blocked_execution':
      return true;
    default:
      return false;
  }
}

/** What the saga aborts for: its own failure, or that of the nearest container around it that has one. */
function primaryFailure(run: Run, saga: Container): Failure {
  let container: Container | null = saga;
  while (container?.status.kind === 'settling') {
    if (container.status.failure !== null) return container.status.failure;
    container = containerOf(run, aroundOf(run, container));
  }
  throw new Error(`saga ${saga.id} of run ${run.id} aborts for no failure, and the run does not stop`);
}
