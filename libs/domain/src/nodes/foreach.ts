/** `foreach` is reached: its items are captured once. What is no array, or too long, fails the node before any body. */
import { evaluate, type ForeachNode } from '@graphrun/dsl';
import { bind } from '../behaviours/binding.js';
import { failNode, failScope } from '../behaviours/failing.js';
import { engineFailure } from '../failures.js';
import { frameOf } from '../frame.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextActivation } from './numbering.js';

export function enterForeach(recorder: Recorder, scope: Scope, key: string, node: ForeachNode): void {
  const { run } = recorder;
  const what = `nodes.${key}.items`;
  const found = evaluate(node.items, frameOf(run, scope));
  if (found.ok && !Array.isArray(found.value)) {
    return failNode(recorder, scope, key, engineFailure('binding.kind', `${what} is not an array`));
  }
  if (found.ok && Array.isArray(found.value) && found.value.length > node.maxItems) {
    const message = `${what} has ${found.value.length} items, more than ${node.maxItems}`;
    return failNode(recorder, scope, key, engineFailure('binding.range', message));
  }
  const bound = bind(run, scope, node.items, { array: node.itemSchema }, what);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  if (!Array.isArray(bound.value)) throw new Error(`${what} has fitted an array schema, but is none`);
  const items = bound.value;
  recorder.record({ kind: 'foreach_entered', activation: nextActivation(run), scope: scope.id, node: key, items });
}
