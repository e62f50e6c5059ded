/** `timer` says that a recorded time has come. It resolves only against what waits for exactly that time now. */
import { intendStop } from '../behaviours/stopping.js';
import type { Decision, TimerCommand } from '../commands.js';
import { engineFailure } from '../failures.js';
import type { ActivationId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import { isTerminal, stopOf } from '../status.js';
import { ACCEPTED, rejected, stale } from './answers.js';

export function timer(recorder: Recorder, command: TimerCommand): Decision {
  if (recorder.now < command.dueAt) return stale(`it is ${recorder.now}, before ${command.dueAt}`);
  return command.activation === null
    ? runDeadline(recorder, command.dueAt)
    : retryDue(recorder, command.activation, command.dueAt);
}

/** Any stop intent disarms the run's deadline. */
function runDeadline(recorder: Recorder, dueAt: number): Decision {
  const { run } = recorder;
  if (isTerminal(run.status)) return stale(`the run has ${run.status.kind}`);
  if (run.deadline !== dueAt) return stale(`the run has no deadline at ${dueAt}`);
  if (stopOf(run) !== null) return stale('the run is stopping already');
  const timeoutMs = dueAt - run.admittedAt;
  intendStop(
    recorder,
    'timeout',
    engineFailure('run.timeout', `the run did not end within ${timeoutMs} ms of its start`),
  );
  return ACCEPTED;
}

function retryDue(recorder: Recorder, activation: ActivationId, dueAt: number): Decision {
  const { run } = recorder;
  const leaf = run.leaves.get(activation);
  if (leaf === undefined) return rejected('NotFound', `run ${run.id} has no activation ${activation}`);
  if (leaf.status.kind !== 'retry_wait' || leaf.status.dueAt !== dueAt) {
    return stale(`${activation} does not wait for ${dueAt}: it is ${leaf.status.kind}`);
  }
  if (stopOf(run) !== null) return stale('the run is stopping and starts nothing more');
  recorder.record({ kind: 'retry_due', activation });
  return ACCEPTED;
}
