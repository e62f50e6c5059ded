/** `terminate` ends a run at once: nothing is settled and nothing undone, and the outcome lists what that leaves open. */
import { versionedName } from '@graphrun/dsl';
import { effectNote } from '../behaviours/compensation-summary.js';
import type { Decision, TerminateCommand } from '../commands.js';
import type { UnresolvedEffect } from '../events.js';
import { engineFailure } from '../failures.js';
import { roleOf } from '../ids.js';
import { pathOf } from '../path.js';
import type { Recorder } from '../recorder.js';
import type { Leaf, Run } from '../state.js';
import { assignmentOf, contractOf, isTerminal, scopeOf } from '../status.js';
import { ACCEPTED, rejected, REPEATED } from './answers.js';
import { refuseStale } from './operator.js';

export function terminate(recorder: Recorder, { reason, expectedSeq }: TerminateCommand): Decision {
  const { run } = recorder;
  if (run.status.kind === 'terminated') return REPEATED;
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  const refusal = refuseStale(run, expectedSeq);
  if (refusal !== null) return refusal;
  const failure = engineFailure('run.cancelled', reason);
  recorder.record({ kind: 'run_terminated', failure, unresolved: unresolvedEffects(run) });
  return ACCEPTED;
}

/** External attempts that may still happen or may have happened, and effects that were owed an undoing. */
function unresolvedEffects(run: Run): UnresolvedEffect[] {
  const unresolved: UnresolvedEffect[] = [];
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    if (leaf === undefined || roleOf(id) === 'reconciliation' || contractOf(run, leaf).effects === 'pure') continue;
    const reason = whyUncertain(leaf);
    if (reason === null) continue;
    const { name, version } = assignmentOf(run, leaf).handler;
    unresolved.push({
      activation: id,
      node: leaf.node,
      path: pathOf(run, scopeOf(run, leaf), leaf.node),
      handler: versionedName(name, version),
      reason,
    });
  }
  for (const obligation of run.obligations.values()) {
    const note = effectNote(obligation);
    if (note === null) continue;
    unresolved.push({ ...note, path: pathOf(run, run.scopes.get(obligation.scope) ?? null, obligation.node) });
  }
  return unresolved;
}

/** What was never granted, or failed for a known reason and waits for a retry, has had no effect: null. */
function whyUncertain({ status, losses }: Leaf): string | null {
  if (status.kind === 'claimed') return `attempt ${status.claim.attempt} is under way and may still have its effect`;
  const lost = losses.at(-1);
  return lost === undefined ? null : `nobody knows whether it has happened: ${lost.code}, ${lost.message}`;
}
