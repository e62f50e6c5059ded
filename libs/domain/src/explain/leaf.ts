/** Why work for a worker is not done yet. */
import { POLICIES, type ActivityRef } from '@graphrun/dsl';
import { effectKey, roleOf } from '../ids.js';
import { pathOf } from '../path.js';
import type { Claim, Leaf, Run } from '../state.js';
import { contractOf, effectOf, isOpen, scopeOf, stopOf, termsOf } from '../status.js';
import { time, type ExplainFacts, type Reason } from './reason.js';

export function explainLeaf(run: Run, leaf: Leaf, facts: ExplainFacts): Reason | null {
  const { status } = leaf;
  const closed = roleOf(leaf.id) === 'forward' && !isOpen(run, scopeOf(run, leaf));
  switch (status.kind) {
    case 'ready':
      return closed || run.paused !== null ? null : queued(run, leaf, facts);
    case 'claimed':
      return closed ? settling(run, leaf, status.claim) : running(run, leaf, status.claim, facts);
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
  const { handler, role } = handlerOf(run, leaf);
  const workers = facts.workersFor(handler.name, handler.version, role);
  const common = { path: path(run, leaf), since: leaf.since };
  if (workers === 0) {
    return {
      code: 'no_worker',
      ...common,
      message: `${name(run, leaf)} is queued, and no live worker takes it as ${role} work`,
      action: `start a worker that handles ${handler.name} version ${handler.version}`,
    };
  }
  const known = workers === null ? '' : ` for one of ${workers} workers`;
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
    message: `${name(run, leaf)} runs as attempt ${claim.attempt} on ${claim.session}, which has time until ${time(claim.deadline)}${over}`,
    action: 'wait for its report or its deadline',
    since: leaf.since,
    dueAt: claim.deadline,
  };
}

function settling(run: Run, leaf: Leaf, claim: Claim): Reason {
  const intent = stopOf(run)?.intent;
  const what = intent === undefined ? 'a part of the run stops' : `the run stops (${intent})`;
  return {
    code: 'settling',
    path: path(run, leaf),
    message: `${what} once attempt ${claim.attempt} of ${name(run, leaf)} on ${claim.session} is settled: what an external effect becomes must be known`,
    action: 'wait for its report; without one by the deadline its reconciler or a person must say what happened',
    since: leaf.since,
    dueAt: claim.deadline,
  };
}

function handlerOf(run: Run, leaf: Leaf): { readonly handler: ActivityRef; readonly role: ReturnType<typeof roleOf> } {
  const role = roleOf(leaf.id);
  const reconciler = role === 'reconciliation' ? contractOf(run, leaf).reconciler : null;
  return { handler: reconciler ?? effectOf(run, leaf.pointer, leaf.id), role };
}

function path(run: Run, leaf: Leaf): string {
  return pathOf(run, scopeOf(run, leaf), leaf.node);
}

function name(run: Run, leaf: Leaf): string {
  const { handler, role } = handlerOf(run, leaf);
  const called = `${handler.name} version ${handler.version}`;
  return role === 'forward' ? called : `${role} ${called}`;
}

function budget(run: Run, leaf: Leaf): string {
  const { maxAttempts } = termsOf(run, leaf).retry;
  const used = leaf.attempts - leaf.returned;
  return `${used} of ${maxAttempts + leaf.extended} attempts of this ${contractOf(run, leaf).effects} activity are used`;
}
