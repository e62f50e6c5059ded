/** Appliers of what only a person can decide. Reconciliation and the operator's answer get their appliers beside it. */
import { HistoryError } from '../errors.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { Run } from '../state.js';
import { stopOf } from '../status.js';
import { findLeaf, moveLeaf } from './find.js';

export function interventionRequiredV1(run: Run, body: BodyOf<'intervention_required'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  if (leaf.last === null)
    throw new HistoryError(`run ${run.id}: event ${event.seq} blocks ${leaf.id}, which had no attempt`);
  const stop = stopOf(run);
  run.status = { kind: 'blocked', stop: stop === null ? null : { intent: stop.intent, failure: stop.failure } };
  moveLeaf(run, leaf, { kind: 'blocked', claim: leaf.last, reason: body.reason }, event.at);
}
