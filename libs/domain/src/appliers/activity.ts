/** Appliers of an activity's course, from the node that is reached to its one result. */
import { recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import { nodePointer } from '../program-index.js';
import type { Cell, Leaf, Run } from '../state.js';
import { activityNodeOf } from '../status.js';
import { findAttempt, findLeaf, findScope, moveLeaf } from './find.js';

export function activityActivatedV1(run: Run, body: BodyOf<'activity_activated'>, event: RunEvent): void {
  const scope = findScope(run, body.scope);
  scope.next = null;
  scope.current = { activation: body.activation };
  scope.activations.add(body.activation);
  run.activationCount += 1;
  const pointer = nodePointer(scope.region, body.node);
  addLeaf(run, { ...body, id: body.activation, pointer, input: recorded(body.input, event.seq, '/input') }, event.at);
}

/** A leaf that waits for its first attempt. */
export function addLeaf(
  run: Run,
  { id, scope, node, pointer, input }: Pick<Leaf, 'id' | 'scope' | 'node' | 'pointer'> & { readonly input: Cell },
  at: number,
): void {
  run.leaves.set(id, {
    id,
    scope,
    node,
    pointer,
    input,
    since: at,
    attempts: 0,
    returned: 0,
    extended: 0,
    forgiven: 0,
    losses: [],
    last: null,
    reported: null,
    late: 0,
    status: { kind: 'ready', generation: 1 },
  });
  run.open.add(id);
}

/** A result that settles starts nothing: only an open scope enters its next node. */
export function activitySucceededV1(run: Run, body: BodyOf<'activity_succeeded'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const claim = findAttempt(run, leaf, body.generation);
  leaf.losses = [];
  leaf.reported = { generation: claim.generation, session: claim.session, outcome: { kind: 'success' } };
  const output = recorded(body.output, event.seq, '/output');
  moveLeaf(run, leaf, { kind: 'succeeded', output, generation: body.generation }, event.at);
  const scope = findScope(run, leaf.scope);
  scope.outputs.set(leaf.node, output);
  scope.next = activityNodeOf(run, leaf).next;
}

export function activityFailedV1(run: Run, body: BodyOf<'activity_failed'>, event: RunEvent): void {
  moveLeaf(run, findLeaf(run, body.activation), { kind: 'failed', failure: body.failure }, event.at);
}

export function activityCancelledV1(run: Run, body: BodyOf<'activity_cancelled'>, event: RunEvent): void {
  moveLeaf(run, findLeaf(run, body.activation), { kind: 'cancelled' }, event.at);
}
