/** Appliers of reconciliation: a reconciler is asked what became of an attempt (spec 03 "Reconciliation"). */
import type { BodyOf, RunEvent } from '../events.js';
import { probeOf } from '../ids.js';
import type { Leaf, LeafStatus, Run } from '../state.js';
import { addLeaf } from './activity.js';
import { damaged, findLeaf, moveLeaf } from './find.js';

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
  const earlier = run.leaves.get(probeOf(leaf.id));
  if (earlier !== undefined) return askAgain(run, earlier, event);
  const { scope, node, pointer, input } = leaf;
  addLeaf(run, { id: probeOf(leaf.id), scope, node, pointer, input }, event.at);
}

/** Its generations go on: an answer to an earlier question that comes twice is not taken for the answer to this one. */
function askAgain(run: Run, probe: Leaf, event: RunEvent): void {
  // To the end, where a new leaf would stand: the order of what is open follows from the order of the leaves.
  run.leaves.delete(probe.id);
  run.leaves.set(probe.id, probe);
  run.open.add(probe.id);
  moveLeaf(run, probe, { kind: 'ready', generation: (probe.last?.generation ?? 0) + 1 }, event.at);
}

/** The probe is over; what follows from its answer has an event of its own. */
export function probeAnsweredV1(run: Run, body: BodyOf<'probe_answered'>, event: RunEvent): void {
  const leaf = findLeaf(run, body.activation);
  const status = reconciling(run, leaf);
  leaf.status = { ...status, probing: { asked: status.probing.asked + 1, dueAt: body.nextAt } };
  // It is certain that nothing happened, so there is nothing left to ask about if the scope closes now.
  if (body.answer === 'not_applied') leaf.losses = [];
  const probe = run.leaves.get(probeOf(leaf.id));
  if (probe === undefined) return;
  // A probe that was lost has reported nothing; one that answered gets the same receipt again.
  if (probe.status.kind === 'claimed') {
    const { generation, session } = probe.status.claim;
    probe.reported = { generation, session, outcome: { kind: 'probed' } };
  }
  moveLeaf(run, probe, { kind: 'cancelled' }, event.at);
}

function reconciling(run: Run, leaf: Leaf): Extract<LeafStatus, { kind: 'reconciling' }> {
  if (leaf.status.kind !== 'reconciling') throw damaged(run, `asks about ${leaf.id}, which is ${leaf.status.kind}`);
  return leaf.status;
}
