/** `parallel` is reached: the inputs of all branches are frozen before any work begins. */
import type { Json, ParallelNode } from '@graphrun/dsl';
import { bind } from '../behaviours/binding.js';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextActivation } from './numbering.js';

export function enterParallel(recorder: Recorder, scope: Scope, key: string, node: ParallelNode): void {
  const { run } = recorder;
  const inputs: Json[] = [];
  for (const { name, input, body } of node.branches) {
    const bound = bind(run, scope, input, body.inputSchema, `input of branch "${name}" of nodes.${key}`);
    if (!bound.ok) return failScope(recorder, scope, bound.failure);
    inputs.push(bound.value);
  }
  recorder.record({ kind: 'parallel_entered', activation: nextActivation(run), scope: scope.id, node: key, inputs });
}
