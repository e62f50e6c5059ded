/** Appliers find what an event speaks of here; what is not there means that the history is damaged. */
import { HistoryError } from '../errors.js';
import type { ActivationId, ScopeId, WaitId } from '../ids.js';
import type { Claim, Container, Leaf, LeafStatus, Obligation, Run, Scope, Wait } from '../state.js';
import { isSettled } from '../status.js';

export function findScope(run: Run, id: ScopeId): Scope {
  const scope = run.scopes.get(id);
  if (scope === undefined) throw damaged(run, `speaks of scope ${id}, which was never opened`);
  return scope;
}

export function findContainer(run: Run, id: ActivationId): Container {
  const container = run.containers.get(id);
  if (container === undefined) throw damaged(run, `speaks of container ${id}, which was never entered`);
  return container;
}

/** A leaf that may still change. */
export function findLeaf(run: Run, id: ActivationId): Leaf {
  const leaf = run.leaves.get(id);
  if (leaf === undefined) throw damaged(run, `speaks of ${id}, which was never activated`);
  if (isSettled(leaf.status)) throw damaged(run, `changes ${id}, which has ${leaf.status.kind} already`);
  return leaf;
}

/** The claim of the attempt with this generation, which must be the leaf's last. */
export function findAttempt(run: Run, leaf: Leaf, generation: number): Claim {
  if (leaf.last?.generation !== generation) {
    throw damaged(run, `ends attempt ${generation} of ${leaf.id}, which is not its last`);
  }
  return leaf.last;
}

/** A wait that may still change. */
export function findWait(run: Run, id: WaitId): Wait {
  const wait = run.waits.get(id);
  if (wait === undefined) throw damaged(run, `speaks of ${id}, which was never opened`);
  if (wait.status.kind !== 'pending') throw damaged(run, `changes ${id}, which is ${wait.status.kind} already`);
  return wait;
}

export function findObligation(run: Run, forward: ActivationId): Obligation {
  const obligation = run.obligations.get(forward);
  if (obligation === undefined)
    throw damaged(run, `speaks of the obligation of ${forward}, which was never registered`);
  return obligation;
}

export function damaged(run: Run, what: string): HistoryError {
  return new HistoryError(`run ${run.id}: event ${run.seq + 1} ${what}`);
}

/** Gives a leaf its next status, and the run its course back once nothing is blocked any more. */
export function moveLeaf(run: Run, leaf: Leaf, status: LeafStatus, at: number): void {
  leaf.status = status;
  leaf.since = at;
  if (isSettled(status)) {
    run.open.delete(leaf.id);
    const scope = run.scopes.get(leaf.scope);
    const current = scope?.current ?? null;
    if (scope !== undefined && current !== null && 'activation' in current && current.activation === leaf.id) {
      scope.current = null;
    }
  }
  if (status.kind === 'blocked' || run.status.kind === 'blocked') settleBlocked(run);
}

/** The run is blocked as long as something in it waits for a person. */
export function settleBlocked(run: Run): void {
  const blocked = hasBlocker(run);
  if (run.status.kind === 'blocked' && !blocked) {
    run.status = run.status.stop === null ? { kind: 'active' } : { kind: 'stopping', ...run.status.stop };
  } else if (blocked && (run.status.kind === 'active' || run.status.kind === 'stopping')) {
    const stop = run.status.kind === 'active' ? null : { intent: run.status.intent, failure: run.status.failure };
    run.status = { kind: 'blocked', stop };
  }
}

function hasBlocker(run: Run): boolean {
  for (const id of run.open) if (run.leaves.get(id)?.status.kind === 'blocked') return true;
  for (const { status } of run.obligations.values()) {
    if (status.kind === 'blocked_input' || status.kind === 'blocked_execution') return true;
  }
  return false;
}
