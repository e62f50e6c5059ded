/** Stop intents and the end they lead to (spec 02 "Stop intents"). */
import type { Failure, StopIntent } from '../events.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { stopOf } from '../status.js';

/**
 * The first committed intent fixes how the run ends; a later one is recorded once for each kind, so that repeating it
 * cannot fill the history.
 */
export function intendStop(recorder: Recorder, intent: StopIntent, failure: Failure): void {
  const { run } = recorder;
  if (stopOf(run) === null) recorder.record({ kind: 'run_stop_intended', intent, failure });
  else if (!run.repeatedStops.has(intent)) recorder.record({ kind: 'run_stop_repeated', intent, failure });
}

/**
 * A failure inside a scope that still goes forward. The root's failure is an intent of the run; a child's failure will
 * settle its own subtree and go to its owner. While the scope stops already, the failure stays what its own event says.
 */
export function failScope(recorder: Recorder, scope: Scope, failure: Failure): void {
  if (scope.status.kind !== 'open') return;
  intendStop(recorder, 'failure', failure);
}

/** Everything is settled: the scopes end, innermost first, and the run with them. */
export function endStoppedRun(recorder: Recorder): void {
  const stop = stopOf(recorder.run);
  if (stop === null) throw new Error(`run ${recorder.run.id} is to end without a stop intent`);
  for (const scope of [...recorder.run.scopes.values()].reverse()) {
    if (scope.status.kind !== 'settling') continue;
    const own = scope.status.failure;
    if (own === null) recorder.record({ kind: 'scope_cancelled', scope: scope.id });
    else recorder.record({ kind: 'scope_failed', scope: scope.id, failure: own });
  }
  const { intent, failure } = stop;
  recorder.record(intent === 'failure' ? { kind: 'run_failed', failure } : { kind: 'run_cancelled', failure });
}
