/**
 * Taking out of the tree what nobody can ask for any more. What is forgotten stands in the history; of leaves the last few
 * are kept, because a worker whose receipt was lost reports once more and must get the same answer.
 */
import { compensationOf, probeOf, type ActivationId, type ScopeId } from '../ids.js';
import type { Container, Run } from '../state.js';

/** Leaves that are remembered after their scope. */
export const REMEMBERED_LEAVES = 32;

/** Forgets a scope with all it had, down to the leaves. */
export function forgetScope(run: Run, id: ScopeId): void {
  const scope = run.scopes.get(id);
  if (scope === undefined) return;
  for (const activation of scope.activations) {
    forgetContainer(run, activation);
    forgetLeaf(run, activation);
  }
  for (const wait of scope.waits) run.waits.delete(wait);
  run.scopes.delete(id);
}

/** Forgets a container and its bodies, and what a saga has undone: only what it could not undo counts to the end. */
export function forgetContainer(run: Run, id: ActivationId): void {
  const container = run.containers.get(id);
  if (container === undefined) return;
  for (const body of container.bodies) forgetScope(run, body);
  run.containers.delete(id);
  forgetUndone(run, container);
}

/** A saga whose undoing had begun starts anew: its body is void, and what it has undone is a closed fact. */
export function forgetSagaBody(run: Run, container: Container): void {
  for (const body of container.bodies) forgetScope(run, body);
  container.bodies.clear();
  forgetUndone(run, container);
  if (container.work.kind !== 'saga') return;
  container.work.obligations.length = 0;
  container.work.aborting = false;
  container.work.result = null;
}

function forgetUndone(run: Run, { work }: Container): void {
  if (work.kind !== 'saga') return;
  for (const forward of work.obligations) {
    forgetLeaf(run, compensationOf(forward));
    if (run.obligations.get(forward)?.status.kind === 'compensated') run.obligations.delete(forward);
  }
}

/** Forgets a leaf, but for its last report, and the probe that asked about it. */
function forgetLeaf(run: Run, id: ActivationId): void {
  const leaf = run.leaves.get(id);
  if (leaf === undefined) return;
  run.leaves.delete(id);
  run.leaves.delete(probeOf(id));
  run.recent.push(leaf);
  if (run.recent.length > REMEMBERED_LEAVES) run.recent.shift();
}
