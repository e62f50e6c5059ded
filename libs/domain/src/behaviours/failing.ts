/** Failures of nodes and scopes (spec 02 "Failure and settlement"). */
import type { ErrorRoute, Node } from '@graphrun/dsl';
import type { Failure } from '../events.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { regionOf } from '../status.js';
import { intendStop } from './stopping.js';

/**
 * A failure inside a scope that still goes forward. The root's failure is an intent of the run; a child's closes its
 * container and goes to the scope around it once all is settled. A scope that is closed already keeps its first failure.
 */
export function failScope(recorder: Recorder, scope: Scope, failure: Failure): void {
  if (scope.status.kind !== 'open') return;
  if (scope.owner === null) intendStop(recorder, 'failure', failure);
  else recorder.record({ kind: 'scope_failing', scope: scope.id, failure });
}

/** A node has failed and is settled: one of its error routes takes the failure, or its scope fails with it. */
export function failNode(recorder: Recorder, scope: Scope, key: string, failure: Failure): void {
  if (scope.status.kind !== 'open') return;
  const to = routeFor(regionOf(recorder.run, scope).nodes[key], failure.code);
  if (to === undefined) failScope(recorder, scope, failure);
  else recorder.record({ kind: 'error_routed', scope: scope.id, node: key, failure, to });
}

function routeFor(node: Node | undefined, code: string): string | undefined {
  if (node === undefined || !('onError' in node)) return undefined;
  return node.onError?.find((route: ErrorRoute) => route.codes === 'any' || route.codes.includes(code))?.next;
}
