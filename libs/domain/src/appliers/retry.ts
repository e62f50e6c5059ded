/** Appliers of retries: another attempt of the same activation. */
import { HistoryError } from '../errors.js';
import type { BodyOf, RunEvent } from '../events.js';
import { forwardOf, roleOf } from '../ids.js';
import type { Run } from '../state.js';
import { findLeaf, moveLeaf } from './find.js';

/** Without a delay the leaf is ready at once and no timer is set. */
export function retryScheduledV1(run: Run, body: BodyOf<'retry_scheduled'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const { status } = leaf;
  if (status.kind !== 'ended' && status.kind !== 'reconciling' && status.kind !== 'blocked') {
    throw new HistoryError(`run ${run.id}: event ${event.seq} retries ${leaf.id}, whose attempt is not over`);
  }
  // A compensation that was blocked is at work again, and the run is not blocked by it any more.
  const obligation = roleOf(leaf.id) === 'compensation' ? run.obligations.get(forwardOf(leaf.id)) : undefined;
  if (obligation?.status.kind === 'blocked_execution') obligation.status = { kind: 'compensating' };
  const { claim } = status;
  const failure = status.kind === 'ended' ? status.failure : status.reason;
  const generation = claim.generation + 1;
  moveLeaf(
    run,
    leaf,
    body.delayMs === 0
      ? { kind: 'ready', generation }
      : { kind: 'retry_wait', dueAt: body.dueAt, generation, last: failure },
    event.at,
  );
}

export function retryDueV1(run: Run, body: BodyOf<'retry_due'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  if (leaf.status.kind !== 'retry_wait') {
    throw new HistoryError(`run ${run.id}: event ${event.seq} ends the wait of ${leaf.id}, which does not wait`);
  }
  moveLeaf(run, leaf, { kind: 'ready', generation: leaf.status.generation }, event.at);
}
