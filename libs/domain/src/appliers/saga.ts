/** Appliers of sagas: what is owed, by whom, and how it is paid (spec 03 "Sagas"). `activation` is the forward one. */
import type { ActivityRef } from '@graphrun/dsl';
import { recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import { compensationOf, type ActivationId } from '../ids.js';
import type { Cell, Container, Obligation, ObligationStatus, Run } from '../state.js';
import { sagaAround } from '../status.js';
import { addLeaf } from './activity.js';
import {
  damaged,
  findAttempt,
  findContainer,
  findLeaf,
  findObligation,
  findScope,
  moveLeaf,
  settleBlocked,
} from './find.js';

export function obligationRegisteredV1(run: Run, body: BodyOf<'obligation_registered'>, event: RunEvent): void {
  register(run, body.activation, body.handler, recorded(body.input, event.seq, '/input'), { kind: 'open' }, event);
}

export function obligationBlockedV1(run: Run, body: BodyOf<'obligation_blocked'>, event: RunEvent): void {
  register(run, body.activation, body.handler, null, { kind: 'blocked_input', reason: body.reason }, event);
  settleBlocked(run);
}

export function obligationIrreversibleV1(run: Run, body: BodyOf<'obligation_irreversible'>, event: RunEvent): void {
  register(run, body.activation, null, null, { kind: 'irreversible', reason: body.reason }, event);
}

function register(
  run: Run,
  forward: ActivationId,
  handler: ActivityRef | null,
  input: Cell | null,
  status: ObligationStatus,
  event: RunEvent,
): void {
  const leaf = run.leaves.get(forward);
  const saga = leaf === undefined ? null : sagaAround(run, findScope(run, leaf.scope));
  if (leaf === undefined || saga === null)
    throw damaged(run, `registers an obligation of ${forward}, which is in no saga`);
  const { scope, pointer, node } = leaf;
  run.obligations.set(forward, {
    forward,
    scope,
    pointer,
    node,
    handler,
    input,
    saga: saga.id,
    since: event.at,
    status,
  });
  owed(run, saga).push(forward);
}

function owed(run: Run, saga: Container): ActivationId[] {
  if (saga.work.kind !== 'saga') throw damaged(run, `takes ${saga.id}, which is a ${saga.work.kind}, for a saga`);
  return saga.work.obligations;
}

/** The group comes after what the outer saga owes so far, in its own order: undone from its end, the group is reversed. */
export function obligationsTransferredV1(run: Run, body: BodyOf<'obligations_transferred'>): void {
  const from = owed(run, findContainer(run, body.from));
  for (const forward of from) findObligation(run, forward).saga = body.to;
  owed(run, findContainer(run, body.to)).push(...from);
  from.length = 0;
}

/** Nothing is owed any more, so nothing of it is kept: a saga in a loop would leave its obligations with every iteration. */
export function obligationsReleasedV1(run: Run, body: BodyOf<'obligations_released'>): void {
  const from = owed(run, findContainer(run, body.saga));
  for (const forward of from) run.obligations.delete(forward);
  from.length = 0;
}

export function sagaAbortStartedV1(run: Run, body: BodyOf<'saga_abort_started'>): void {
  const { work } = findContainer(run, body.saga);
  if (work.kind === 'saga') work.aborting = true;
}

export function compensationStartedV1(run: Run, body: BodyOf<'compensation_started'>, event: RunEvent): void {
  const obligation = findObligation(run, body.activation);
  const { forward, scope, node, pointer, input } = obligation;
  if (input === null) throw damaged(run, `compensates ${forward}, whose compensation has no input`);
  addLeaf(run, { id: compensationOf(forward), scope, node, pointer, input }, event.at);
  move(run, obligation, { kind: 'compensating' }, event);
}

export function compensationCompletedV1(run: Run, body: BodyOf<'compensation_completed'>, event: RunEvent): void {
  const leaf = findLeaf(run, compensationOf(body.activation));
  const claim = findAttempt(run, leaf, body.generation);
  leaf.losses = [];
  leaf.reported = { generation: claim.generation, session: claim.session, outcome: { kind: 'success' } };
  const output = recorded(body.output, event.seq, '/output');
  // The obligation first: a leaf that is no longer blocked lets the run go on only if nothing else is.
  move(run, findObligation(run, body.activation), { kind: 'compensated' }, event);
  moveLeaf(run, leaf, { kind: 'succeeded', output, generation: body.generation }, event.at);
}

export function compensationBlockedV1(run: Run, body: BodyOf<'compensation_blocked'>, event: RunEvent): void {
  const leaf = findLeaf(run, compensationOf(body.activation));
  if (leaf.last === null) throw damaged(run, `blocks ${leaf.id}, which had no attempt`);
  move(run, findObligation(run, body.activation), { kind: 'blocked_execution', reason: body.reason }, event);
  moveLeaf(run, leaf, { kind: 'blocked', claim: leaf.last, reason: body.reason }, event.at);
}

export function obligationAbandonedV1(run: Run, body: BodyOf<'obligation_abandoned'>, event: RunEvent): void {
  move(run, findObligation(run, body.activation), { kind: 'abandoned' }, event);
  const leaf = run.leaves.get(compensationOf(body.activation));
  if (leaf !== undefined && run.open.has(leaf.id)) moveLeaf(run, leaf, { kind: 'cancelled' }, event.at);
  settleBlocked(run);
}

function move(run: Run, obligation: Obligation, status: ObligationStatus, event: RunEvent): void {
  if (obligation.status.kind === 'compensated')
    throw damaged(run, `changes the obligation of ${obligation.forward}, which is paid`);
  obligation.status = status;
  obligation.since = event.at;
}
