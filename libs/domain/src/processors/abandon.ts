/** `abandon` gives up on what a stopping saga still owes; the run then ends `failed` with `saga.abandoned`. */
import type { AbandonCommand, Decision } from '../commands.js';
import type { Recorder } from '../recorder.js';
import type { Obligation, Run } from '../state.js';
import { isTerminal } from '../status.js';
import { ACCEPTED, rejected } from './answers.js';
import { refuseStale } from './operator.js';

export function abandon(recorder: Recorder, { reason, expectedSeq }: AbandonCommand): Decision {
  const { run } = recorder;
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  const refusal = refuseStale(run, expectedSeq);
  if (refusal !== null) return refusal;
  const owed = [...run.obligations.values()].filter((obligation) => isAbandonable(run, obligation));
  if (owed.length === 0) {
    return rejected('FailedPrecondition', `run ${run.id} undoes nothing: there is no compensation to abandon`);
  }
  for (const { forward } of owed) recorder.record({ kind: 'obligation_abandoned', activation: forward, reason });
  return ACCEPTED;
}

/** What is owed by a saga that is aborting and was not undone. */
function isAbandonable(run: Run, { saga, status }: Obligation): boolean {
  if (saga === null || run.containers.get(saga)?.status.kind !== 'settling') return false;
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
