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

/** One line for each kind that this engine runs. What is not here yet is refused at the start: see `executable.ts`. */
const ENTRIES = {
  activity: enterActivity,
  complete: enterComplete,
  fail: enterFail,
} satisfies { readonly [K in NodeKind]?: NodeEntry<K> };

export type ExecutableKind = keyof typeof ENTRIES;

export function isExecutableKind(kind: NodeKind): kind is ExecutableKind {
  return Object.hasOwn(ENTRIES, kind);
}

export function enterNode(recorder: Recorder, scope: Scope, key: string): void {
  const node = regionOf(recorder.run, scope).nodes[key];
  if (node === undefined) throw new Error(`scope ${scope.id} is to enter "${key}", which its region does not have`);
  if (!isExecutableKind(node.kind)) {
    throw new Error(`scope ${scope.id} reached "${key}" (${node.kind}): start should not have admitted this run`);
  }
  // The registry pairs each kind with the entry of its own node; TypeScript cannot follow a union through a lookup.
  const enter = ENTRIES[node.kind] as NodeEntry<NodeKind>;
  enter(recorder, scope, key, node);
}
