/** `cancel` is an intent: the run ends once everything under way is settled. */
import { intendStop } from '../behaviours/stopping.js';
import type { CancelCommand, Decision } from '../commands.js';
import { engineFailure } from '../failures.js';
import type { Recorder } from '../recorder.js';
import { isTerminal } from '../status.js';
import { ACCEPTED, rejected } from './answers.js';

export function cancel(recorder: Recorder, command: CancelCommand): Decision {
  const { run } = recorder;
  if (isTerminal(run.status)) {
    const how = 'failure' in run.status ? `${run.status.kind} (${run.status.failure.code})` : run.status.kind;
    return rejected('FailedPrecondition', `run ${run.id} has ended already: it ${how}; there is nothing to cancel`);
  }
  intendStop(recorder, 'cancel', engineFailure('run.cancelled', command.reason));
  return ACCEPTED;
}
