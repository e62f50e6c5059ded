/** Appliers of attempts: granted, then lost or failed. What follows from the end of an attempt has events of its own. */
import { HistoryError } from '../errors.js';
import type { BodyOf, RunEvent } from '../events.js';
import { lossFailure } from '../failures.js';
import type { Run } from '../state.js';
import { findAttempt, findLeaf, moveLeaf } from './find.js';

export function attemptGrantedV1(run: Run, body: BodyOf<'attempt_granted'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const claim = {
    attempt: body.attempt,
    generation: body.generation,
    session: body.session,
    deadline: body.deadline,
  };
  leaf.attempts = body.attempt;
  leaf.last = claim;
  moveLeaf(run, leaf, { kind: 'claimed', claim }, event.at);
}

/**
 * A handed-back attempt did not run: it adds nothing unknown, and takes away only what was unknown about itself, if it had
 * been counted as lost before its hand-back came.
 */
export function attemptLostV1(run: Run, body: BodyOf<'attempt_lost'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const claim = findAttempt(run, leaf, body.generation);
  const failure = lossFailure(body.reason, body.message);
  if (body.reason === 'returned') {
    leaf.returned += 1;
    if (leaf.status.kind !== 'claimed') leaf.losses = leaf.losses.slice(0, -1);
    leaf.reported = { generation: claim.generation, session: claim.session, outcome: { kind: 'returned' } };
  } else {
    leaf.losses = [...leaf.losses, failure];
  }
  moveLeaf(run, leaf, { kind: 'ended', claim, failure }, event.at);
}

export function attemptFailedV1(run: Run, body: BodyOf<'attempt_failed'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const claim = findAttempt(run, leaf, body.generation);
  leaf.losses = [];
  leaf.reported = {
    generation: claim.generation,
    session: claim.session,
    outcome: { kind: 'error', failure: body.failure },
  };
  moveLeaf(run, leaf, { kind: 'ended', claim, failure: body.failure }, event.at);
}

/** Evidence belongs to leaves that are settled as well. */
export function lateResultObservedV1(run: Run, body: BodyOf<'late_result_observed'>): void {
  const leaf = run.leaves.get(body.activation) ?? run.recent.findLast(({ id }) => id === body.activation);
  if (leaf === undefined)
    throw new HistoryError(`run ${run.id}: late result of ${body.activation}, which was never activated`);
  leaf.late += 1;
}
