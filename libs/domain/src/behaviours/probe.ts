/** What follows from a reconciler's answer (spec 03 "Reconciliation"). */
import { POLICIES } from '@graphrun/dsl';
import { askedBy } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';
import { contractOf } from '../status.js';
import { giveUp, mayRetry, scheduleRetry, succeed } from './attempt.js';
import type { Outcome } from './outcome.js';
import { askPerson, conclusiveFrom } from './unknown-outcome.js';

type Probed = Extract<Outcome, { kind: 'probed' }>;

/** `probe` is the leaf of the probe. Its answer settles what it asked about, asks again, or asks a person. */
export function answerProbe(recorder: Recorder, probe: Leaf, { answer, output }: Probed): void {
  const { run } = recorder;
  const leaf = run.leaves.get(askedBy(probe.id));
  if (leaf?.status.kind !== 'reconciling') throw new Error(`probe ${probe.id} asks about what is not in question`);
  const applied = answer === 'applied' && output !== undefined && fits(recorder, leaf, output);
  const conclusive = answer === 'not_applied' && recorder.now >= conclusiveFrom(leaf);
  const known = applied ? 'applied' : conclusive ? 'not_applied' : 'unknown';
  const again = known === 'unknown' && leaf.status.probing.asked + 1 < POLICIES.reconciliationProbes;
  const nextAt = again ? recorder.now + POLICIES.reconciliationIntervalMs : null;
  recorder.record({ kind: 'probe_answered', activation: leaf.id, answer: known, nextAt });
  if (applied) return succeed(recorder, leaf, output);
  if (conclusive) return notApplied(recorder, leaf);
  if (!again) askPerson(recorder, leaf);
}

/** An `applied` whose output breaks the schema counts as a failed probe. */
function fits(recorder: Recorder, leaf: Leaf, output: NonNullable<Probed['output']> | null): boolean {
  return recorder.run.program.validate(contractOf(recorder.run, leaf).outputSchema, output) === null;
}

/** Nothing has happened and nothing will: another attempt within the budget, or none where the scope is closed. */
export function notApplied(recorder: Recorder, leaf: Leaf): void {
  if (mayRetry(recorder, leaf)) return scheduleRetry(recorder, leaf, 0);
  const failure = leaf.status.kind === 'reconciling' || leaf.status.kind === 'blocked' ? leaf.status.reason : null;
  if (failure === null) throw new Error(`leaf ${leaf.id} is not in question: it is ${leaf.status.kind}`);
  giveUp(recorder, leaf, failure);
}
