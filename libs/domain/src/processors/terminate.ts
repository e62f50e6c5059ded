/** `terminate` ends a run at once: nothing is settled and nothing undone, and the outcome lists what that leaves open. */
import type { Decision, TerminateCommand } from '../commands.js';
import { engineFailure } from '../failures.js';
import { roleOf, type ActivationId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Run } from '../state.js';
import { contractOf, isTerminal } from '../status.js';
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

/** External attempts that may still happen, and effects that were owed an undoing. */
function unresolvedEffects(run: Run): ActivationId[] {
  const unresolved = new Set<ActivationId>();
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    if (leaf === undefined || roleOf(id) === 'reconciliation' || contractOf(run, leaf).effects === 'pure') continue;
    // What was never granted, or failed for a known reason and waits for a retry, has had no effect.
    if (leaf.status.kind === 'claimed' || leaf.losses > 0) unresolved.add(id);
  }
  for (const { forward, status } of run.obligations.values()) {
    if (status.kind !== 'compensated') unresolved.add(forward);
  }
  return [...unresolved];
}
