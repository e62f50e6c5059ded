/** Appliers find what an event speaks of here; what is not there means that the history is damaged. */
import { HistoryError } from '../errors.js';
import type { ActivationId, ScopeId } from '../ids.js';
import type { Claim, Leaf, LeafStatus, Run, Scope } from '../state.js';
import { isSettled } from '../status.js';

export function findScope(run: Run, id: ScopeId): Scope {
  const scope = run.scopes.get(id);
  if (scope === undefined)
    throw new HistoryError(`run ${run.id}: event ${run.seq + 1} speaks of scope ${id}, which was never opened`);
  return scope;
}

/** A leaf that may still change. */
export function findLeaf(run: Run, id: ActivationId): Leaf {
  const leaf = run.leaves.get(id);
  if (leaf === undefined)
    throw new HistoryError(`run ${run.id}: event ${run.seq + 1} speaks of ${id}, which was never activated`);
  if (isSettled(leaf.status)) {
    throw new HistoryError(`run ${run.id}: event ${run.seq + 1} changes ${id}, which has ${leaf.status.kind} already`);
  }
  return leaf;
}

/** The claim of the attempt with this generation, which must be the leaf's last. */
export function findAttempt(run: Run, leaf: Leaf, generation: number): Claim {
  if (leaf.last?.generation !== generation) {
    throw new HistoryError(
      `run ${run.id}: event ${run.seq + 1} ends attempt ${generation} of ${leaf.id}, which is not its last`,
    );
  }
  return leaf.last;
}

/** Gives a leaf its next status, and the run its course back once no leaf is blocked any more. */
export function moveLeaf(run: Run, leaf: Leaf, status: LeafStatus, at: number): void {
  const wasBlocked = leaf.status.kind === 'blocked';
  leaf.status = status;
  leaf.since = at;
  if (isSettled(status)) run.open.delete(leaf.id);
  if (wasBlocked && status.kind !== 'blocked' && run.status.kind === 'blocked' && !hasBlockedLeaf(run)) {
    run.status = run.status.stop === null ? { kind: 'active' } : { kind: 'stopping', ...run.status.stop };
  }
}

function hasBlockedLeaf(run: Run): boolean {
  for (const id of run.open) if (run.leaves.get(id)?.status.kind === 'blocked') return true;
  return false;
}
