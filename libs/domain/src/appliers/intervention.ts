/** Appliers of what only a person can decide. */
import { recorded } from '../cell.js';
import { HistoryError } from '../errors.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { Run } from '../state.js';
import { findLeaf, findObligation, moveLeaf, settleBlocked } from './find.js';

export function interventionRequiredV1(run: Run, body: BodyOf<'intervention_required'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  if (leaf.last === null)
    throw new HistoryError(`run ${run.id}: event ${event.seq} blocks ${leaf.id}, which had no attempt`);
  moveLeaf(run, leaf, { kind: 'blocked', claim: leaf.last, reason: body.reason }, event.at);
}

/** An operator has decided; what follows from it has events of its own. More attempts are added to the budget here. */
export function interventionResolvedV1(run: Run, body: BodyOf<'intervention_resolved'>, event: RunEvent): void {
  const { resolution } = body;
  if (resolution.kind === 'input') {
    const obligation = findObligation(run, body.activation);
    obligation.input = recorded(resolution.input, event.seq, '/resolution/input');
    obligation.status = { kind: 'open' };
    obligation.since = event.at;
    settleBlocked(run);
    return;
  }
  if (resolution.kind === 'retry') findLeaf(run, body.activation).extended += resolution.attempts;
  // It is certain that nothing happened, so there is nothing left to ask about if the scope closes now.
  if (resolution.kind === 'not_applied') findLeaf(run, body.activation).losses = [];
}
