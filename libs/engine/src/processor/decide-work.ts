/**
 * Claims and reports of workers. Fenced by (activation, generation, session) in the domain; the answer goes to the
 * worker's inbox after the commit, with the next leaves of the run for which the worker said it has free slots
 * (spec 03 "Eager grants").
 */
import type { Run } from '@graphrun/domain';
import { assignmentOf, contractOf, execute, roleOf } from '@graphrun/domain';
import { LIMITS } from '@graphrun/dsl';
import type { ClaimRequest, Offer, ReportRequest, WorkerReceipt } from '@graphrun/protocol';
import { isSessionOf, workKeyText } from '@graphrun/protocol';
import { offerOf } from '../dispatch/offer.js';
import type { Resident } from '../residency.js';
import { rowStatusOf } from './rows.js';
import type { Turn } from './turn.js';
import { contextOf } from './turn.js';
import { unavailableRun } from './unavailable-run.js';

export function decideWork(turn: Turn, command: ClaimRequest | ReportRequest): void {
  const receipt = (fields: Omit<WorkerReceipt, 'kind' | 'ref'>): void => {
    turn.batch.reply(command.replyTo, { kind: 'worker', ref: command.ref, ...fields });
  };
  if (!isSessionOf(command.session, turn.by)) {
    turn.refused('the session is not the sender\u2019s own');
    receipt({ verdict: 'rejected', reason: 'the session belongs to another worker' });
    return;
  }
  const resident = turn.shared.residency.get(command.run);
  if (resident === undefined) {
    receipt({ verdict: 'stale', reason: unavailableRun(turn, command.run).message });
    return;
  }
  const { run } = resident;
  const statusBefore = rowStatusOf(run);
  if (command.kind === 'claim' && isTurnedAway(run, command)) {
    const { activation, generation } = command;
    turn.batch.record(resident, statusBefore, [], turn.now).turnedAway.push({ activation, generation });
    const reason = `run ${run.id} has ${LIMITS.activeLeavesPerRun} attempts under way; ${activation} waits for its turn`;
    receipt({ verdict: 'stale', reason });
    return;
  }
  const by = command.session;
  const { decision, events } = execute(run, domainCommand(command), contextOf(turn, by));
  if (events.length > 0) turn.batch.record(resident, statusBefore, events, turn.now);
  switch (decision.kind) {
    case 'rejected':
      receipt({ verdict: 'rejected', reason: decision.rejection.message });
      return;
    case 'stale':
      receipt({ verdict: 'stale', reason: decision.reason });
      return;
    case 'accepted': {
      const eager = command.kind === 'report' ? nextWork(turn, resident, command, decision.repeated === true) : [];
      const granted = decision.grant === undefined ? {} : { deadline: decision.grant.deadline };
      receipt({ verdict: 'accepted', ...granted, ...(eager.length > 0 ? { eager } : {}) });
    }
  }
}

function domainCommand(command: ClaimRequest | ReportRequest): Parameters<typeof execute>[1] {
  const { activation, generation, session } = command;
  return command.kind === 'claim'
    ? { kind: 'claim', activation, generation, session }
    : { kind: 'report', activation, generation, session, lax: command.lax, outcome: command.outcome };
}

/**
 * A run has only so many attempts under way. Offers are made by that number, so a claim beyond it comes from one that was out
 * longer: of a former owner, or from a queue that nobody took from. Its leaf is offered again when there is room.
 */
function isTurnedAway(run: Run, { activation, generation }: ClaimRequest): boolean {
  if (run.open.size <= LIMITS.activeLeavesPerRun || roleOf(activation) !== 'forward') return false;
  const status = run.leaves.get(activation)?.status;
  if (status?.kind !== 'ready' || status.generation !== generation) return false;
  let claimed = 0;
  for (const id of run.open) {
    if (run.leaves.get(id)?.status.kind === 'claimed' && roleOf(id) === 'forward') claimed += 1;
  }
  return claimed >= LIMITS.activeLeavesPerRun;
}

function nextWork(turn: Turn, resident: Resident, command: ReportRequest, repeated: boolean): Offer[] {
  return repeated ? heldLeaves(turn, resident, command) : eagerLeaves(turn, resident, command);
}

/**
 * A report comes again because its receipt was lost, perhaps with an owner that ended between commit and receipt. The
 * grants that the receipt carried are known to nobody else: without them the leaves would wait for the end of a lease.
 * What the session has begun already it knows by its generation.
 */
function heldLeaves(turn: Turn, { run }: Resident, { session }: ReportRequest): Offer[] {
  const offers: Offer[] = [];
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    if (leaf?.status.kind !== 'claimed' || leaf.status.claim.session !== session) continue;
    const { attempt, generation, deadline } = leaf.status.claim;
    offers.push(offerOf(turn.partition, run, leaf, { attempt, generation, strict: true, grantedUntil: deadline }));
  }
  return offers;
}

/**
 * Hands leaves that this commit has made ready, of any role, to the session that reported, as far as it has room: external
 * work, and what undoes or asks, with a grant in the same commit; pure steps as a lax offer that nobody else gets. In a run with more ready leaves than may be
 * active, others have waited longer for their turn.
 */
function eagerLeaves(turn: Turn, resident: Resident, command: ReportRequest): Offer[] {
  const offers: Offer[] = [];
  const write = turn.batch.runs.get(resident.run.id);
  if (write === undefined || command.free.length === 0) return offers;
  const { run } = resident;
  const { ready, claims } = write.agenda;
  if (ready.length + claims.length > LIMITS.activeLeavesPerRun) return offers;
  const room = new Map(command.free.map((entry) => [workKeyText(entry), entry.slots]));
  for (const { leaf, generation, attempt } of ready) {
    // What was ready before is in line already, and a retry goes through the queue: another worker may do better.
    if (attempt > 1 || !write.activated.has(leaf.id)) continue;
    if (write.directed.some((told) => told.activation === leaf.id)) continue;
    const { role, handler } = assignmentOf(run, leaf);
    const key = workKeyText({ role, activity: handler.name, version: handler.version });
    const slots = room.get(key) ?? 0;
    if (slots === 0) continue;
    room.set(key, slots - 1);
    // Only a step may run before its grant: nothing is undone, and nobody is asked, on a guess.
    if (role === 'forward' && contractOf(run, leaf).effects === 'pure') {
      offers.push(offerOf(turn.partition, run, leaf, { attempt, generation, strict: false, grantedUntil: null }));
      write.directed.push({ activation: leaf.id, generation, session: command.session });
      continue;
    }
    const { session } = command;
    const claim = { kind: 'claim', activation: leaf.id, generation, session } as const;
    const granted = execute(run, claim, contextOf(turn, session));
    if (granted.decision.kind !== 'accepted' || granted.decision.grant === undefined) continue;
    const { deadline } = granted.decision.grant;
    turn.batch.record(resident, null, granted.events, turn.now);
    offers.push(offerOf(turn.partition, run, leaf, { attempt, generation, strict: true, grantedUntil: deadline }));
  }
  return offers;
}
