/** Questions about states that several parts ask. */
import type { Contract, Region } from '@graphrun/dsl';
import type { LeafStatus, Leaf, Run, RunStatus, Scope, Stop } from './state.js';

export type TerminalStatus = Extract<RunStatus, { readonly kind: 'succeeded' | 'failed' | 'cancelled' }>;

/** Names of the run states that never change again. */
export const RUN_TERMINAL = ['succeeded', 'failed', 'cancelled'] as const satisfies readonly RunStatus['kind'][];

export function isTerminal(status: RunStatus): status is TerminalStatus {
  switch (status.kind) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
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

/** The graph that a scope walks through. Only the root region exists today; bodies of containers join here. */
export function regionOf(run: Run, _scope: Scope): Region {
  return run.program.definition.root;
}

/** The activity node of a leaf. */
export function activityNodeOf(run: Run, leaf: Leaf) {
  const node = regionOf(run, scopeOf(run, leaf)).nodes[leaf.node];
  if (node?.kind !== 'activity') throw new Error(`leaf ${leaf.id} stands on "${leaf.node}", which is no activity node`);
  return node;
}

export function contractOf(run: Run, leaf: Leaf): Contract {
  return run.program.contract(activityNodeOf(run, leaf).activity);
}

export function scopeOf(run: Run, leaf: Leaf): Scope {
  const scope = run.scopes.get(leaf.scope);
  if (scope === undefined) throw new Error(`leaf ${leaf.id} belongs to scope ${leaf.scope}, which does not exist`);
  return scope;
}
