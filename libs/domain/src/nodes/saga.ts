/** `saga` is reached: from here on every external success in its body leaves an obligation. */
import type { SagaNode } from '@graphrun/dsl';
import { bind } from '../behaviours/binding.js';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextActivation } from './numbering.js';

export function enterSaga(recorder: Recorder, scope: Scope, key: string, node: SagaNode): void {
  const { run } = recorder;
  const bound = bind(run, scope, node.input, node.body.inputSchema, `nodes.${key}.input`);
  if (!bound.ok) return failScope(recorder, scope, bound.failure);
  const activation = nextActivation(run);
  recorder.record({ kind: 'saga_entered', activation, scope: scope.id, node: key, input: bound.value });
}
