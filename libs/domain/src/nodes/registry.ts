/** What happens when a scope reaches a node. One file for each node kind; containers join here. */
import type { Node, NodeKind } from '@graphrun/dsl';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { regionOf } from '../status.js';
import { enterActivity } from './activity.js';
import { enterComplete } from './complete.js';
import { enterFail } from './fail.js';

export type NodeOf<K extends NodeKind> = Extract<Node, { readonly kind: K }>;
export type NodeEntry<K extends NodeKind> = (recorder: Recorder, scope: Scope, key: string, node: NodeOf<K>) => void;

const ENTRIES: { readonly [K in NodeKind]: NodeEntry<K> } = {
  activity: enterActivity,
  complete: enterComplete,
  fail: enterFail,
};

export function enterNode(recorder: Recorder, scope: Scope, key: string): void {
  const node = regionOf(recorder.run, scope).nodes[key];
  if (node === undefined) throw new Error(`scope ${scope.id} is to enter "${key}", which its region does not have`);
  // The registry pairs each kind with the entry of its own node; TypeScript cannot follow a union through a lookup.
  const enter = ENTRIES[node.kind] as NodeEntry<NodeKind>;
  enter(recorder, scope, key, node);
}
