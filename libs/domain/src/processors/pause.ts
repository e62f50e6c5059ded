/** `pause` holds every new claim and every new activation; `resume` lets them go on. Both are idempotent. */
import type { Decision, PauseCommand, ResumeCommand } from '../commands.js';
import type { Recorder } from '../recorder.js';
import { isTerminal } from '../status.js';
import { ACCEPTED, rejected, REPEATED } from './answers.js';
import { refuseStale } from './operator.js';

export function pause(recorder: Recorder, { reason, expectedSeq }: PauseCommand): Decision {
  const { run } = recorder;
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  if (run.paused !== null) return REPEATED;
  const refusal = refuseStale(run, expectedSeq);
  if (refusal !== null) return refusal;
  recorder.record({ kind: 'run_paused', reason });
  return ACCEPTED;
}

export function resume(recorder: Recorder, { reason, expectedSeq }: ResumeCommand): Decision {
  const { run } = recorder;
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  if (run.paused === null) return REPEATED;
  const refusal = refuseStale(run, expectedSeq);
  if (refusal !== null) return refusal;
  recorder.record({ kind: 'run_resumed', reason });
  return ACCEPTED;
}
