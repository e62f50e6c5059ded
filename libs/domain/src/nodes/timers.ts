/** `delay` and `wait_until` are reached: the moment is chosen once and recorded; one that has passed is there at once. */
import { POLICIES, type DelayNode, type WaitUntilNode } from '@graphrun/dsl';
import { bindInteger, type Bound } from '../behaviours/binding.js';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextWait } from './numbering.js';

export function enterDelay(recorder: Recorder, scope: Scope, key: string, node: DelayNode): void {
  const range = { min: 1, max: POLICIES.waitMaxMs };
  const bound = bindInteger(recorder.run, scope, node.duration, range, `nodes.${key}.duration`);
  wait(recorder, scope, key, bound.ok ? { ok: true, value: recorder.now + bound.value } : bound);
}

export function enterWaitUntil(recorder: Recorder, scope: Scope, key: string, node: WaitUntilNode): void {
  const range = { min: 0, max: Number.MAX_SAFE_INTEGER };
  wait(recorder, scope, key, bindInteger(recorder.run, scope, node.at, range, `nodes.${key}.at`));
}

function wait(recorder: Recorder, scope: Scope, key: string, due: Bound<number>): void {
  if (!due.ok) return failScope(recorder, scope, due.failure);
  const id = nextWait(recorder.run);
  recorder.record({ kind: 'timer_set', wait: id, scope: scope.id, node: key, dueAt: due.value });
  if (due.value <= recorder.now) recorder.record({ kind: 'timer_fired', wait: id });
}
