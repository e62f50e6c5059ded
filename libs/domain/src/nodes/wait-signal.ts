/**
 * `wait_signal` is reached. One unresolved wait owns an address; a second one fails its region. The earliest signal that
 * it may take is taken in the same commit.
 */
import { byteLength, evaluate, LIMITS, type WaitSignalNode } from '@graphrun/dsl';
import { failScope } from '../behaviours/failing.js';
import { earliestFor, waitOn } from '../behaviours/inbox.js';
import { engineFailure } from '../failures.js';
import { frameOf } from '../frame.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { nextWait } from './numbering.js';

export function enterWaitSignal(recorder: Recorder, scope: Scope, key: string, node: WaitSignalNode): void {
  const { run } = recorder;
  const bound = evaluate(node.key, frameOf(run, scope));
  if (!bound.ok) return failScope(recorder, scope, engineFailure(bound.code, `nodes.${key}.key: ${bound.message}`));
  const address = bound.value;
  if (typeof address !== 'string') {
    return failScope(recorder, scope, engineFailure('binding.kind', `nodes.${key}.key is not a string`));
  }
  if (byteLength(address) > LIMITS.signalKeyBytes) {
    const message = `nodes.${key}.key has ${byteLength(address)} bytes, more than ${LIMITS.signalKeyBytes}`;
    return failScope(recorder, scope, engineFailure('limit.value', message));
  }
  const { signal } = node;
  if (waitOn(run, signal, address) !== null) {
    const message = `another wait for signal "${signal}" with the key of nodes.${key} is open already`;
    return failScope(recorder, scope, engineFailure('WaitKeyConflict', message));
  }
  const wait = nextWait(run);
  const dueAt = node.timeoutMs === null ? null : recorder.now + node.timeoutMs;
  const buffered = node.consumeFrom === 'buffered';
  recorder.record({ kind: 'wait_opened', wait, scope: scope.id, node: key, signal, key: address, dueAt, buffered });
  const opened = run.waits.get(wait);
  const entry = opened === undefined ? null : earliestFor(run, opened, recorder.now);
  if (entry !== null) recorder.record({ kind: 'wait_satisfied', wait, event: entry.id });
}
