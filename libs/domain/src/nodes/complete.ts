/** `complete` returns from the region: to the container that owns it, or, in the root, from the run. */
import type { CompleteNode } from '@graphrun/dsl';
import { bind } from '../behaviours/binding.js';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { regionOf } from '../status.js';

export function enterComplete(recorder: Recorder, scope: Scope, key: string, node: CompleteNode): void {
  const { run } = recorder;
  const bound = bind(run, scope, node.output, regionOf(run, scope).outputSchema, `nodes.${key}.output`);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  recorder.record({ kind: 'scope_completed', scope: scope.id, output: bound.value });
  if (scope.owner === null) recorder.record({ kind: 'run_succeeded', output: bound.value });
}
