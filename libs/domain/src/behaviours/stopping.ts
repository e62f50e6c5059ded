/** Stop intents and the end they lead to (spec 02 "Stop intents"). */
import type { Failure, StopIntent } from '../events.js';
import { engineFailure } from '../failures.js';
import type { Recorder } from '../recorder.js';
import type { Run } from '../state.js';
import { stopOf } from '../status.js';
import { compensationSummary } from './compensation-summary.js';
import { closeSettledScope } from './containers.js';

/**
 * The first committed intent fixes how the run ends; a later one is recorded once for each kind, so that repeating it
 * cannot fill the history.
 */
export function intendStop(recorder: Recorder, intent: StopIntent, failure: Failure): void {
  const { run } = recorder;
  if (stopOf(run) === null) recorder.record({ kind: 'run_stop_intended', intent, failure });
  else if (!run.repeatedStops.has(intent)) recorder.record({ kind: 'run_stop_repeated', intent, failure });
}

/** Everything is settled and undone: the root ends, and the run with it. */
export function endStoppedRun(recorder: Recorder): void {
  const { run } = recorder;
  const stop = stopOf(run);
  if (stop === null) throw new Error(`run ${run.id} is to end without a stop intent`);
  for (const scope of run.scopes.values()) {
    if (scope.owner === null && scope.status.kind === 'settling') closeSettledScope(recorder, scope);
  }
  const { intent } = stop;
  const summary = compensationSummary(run);
  const abandoned = summary !== null && hasAbandoned(run);
  const failure = abandoned
    ? engineFailure('saga.abandoned', `compensation was abandoned after ${stop.failure.code}: ${stop.failure.message}`)
    : stop.failure;
  const compensation = summary === null ? {} : { compensation: summary };
  const failed = intent === 'failure' || abandoned;
  recorder.record(
    failed ? { kind: 'run_failed', failure, ...compensation } : { kind: 'run_cancelled', failure, ...compensation },
  );
}

function hasAbandoned(run: Run): boolean {
  return [...run.obligations.values()].some(({ status }) => status.kind === 'abandoned');
}
