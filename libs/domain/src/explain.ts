/**
 * Why a run is not advancing, in sentences (spec 02 "Replay and explanation"). Every run that has not ended has at least
 * one reason; each says where, since when, and what a person can do.
 */
import { LIMITS } from '@graphrun/dsl';
import { isProgressDue } from './advance.js';
import { explainChildren } from './explain/children.js';
import { explainLeaf } from './explain/leaf.js';
import { nearLimits } from './explain/limits.js';
import { explainObligation } from './explain/obligation.js';
import type { ExplainFacts, Reason, RecoveryHold } from './explain/reason.js';
import { explainWait } from './explain/wait.js';
import type { Run } from './state.js';
import { isTerminal } from './status.js';

export { REASON_CODES } from './explain/reason.js';
export type {
  ExplainFacts,
  HeartbeatFact,
  Heartbeats,
  Reason,
  ReasonCode,
  RecoveryHold,
  WorkerCount,
  WorkKind,
} from './explain/reason.js';

export function explain(run: Run, facts: ExplainFacts): readonly Reason[] {
  if (isTerminal(run.status)) return [ended(run)];
  const reasons: Reason[] = [];
  if (facts.hold !== undefined) reasons.push(held(facts.hold));
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
  for (const container of run.containers.values()) {
    const reason = explainChildren(run, container);
    if (reason !== null) reasons.push(reason);
  }
  if (isProgressDue(run)) reasons.push(progressDue(run));
  return [...reasons, ...nearLimits(run)];
}

function held({ since }: RecoveryHold): Reason {
  return {
    code: 'recovery_hold',
    path: 'run',
    message:
      'the cluster was restored from a backup and is held: nothing starts, for effects after the backup may have happened',
    action: 'compare the ledgers of the outside world with the restored runs, then acknowledge the recovery',
    since,
  };
}

function paused(run: Run, { since, reason, by }: NonNullable<Run['paused']>): Reason {
  return {
    code: 'paused',
    path: 'run',
    message: `the run is paused by ${by} (${reason}): nothing new starts, what runs may still report, and cleanup begins at resume`,
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
