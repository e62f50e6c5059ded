/** `choose`: the first case that holds is taken, and stands in the history; bodies that are not taken create nothing. */
import type { ChooseNode } from '@graphrun/dsl';
import { bind, decideCondition } from '../behaviours/binding.js';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextActivation } from './numbering.js';

export function enterChoose(recorder: Recorder, scope: Scope, key: string, node: ChooseNode): void {
  const { run } = recorder;
  const bound = bind(run, scope, node.input, node.default.inputSchema, `nodes.${key}.input`);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  let chosen: number | null = null;
  for (const [index, { name, when }] of node.cases.entries()) {
    const decided = decideCondition(run, scope, when, `case "${name}" of nodes.${key}`);
    if (!decided.ok) return failScope(recorder, scope, decided.failure);
    if (!decided.value) continue;
    chosen = index;
    break;
  }
  const activation = nextActivation(run);
  recorder.record({ kind: 'choose_entered', activation, scope: scope.id, node: key, input: bound.value, chosen });
}
