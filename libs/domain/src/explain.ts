/**
 * Why a run is not advancing, in sentences (spec 02 "Replay and explanation"). Every run that has not ended has at least
 * one reason; each says where, since when, and what a person can do.
 */
import { LIMITS } from '@graphrun/dsl';
import { isProgressDue } from './advance.js';
import { explainLeaf } from './explain/leaf.js';
import { explainObligation } from './explain/obligation.js';
import type { ExplainFacts, Reason } from './explain/reason.js';
import { explainWait } from './explain/wait.js';
import type { Run } from './state.js';
import { isTerminal } from './status.js';

export type { ExplainFacts, Reason, ReasonCode } from './explain/reason.js';

export function explain(run: Run, facts: ExplainFacts): readonly Reason[] {
  if (isTerminal(run.status)) return [ended(run)];
  const reasons: Reason[] = [];
  if (run.paused !== null) reasons.push(paused(run, run.paused));
  for (const obligation of run.obligations.values()) {
    const reason = explainObligation(run, obligation);
    if (reason !== null) reasons.push(reason);
  }
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    const reason = leaf === undefined ? null : explainLeaf(run, leaf, facts);
    if (reason !== null) reasons.push(reason);
  }
  for (const id of run.pending) {
    const wait = run.waits.get(id);
    // A wait in a closed scope is about to be cancelled: nobody should send it anything.
    if (wait === undefined || run.scopes.get(wait.scope)?.status.kind !== 'open') continue;
    reasons.push(explainWait(run, wait, facts));
  }
  if (isProgressDue(run)) reasons.push(progressDue(run));
  return [...reasons, ...nearLimits(run)];
}

function paused(run: Run, { since, reason, by }: NonNullable<Run['paused']>): Reason {
  return {
    code: 'paused',
    path: 'run',
    message: `the run is paused by ${by} (${reason}): nothing new starts, what runs may still report, and cleanup waits as well`,
    action: `resume it: graphrun resume ${run.id}`,
    since,
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
  const since = run.endedAt ?? run.updatedAt;
  const { status } = run;
  switch (status.kind) {
    case 'failed':
    case 'cancelled':
    case 'terminated':
      return {
        code: 'ended',
        path: 'run',
        message: `the run has ${status.kind === 'terminated' ? 'been terminated' : status.kind}: ${status.failure.code}, ${status.failure.message}`,
        action: 'read the failure and start another run if the work is still wanted',
        since,
      };
    case 'continued':
      return {
        code: 'ended',
        path: 'run',
        message: `the run continued as ${status.successor}`,
        action: `look at run ${status.successor}`,
        since,
      };
    default:
      return { code: 'ended', path: 'run', message: 'the run has succeeded', action: 'nothing is left to do', since };
  }
}

/** From this share of a limit on, a person is warned. */
const WARN_SHARE = 0.8;

function nearLimits(run: Run): Reason[] {
  return [
    nearLimit(run, run.historyBytes, LIMITS.historyBytes, 'bytes of history'),
    nearLimit(run, run.activationCount + run.waitCount, LIMITS.activationsPerRun, 'activations'),
    nearLimit(run, run.scopeCount, LIMITS.scopesPerRun, 'scopes'),
    nearLimit(run, run.inbox.size, LIMITS.bufferedSignalsPerRun, 'buffered signals'),
  ].filter((reason) => reason !== null);
}

function nearLimit(run: Run, used: number, limit: number, what: string): Reason | null {
  if (used < limit * WARN_SHARE) return null;
  return {
    code: 'limit_near',
    path: 'run',
    message: `the run has used ${used} of ${limit} ${what}; at the limit its scope fails`,
    action: 'let the run end, or continue it as new, before the limit is reached',
    since: run.updatedAt,
  };
}
