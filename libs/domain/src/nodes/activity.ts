/** An activity is reached: its input is bound, checked and recorded, and the leaf waits for a worker. */
import type { ActivityNode } from '@graphrun/dsl';
import { bind } from '../behaviours/binding.js';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextActivation } from './numbering.js';

export function enterActivity(recorder: Recorder, scope: Scope, key: string, node: ActivityNode): void {
  const { run } = recorder;
  const schema = run.program.contract(node.activity).inputSchema;
  const bound = bind(run, scope, node.input, schema, `nodes.${key}.input`);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  recorder.record({
    kind: 'activity_activated',
    activation: nextActivation(run),
    scope: scope.id,
    node: key,
    input: bound.value,
  });
}
