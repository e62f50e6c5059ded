/** Why work for a worker is not done yet. */
import { POLICIES } from '@graphrun/dsl';
import { effectKey, roleOf } from '../ids.js';
import { pathOf } from '../path.js';
import type { Claim, Leaf, Run } from '../state.js';
import { assignmentOf, contractOf, isOpen, scopeOf, stopOf, termsOf } from '../status.js';
import { time, type ExplainFacts, type Reason } from './reason.js';

export function explainLeaf(run: Run, leaf: Leaf, facts: ExplainFacts): Reason | null {
  const { status } = leaf;
  const closed = roleOf(leaf.id) === 'forward' && !isOpen(run, scopeOf(run, leaf));
  switch (status.kind) {
    case 'ready':
      return closed || run.paused !== null ? null : queued(run, leaf, facts);
    case 'claimed':
      return closed ? settling(run, leaf, status.claim, facts) : running(run, leaf, status.claim, facts);
    case 'retry_wait':
      return {
        code: 'retry_wait',
        path: path(run, leaf),
        message: `${name(run, leaf)} is tried again at ${time(status.dueAt)} after ${status.last.code}: ${status.last.message}`,
        action: `wait; ${budget(run, leaf)}`,
        since: leaf.since,
        dueAt: status.dueAt,
      };
    case 'reconciling': {
      const { asked, dueAt } = status.probing;
      const when = dueAt === null ? 'is being asked' : `is asked at ${time(dueAt)}`;
      return {
        code: 'reconciling',
        path: path(run, leaf),
        message: `nobody knows whether ${name(run, leaf)} had its effect (${status.reason.code}); its reconciler ${when}, as question ${asked + 1} of ${POLICIES.reconciliationProbes}`,
        action: 'wait for its answer; without one a person must say what happened',
        since: leaf.since,
        ...(dueAt === null ? {} : { dueAt }),
      };
    }
    case 'blocked':
      return blocked(run, leaf, status.claim, `${status.reason.code}: ${status.reason.message}`);
    default:
      return null;
  }
}

function blocked(run: Run, leaf: Leaf, claim: Claim, why: string): Reason | null {
  // The obligation says it for its compensation.
  if (roleOf(leaf.id) === 'compensation') return null;
  return {
    code: 'intervention_required',
    path: path(run, leaf),
    message: `nobody knows whether ${name(run, leaf)} had its effect (${why}), and it may not be repeated`,
    action: `find out by effect key ${effectKey(run.id, leaf.id)} and say so with graphrun resolve ${run.id} --activation ${leaf.id}; a late report of session ${claim.session} still settles it`,
    since: leaf.since,
  };
}

function queued(run: Run, leaf: Leaf, facts: ExplainFacts): Reason {
  const { handler, role, effect } = assignmentOf(run, leaf);
  const called = `${handler.name} version ${handler.version}`;
  const contractDigest = run.program.contractDigest(effect);
  const workers = facts.workersFor({ activity: handler.name, version: handler.version, role, contractDigest });
  const common = { path: path(run, leaf), since: leaf.since };
  if (workers?.able === 0 && workers.otherContract > 0) {
    const { otherContract } = workers;
    return {
      code: 'unknown_contract',
      ...common,
      message: `${name(run, leaf)} is queued, and every live worker of it (${otherContract}) hands it back: unknown contract ${contractDigest.slice(0, 12)}`,
      action: `start a worker whose catalog has the contract that this run was started with, and publish changed contracts under another version than ${handler.version}`,
    };
  }
  if (workers?.able === 0) {
    return {
      code: 'no_worker',
      ...common,
      message: `${name(run, leaf)} is queued, and no live worker takes it as ${role} work`,
      action: `start a worker that handles ${called}`,
    };
  }
  const known = workers === null ? '' : ` for one of ${workers.able} workers`;
  return {
    code: 'queued',
    ...common,
    message: `${name(run, leaf)} is queued${known} as attempt ${leaf.attempts + 1}`,
    action: 'wait, or add workers of this activity if the queue is long',
  };
}

function running(run: Run, leaf: Leaf, claim: Claim, facts: ExplainFacts): Reason {
  const over = facts.now > claim.deadline ? ' (that is over: its timeout is about to be recorded)' : '';
  return {
    code: 'running',
    path: path(run, leaf),
    message: `${name(run, leaf)} runs as attempt ${claim.attempt} on ${claim.session}, which has time until ${time(claim.deadline)}${over}${lastWord(leaf, claim, facts)}`,
    action: 'wait for its report or its deadline',
    since: leaf.since,
    dueAt: claim.deadline,
  };
}

/** In a sentence there is room for the beginning of the details; inspect has them all. */
const DETAILS_SHOWN = 160;

function lastWord(leaf: Leaf, claim: Claim, { heartbeats, now }: ExplainFacts): string {
  const heartbeat = heartbeats?.get(leaf.id);
  if (heartbeat?.generation !== claim.generation) return '';
  const ago = `; its last heartbeat was ${Math.max(0, Math.round((now - heartbeat.at) / 1000))} s ago`;
  if (heartbeat.details === null) return ago;
  const details = JSON.stringify(heartbeat.details);
  return `${ago}: ${details.length <= DETAILS_SHOWN ? details : `${details.slice(0, DETAILS_SHOWN)}…`}`;
}

function settling(run: Run, leaf: Leaf, claim: Claim, facts: ExplainFacts): Reason {
  const intent = stopOf(run)?.intent;
  const what = intent === undefined ? 'a part of the run stops' : `the run stops (${intent})`;
  return {
    code: 'settling',
    path: path(run, leaf),
    message: `${what} once attempt ${claim.attempt} of ${name(run, leaf)} on ${claim.session} is settled: what an external effect becomes must be known${lastWord(leaf, claim, facts)}`,
    action: 'wait for its report; without one by the deadline its reconciler or a person must say what happened',
    since: leaf.since,
    dueAt: claim.deadline,
  };
}

function path(run: Run, leaf: Leaf): string {
  return pathOf(run, scopeOf(run, leaf), leaf.node);
}

function name(run: Run, leaf: Leaf): string {
  const { handler, role } = assignmentOf(run, leaf);
  const called = `${handler.name} version ${handler.version}`;
  return role === 'forward' ? called : `${role} ${called}`;
}

function budget(run: Run, leaf: Leaf): string {
  const { maxAttempts } = termsOf(run, leaf).retry;
  const used = leaf.attempts - leaf.returned - leaf.forgiven;
  return `${used} of ${maxAttempts + leaf.extended} attempts of this ${contractOf(run, leaf).effects} activity are used`;
}
