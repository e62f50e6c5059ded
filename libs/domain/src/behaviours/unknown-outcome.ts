/**
 * The outcome of an external attempt is unknown and it may not be repeated. Its reconciler is asked if the contract names
 * one; without an answer a person must say what happened (spec 03 "Reconciliation", "Intervention").
 */
import { POLICIES } from '@graphrun/dsl';
import type { Failure } from '../events.js';
import { forwardOf, roleOf } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';
import { contractOf } from '../status.js';

/** Asks the reconciler, or a person where there is none. */
export function seekOutcome(recorder: Recorder, leaf: Leaf): void {
  if (contractOf(recorder.run, leaf).reconciler === null) return askPerson(recorder, leaf);
  recorder.record({
    kind: 'reconciliation_requested',
    activation: leaf.id,
    reason: reasonOf(leaf),
    dueAt: Math.max(recorder.now, conclusiveFrom(leaf)),
  });
}

/** UTC ms from which on "not applied" is certain: before, the attempt may still be at work. */
export function conclusiveFrom(leaf: Leaf): number {
  return leaf.last === null ? 0 : leaf.last.deadline + POLICIES.cancellationGraceMs;
}

export function askPerson(recorder: Recorder, leaf: Leaf): void {
  const reason = reasonOf(leaf);
  recorder.record(
    roleOf(leaf.id) === 'compensation'
      ? { kind: 'compensation_blocked', activation: forwardOf(leaf.id), reason }
      : { kind: 'intervention_required', activation: leaf.id, reason },
  );
}

/** How the attempt was lost that is in question, which need not be the last: one that was handed back did not run. */
function reasonOf(leaf: Leaf): Failure {
  const reason = leaf.status.kind === 'reconciling' ? leaf.status.reason : leaf.losses.at(-1);
  if (reason === undefined) throw new Error(`no attempt of ${leaf.id} was lost: there is nothing to ask about`);
  return reason;
}
