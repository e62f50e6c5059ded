/** What happens when a scope reaches a node. One file for each node kind. */
import type { Node, NodeKind } from '@graphrun/dsl';
import { failScope } from '../behaviours/failing.js';
import { activationLimit } from '../behaviours/limits.js';
import type { Recorder } from '../recorder.js';
import type { Scope } from '../state.js';
import { regionOf } from '../status.js';
import { enterActivity } from './activity.js';
import { enterChoose } from './choose.js';
import { enterComplete } from './complete.js';
import { enterFail } from './fail.js';
import { enterForeach } from './foreach.js';
import { enterLoop, enterRepeat } from './loops.js';
import { enterParallel } from './parallel.js';
import { enterSaga } from './saga.js';
import { enterDelay, enterWaitUntil } from './timers.js';
import { enterWaitSignal } from './wait-signal.js';

export type NodeOf<K extends NodeKind> = Extract<Node, { readonly kind: K }>;
export type NodeEntry<K extends NodeKind> = (recorder: Recorder, scope: Scope, key: string, node: NodeOf<K>) => void;

/** One line for each kind that this engine runs. What is not here yet is refused at the start: see `executable.ts`. */
const ENTRIES = {
  activity: enterActivity,
  choose: enterChoose,
  while: enterLoop,
  do_while: enterLoop,
  repeat: enterRepeat,
  foreach: enterForeach,
  parallel: enterParallel,
  saga: enterSaga,
  delay: enterDelay,
  wait_until: enterWaitUntil,
  wait_signal: enterWaitSignal,
  complete: enterComplete,
  fail: enterFail,
} satisfies { readonly [K in NodeKind]?: NodeEntry<K> };

export type ExecutableKind = keyof typeof ENTRIES;

export function isExecutableKind(kind: NodeKind): kind is ExecutableKind {
  return Object.hasOwn(ENTRIES, kind);
}

/** Ends of regions are always reached; everything else counts towards the limits of a run. */
const ENDS: ReadonlySet<NodeKind> = new Set(['complete', 'fail', 'continue_as_new']);

export function enterNode(recorder: Recorder, scope: Scope, key: string): void {
  const node = regionOf(recorder.run, scope).nodes[key];
  if (node === undefined) throw new Error(`scope ${scope.id} is to enter "${key}", which its region does not have`);
  if (!isExecutableKind(node.kind)) {
    throw new Error(`scope ${scope.id} reached "${key}" (${node.kind}): start should not have admitted this run`);
  }
  const limit = ENDS.has(node.kind) ? null : activationLimit(recorder.run);
  if (limit !== null) return failScope(recorder, scope, limit);
  // The registry pairs each kind with the entry of its own node; TypeScript cannot follow a union through a lookup.
  const enter = ENTRIES[node.kind] as NodeEntry<NodeKind>;
  enter(recorder, scope, key, node);
}
