/** Appliers of an activity's course, from the node that is reached to its one result. */
import type { BodyOf, RunEvent } from '../events.js';
import type { Run } from '../state.js';
import { activityNodeOf } from '../status.js';
import { findAttempt, findLeaf, findScope, moveLeaf } from './find.js';

export function activityActivatedV1(run: Run, body: BodyOf<'activity_activated'>, event: RunEvent): void {
  const scope = findScope(run, body.scope);
  scope.next = null;
  scope.activations.set(body.node, body.activation);
  run.leaves.set(body.activation, {
    id: body.activation,
    scope: body.scope,
    node: body.node,
    input: { value: body.input, seq: event.seq },
    since: event.at,
    attempts: 0,
    returned: 0,
    losses: 0,
    last: null,
    reported: null,
    late: 0,
    status: { kind: 'ready', generation: 1 },
  });
  run.open.add(body.activation);
}

/** A result that settles starts nothing: only an open scope goes on. */
export function activitySucceededV1(run: Run, body: BodyOf<'activity_succeeded'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const claim = findAttempt(run, leaf, body.generation);
  leaf.losses = 0;
  leaf.reported = { generation: claim.generation, session: claim.session, outcome: { kind: 'success' } };
  const output = { value: body.output, seq: event.seq };
  moveLeaf(run, leaf, { kind: 'succeeded', output, generation: body.generation }, event.at);
  const scope = findScope(run, leaf.scope);
  if (scope.status.kind === 'open') scope.next = activityNodeOf(run, leaf).next;
}

export function activityFailedV1(run: Run, body: BodyOf<'activity_failed'>, event: RunEvent): void {
  moveLeaf(run, findLeaf(run, body.activation), { kind: 'failed', failure: body.failure }, event.at);
}

export function activityCancelledV1(run: Run, body: BodyOf<'activity_cancelled'>, event: RunEvent): void {
  moveLeaf(run, findLeaf(run, body.activation), { kind: 'cancelled' }, event.at);
}
