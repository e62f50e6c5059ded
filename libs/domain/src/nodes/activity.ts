/** An activity is reached: its input is bound, checked and recorded, and the leaf waits for a worker. */
import { LIMITS, type ActivityNode } from '@graphrun/dsl';
import { bind } from '../behaviours/binding.js';
import { failScope } from '../behaviours/stopping.js';
import type { Failure } from '../events.js';
import { activationsLimit, historyLimit } from '../failures.js';
import type { ActivationId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Run, Scope } from '../state.js';

export function enterActivity(recorder: Recorder, scope: Scope, key: string, node: ActivityNode): void {
  const { run } = recorder;
  const limit = reachedLimit(run);
  if (limit !== null) return failScope(recorder, scope, limit);
  const schema = run.program.contract(node.activity).inputSchema;
  const bound = bind(run, scope, node.input, schema, `nodes.${key}.input`);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  recorder.record({
    kind: 'activity_activated',
    activation: `a${run.leaves.size + 1}` as ActivationId,
    scope: scope.id,
    node: key,
    input: bound.value,
  });
}

/** Limits hold new work back; what is under way still settles, in the history's reserve if need be. */
function reachedLimit(run: Run): Failure | null {
  if (run.leaves.size >= LIMITS.activationsPerRun) return activationsLimit();
  if (run.historyBytes >= LIMITS.historyBytes) return historyLimit(run.historyBytes);
  return null;
}
