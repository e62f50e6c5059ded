/**
 * Why a run is not advancing, in sentences (spec 02 "Replay and explanation"). Every run that has not ended has at least
 * one reason; each says where, since when, and what a person can do.
 */
import { LIMITS } from '@graphrun/dsl';
import type { Role } from './ids.js';
import type { Claim, Leaf, Run } from './state.js';
import { activityNodeOf, contractOf, isTerminal, stopOf } from './status.js';

/** What the owner knows beside the run. */
export interface ExplainFacts {
  /** UTC ms. */
  readonly now: number;
  /** Live workers that take this activity, version and role; null when it is not known. */
  workersFor(activity: string, version: number, role: Role): number | null;
}

export type ReasonCode =
  | 'queued'
  | 'no_worker'
  | 'running'
  | 'retry_wait'
  | 'settling'
  | 'intervention_required'
  | 'progress_due'
  | 'limit_near'
  | 'ended';

export interface Reason {
  readonly code: ReasonCode;
  /** `nodes.<key>` of what waits, or `run`. */
  readonly path: string;
  /** One sentence. */
  readonly message: string;
  /** What a person can do. */
  readonly action: string;
  /** UTC ms. */
  readonly since: number;
  /** UTC ms at which this reason ends by itself, where there is such a time. */
  readonly dueAt?: number;
}

export function explain(run: Run, facts: ExplainFacts): readonly Reason[] {
  if (isTerminal(run.status)) return [ended(run)];
  const reasons: Reason[] = [];
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    const reason = leaf === undefined ? null : explainLeaf(run, leaf, facts);
    if (reason !== null) reasons.push(reason);
  }
  if (run.progressDue) reasons.push(progressDue(run));
  return [...reasons, ...nearLimits(run)];
}

function explainLeaf(run: Run, leaf: Leaf, facts: ExplainFacts): Reason | null {
  const { status } = leaf;
  switch (status.kind) {
    case 'ready':
      return stopOf(run) === null ? queued(run, leaf, facts) : null;
    case 'claimed':
      return stopOf(run) === null ? running(run, leaf, status.claim, facts) : settling(run, leaf, status.claim);
    case 'retry_wait':
      return {
        code: 'retry_wait',
        path: path(leaf),
        message: `${name(run, leaf)} is tried again at ${time(status.dueAt)} after ${status.last.code}: ${status.last.message}`,
        action: `wait; ${budget(run, leaf)}`,
        since: leaf.since,
        dueAt: status.dueAt,
      };
    case 'blocked':
      return {
        code: 'intervention_required',
        path: path(leaf),
        message: `nobody knows whether ${name(run, leaf)} had its effect (${status.reason.code}: ${status.reason.message}), and it may not be repeated`,
        action: `find out by effect key gr1:${run.id}:${leaf.id}:forward; a late report of session ${status.claim.session} still settles it`,
        since: leaf.since,
      };
    case 'ended':
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return null;
  }
}

function queued(run: Run, leaf: Leaf, facts: ExplainFacts): Reason {
  const { activity } = activityNodeOf(run, leaf);
  const workers = facts.workersFor(activity.name, activity.version, 'forward');
  const common = { path: path(leaf), since: leaf.since };
  if (workers === 0) {
    return {
      code: 'no_worker',
      ...common,
      message: `${name(run, leaf)} is queued, and no live worker takes it as forward work`,
      action: `start a worker that handles ${activity.name} version ${activity.version}`,
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
    path: path(leaf),
    message: `${name(run, leaf)} runs as attempt ${claim.attempt} on ${claim.session}, which has time until ${time(claim.deadline)}${over}`,
    action: 'wait for its report or its deadline',
    since: leaf.since,
    dueAt: claim.deadline,
  };
}

function settling(run: Run, leaf: Leaf, claim: Claim): Reason {
  const intent = stopOf(run)?.intent ?? 'failure';
  return {
    code: 'settling',
    path: path(leaf),
    message: `the run stops (${intent}) once attempt ${claim.attempt} of ${name(run, leaf)} on ${claim.session} is settled: what an external effect becomes must be known`,
    action: 'wait for its report; without one by the deadline a person must say what happened',
    since: leaf.since,
    dueAt: claim.deadline,
  };
}

function progressDue(run: Run): Reason {
  return {
    code: 'progress_due',
    path: 'run',
    message: `the run has more to do by itself than one commit may hold (${LIMITS.progressTransitions} transitions) and goes on in the next`,
    action: 'wait a moment; if this stays, the partition that owns the run does not apply commands',
    since: run.updatedAt,
  };
}

function ended(run: Run): Reason {
  const failure = run.status.kind === 'failed' || run.status.kind === 'cancelled' ? run.status.failure : null;
  return {
    code: 'ended',
    path: 'run',
    message:
      failure === null
        ? 'the run has succeeded'
        : `the run has ${run.status.kind}: ${failure.code}, ${failure.message}`,
    action:
      failure === null ? 'nothing is left to do' : 'read the failure and start another run if the work is still wanted',
    since: run.endedAt ?? run.updatedAt,
  };
}

/** From this share of a limit on, a person is warned. */
const WARN_SHARE = 0.8;

function nearLimits(run: Run): Reason[] {
  return [
    nearLimit(run, run.historyBytes, LIMITS.historyBytes, 'bytes of history'),
    nearLimit(run, run.leaves.size, LIMITS.activationsPerRun, 'activations'),
  ].filter((reason) => reason !== null);
}

function nearLimit(run: Run, used: number, limit: number, what: string): Reason | null {
  if (used < limit * WARN_SHARE) return null;
  return {
    code: 'limit_near',
    path: 'run',
    message: `the run has used ${used} of ${limit} ${what}; at the limit its scope fails`,
    action: 'let the run end and continue in a new run before the limit is reached',
    since: run.updatedAt,
  };
}

function path(leaf: Leaf): string {
  return `nodes.${leaf.node}`;
}

function name(run: Run, leaf: Leaf): string {
  const { activity } = activityNodeOf(run, leaf);
  return `${activity.name} version ${activity.version}`;
}

function budget(run: Run, leaf: Leaf): string {
  const { maxAttempts } = activityNodeOf(run, leaf).retry;
  const used = leaf.attempts - leaf.returned;
  const effects = contractOf(run, leaf).effects;
  return `${used} of ${maxAttempts} attempts of this ${effects} activity are used`;
}

/** Times in sentences are read by people; `dueAt` has the number. */
function time(ms: number): string {
  return new Date(ms).toISOString();
}
