/** `while`, `do_while` and `repeat` are reached: the first carry and the count are captured once. */
import type { DoWhileNode, RepeatNode, WhileNode } from '@graphrun/dsl';
import { bind, bindInteger } from '../behaviours/binding.js';
import { failNode, failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextActivation } from './numbering.js';

export function enterLoop(recorder: Recorder, scope: Scope, key: string, node: WhileNode | DoWhileNode): void {
  open(recorder, scope, key, node, {});
}

/** A count that is no integer from 0 to the limit fails the node before any body. */
export function enterRepeat(recorder: Recorder, scope: Scope, key: string, node: RepeatNode): void {
  const range = { min: 0, max: node.maxIterations };
  const count = bindInteger(recorder.run, scope, node.count, range, `nodes.${key}.count`);
  if (count.ok) return open(recorder, scope, key, node, { count: count.value });
  if (count.failure.code === 'binding.missing') failScope(recorder, scope, count.failure);
  else failNode(recorder, scope, key, count.failure);
}

function open(
  recorder: Recorder,
  scope: Scope,
  key: string,
  node: WhileNode | DoWhileNode | RepeatNode,
  counted: { readonly count?: number },
): void {
  const { run } = recorder;
  const bound = bind(run, scope, node.state, node.stateSchema, `nodes.${key}.state`);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  const activation = nextActivation(run);
  recorder.record({ kind: 'loop_entered', activation, scope: scope.id, node: key, state: bound.value, ...counted });
}
