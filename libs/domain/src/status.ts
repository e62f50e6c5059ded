/** Questions about states that several parts ask. */
import {
  POLICIES,
  type ActivityNode,
  type ActivityRef,
  type Contract,
  type Node,
  type Region,
  type RetryPolicy,
} from '@graphrun/dsl';
import { roleOf, type ActivationId, type Role } from './ids.js';
import { activityAt, nodeAt, regionAt } from './program-index.js';
import type { Container, Leaf, LeafStatus, Run, RunStatus, Scope, Stop } from './state.js';

export type TerminalStatus = Extract<
  RunStatus,
  { readonly kind: 'succeeded' | 'failed' | 'cancelled' | 'continued' | 'terminated' }
>;

/** Names of the run states that never change again. */
export const RUN_TERMINAL = [
  'succeeded',
  'failed',
  'cancelled',
  'continued',
  'terminated',
] as const satisfies readonly RunStatus['kind'][];

export function isTerminal(status: RunStatus): status is TerminalStatus {
  switch (status.kind) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'continued':
    case 'terminated':
      return true;
    case 'active':
    case 'stopping':
    case 'blocked':
      return false;
  }
}

/** The intent that ends the run, or null while it runs its ordinary course (or has ended). */
export function stopOf(run: Run): Stop | null {
  switch (run.status.kind) {
    case 'stopping':
      return run.status;
    case 'blocked':
      return run.status.stop;
    default:
      return null;
  }
}

/** Settled: nothing that belongs to this leaf can happen any more. */
export function isSettled(status: LeafStatus): boolean {
  return status.kind === 'succeeded' || status.kind === 'failed' || status.kind === 'cancelled';
}

/** The graph that a scope walks through. */
export function regionOf(run: Run, scope: Scope): Region {
  return regionAt(run.program, scope.region);
}

export function nodeOf(run: Run, at: Container | Leaf): Node {
  return nodeAt(run.program, at.pointer);
}

/** The activity node that a leaf belongs to, whatever its role. */
export function activityNodeOf(run: Run, leaf: Leaf): ActivityNode {
  return activityAt(run.program, leaf.pointer);
}

/** What a leaf asks of a worker: which handler, in which role, for how long. */
export interface Assignment {
  readonly role: Role;
  /** The activity, or the reconciler. */
  readonly handler: ActivityRef;
  /** The activity whose effect is meant: its contract is what worker and engine must agree on. */
  readonly effect: ActivityRef;
  readonly timeoutMs: number;
}

export function assignmentOf(run: Run, leaf: Leaf): Assignment {
  const role = roleOf(leaf.id);
  const effect = effectOf(run, leaf.pointer, leaf.id);
  if (role !== 'reconciliation') return { role, handler: effect, effect, timeoutMs: termsOf(run, leaf).timeoutMs };
  const { reconciler } = run.program.contract(effect);
  if (reconciler === null) throw new Error(`leaf ${leaf.id} asks a reconciler that ${effect.name} does not have`);
  return { role, handler: reconciler, effect, timeoutMs: POLICIES.reconciliationTimeoutMs };
}

/** Attempts of forward work under way in scopes that are closed: their workers are asked to stop. */
export function closedClaims(run: Run): readonly Leaf[] {
  const claims: Leaf[] = [];
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    if (leaf?.status.kind !== 'claimed' || roleOf(id) !== 'forward') continue;
    if (!isOpen(run, scopeOf(run, leaf))) claims.push(leaf);
  }
  return claims;
}

export function contractOf(run: Run, leaf: Leaf): Contract {
  return run.program.contract(effectOf(run, leaf.pointer, leaf.id));
}

/** The activity whose effect is meant: the compensation's for `a7c` and `a7cr`, else the node's own. */
export function effectOf(run: Run, pointer: string, activation: ActivationId): ActivityRef {
  const node = activityAt(run.program, pointer);
  const ofCompensation = activation.includes('c');
  if (!ofCompensation) return node.activity;
  if (node.compensation?.kind !== 'activity') throw new Error(`the node at ${pointer} has no compensation to run`);
  return node.compensation.activity;
}

/** Retry policy and timeout of the attempts whose effect is meant: a probe has those of what it asks about. */
export function termsOf(run: Run, leaf: Leaf): { readonly timeoutMs: number; readonly retry: RetryPolicy } {
  const node = activityNodeOf(run, leaf);
  if (!leaf.id.includes('c')) return node;
  if (node.compensation?.kind !== 'activity') throw new Error(`leaf ${leaf.id} has no compensation to run`);
  return node.compensation;
}

/** The scope of a leaf; null when it was forgotten, which only compensations and their probes outlive. */
export function scopeOf(run: Run, leaf: Leaf): Scope | null {
  return run.scopes.get(leaf.scope) ?? null;
}

/** True while work in this scope may go on and be repeated. */
export function isOpen(run: Run, scope: Scope | null): boolean {
  return scope?.status.kind === 'open' && stopOf(run) === null;
}

export function containerOf(run: Run, scope: Scope): Container | null {
  if (scope.owner === null) return null;
  const container = run.containers.get(scope.owner.container);
  if (container === undefined)
    throw new Error(`scope ${scope.id} belongs to ${scope.owner.container}, which does not exist`);
  return container;
}

/** The scope a container stands in. */
export function aroundOf(run: Run, container: Container): Scope {
  const scope = run.scopes.get(container.scope);
  if (scope === undefined)
    throw new Error(`container ${container.id} stands in ${container.scope}, which does not exist`);
  return scope;
}

/** The nearest saga around a scope, or null. */
export function sagaAround(run: Run, scope: Scope): Container | null {
  let container = containerOf(run, scope);
  while (container !== null && container.work.kind !== 'saga') container = containerOf(run, aroundOf(run, container));
  return container;
}
