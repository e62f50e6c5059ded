/** `fail` fails its region with the error that stands in the definition. */
import type { FailNode } from '@graphrun/dsl';
import { failScope } from '../behaviours/failing.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';

export function enterFail(recorder: Recorder, scope: Scope, _key: string, node: FailNode): void {
  failScope(recorder, scope, { code: node.error.code, message: node.error.message });
}
