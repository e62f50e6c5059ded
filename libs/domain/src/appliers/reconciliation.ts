/** Appliers of reconciliation: a reconciler is asked what became of an attempt (spec 03 "Reconciliation"). */
import type { BodyOf, RunEvent } from '../events.js';
import { probeOf } from '../ids.js';
import type { Leaf, LeafStatus, Run } from '../state.js';
import { addLeaf } from './activity.js';
import { damaged, findLeaf, moveLeaf } from './find.js';
import { forgetLeaf } from './forget.js';

export function reconciliationRequestedV1(run: Run, body: BodyOf<'reconciliation_requested'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  if (leaf.last === null) throw damaged(run, `asks about ${leaf.id}, which had no attempt`);
  const probing = { asked: 0, dueAt: body.dueAt };
  moveLeaf(run, leaf, { kind: 'reconciling', claim: leaf.last, reason: body.reason, probing }, event.at);
}

export function probeStartedV1(run: Run, body: BodyOf<'probe_started'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const status = reconciling(run, leaf);
  leaf.status = { ...status, probing: { asked: status.probing.asked, dueAt: null } };
  const { scope, node, pointer, input } = leaf;
  addLeaf(run, { id: probeOf(leaf.id), scope, node, pointer, input }, event.at);
}

/** The probe is over; what follows from its answer has an event of its own. */
export function probeAnsweredV1(run: Run, body: BodyOf<'probe_answered'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const status = reconciling(run, leaf);
  leaf.status = { ...status, probing: { asked: status.probing.asked + 1, dueAt: body.nextAt } };
  const probe = run.leaves.get(probeOf(leaf.id));
  if (probe === undefined) return;
  if (probe.last !== null) {
    const { generation, session } = probe.last;
    probe.reported = { generation, session, outcome: { kind: 'probed' } };
  }
  moveLeaf(run, probe, { kind: 'cancelled' }, event.at);
  forgetLeaf(run, probe.id);
}

function reconciling(run: Run, leaf: Leaf): Extract<LeafStatus, { kind: 'reconciling' }> {
  if (leaf.status.kind !== 'reconciling') throw damaged(run, `asks about ${leaf.id}, which is ${leaf.status.kind}`);
  return leaf.status;
}
