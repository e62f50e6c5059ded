/**
 * `report` says how an attempt ended. It counts for the claim it belongs to, for an attempt whose outcome is still
 * unknown, or, for pure work, as claim and report in one; anything else is about the past (spec 03 "Attempts").
 */
import { canonicalize } from '@graphrun/dsl';
import { afterLoss, endAttempt, grantAttempt, recordLoss } from '../behaviours/attempt.js';
import { observeLateResult } from '../behaviours/late-result.js';
import { classify, classifyProbe, type Outcome } from '../behaviours/outcome.js';
import type { Decision, ReportCommand } from '../commands.js';
import { lossFailure, reportedFailure } from '../failures.js';
import { roleOf, type ActivationId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Claim, Leaf, Run } from '../state.js';
import { contractOf, isOpen, isTerminal, scopeOf } from '../status.js';
import { ACCEPTED, CLOSED, forgotten, REPEATED, rejected, stale } from './answers.js';

export function report(recorder: Recorder, command: ReportCommand): Decision {
  const { run } = recorder;
  const leaf = leafOf(run, command.activation);
  if (leaf === undefined) return forgotten(run, command.activation);
  // A terminated run may have left attempts under way: nothing can be added to its history.
  if (isTerminal(run.status)) return isRepeat(leaf, command) ? REPEATED : stale(`the run has ${run.status.kind}`);
  if (leaf.status.kind === 'claimed' && isSame(leaf.status.claim, command)) {
    return settleClaim(recorder, leaf, leaf.status.claim, command);
  }
  if (isUndecided(leaf, command)) return settleUnknown(recorder, leaf, command);
  if (isOffered(leaf, command)) return answerOffer(recorder, leaf, command);
  if (isRepeat(leaf, command)) return REPEATED;
  observeLateResult(recorder, leaf, command);
  return stale(staleReason(leaf, command));
}

/** Also a leaf whose scope was forgotten a moment ago: its report may come once more. */
function leafOf(run: Run, activation: ActivationId): Leaf | undefined {
  return run.leaves.get(activation) ?? run.recent.findLast(({ id }) => id === activation);
}

function isSame(claim: Claim, command: ReportCommand): boolean {
  return claim.generation === command.generation && claim.session === command.session;
}

/**
 * What arrived by the deadline counts, whenever it is applied. What arrived later meets an outcome that is unknown
 * since the deadline, whether or not the engine has recorded that yet, and still settles it. The answer of a reconciler is
 * as good late as in time.
 */
function settleClaim(recorder: Recorder, leaf: Leaf, claim: Claim, command: ReportCommand): Decision {
  const outcome = outcomeOf(recorder, leaf, command);
  const timely = recorder.context.arrivedAt <= claim.deadline || outcome.kind === 'probed';
  if (timely || outcome.kind === 'unstarted') {
    endAttempt(recorder, leaf, outcome);
    return ACCEPTED;
  }
  const message = `no report by the deadline of attempt ${claim.attempt}`;
  recordLoss(recorder, leaf, 'timeout', message);
  if (outcome.kind === 'unknown') afterLoss(recorder, leaf, 'timeout', lossFailure('timeout', message));
  else endAttempt(recorder, leaf, outcome);
  return ACCEPTED;
}

/** The last attempt was lost, nothing newer was granted, and no report of it was accepted. */
function isUndecided(leaf: Leaf, command: ReportCommand): boolean {
  const { kind } = leaf.status;
  if (kind !== 'blocked' && kind !== 'retry_wait' && kind !== 'ready' && kind !== 'reconciling') return false;
  return leaf.last !== null && isSame(leaf.last, command) && leaf.reported?.generation !== command.generation;
}

function settleUnknown(recorder: Recorder, leaf: Leaf, command: ReportCommand): Decision {
  const outcome = outcomeOf(recorder, leaf, command);
  if (outcome.kind === 'unknown') {
    observeLateResult(recorder, leaf, command);
    return stale(`the outcome of attempt ${leaf.attempts} of ${leaf.id} stays unknown: ${outcome.message}`);
  }
  endAttempt(recorder, leaf, outcome);
  return ACCEPTED;
}

/** The leaf waits for exactly this attempt. */
function isOffered(leaf: Leaf, command: ReportCommand): boolean {
  return leaf.status.kind === 'ready' && leaf.status.generation === command.generation;
}

/** Nothing was granted: a hand-back changes nothing, and only pure work may have run already. */
function answerOffer(recorder: Recorder, leaf: Leaf, command: ReportCommand): Decision {
  if (command.outcome.kind === 'returned') return ACCEPTED;
  if (!command.lax) return stale(`${leaf.id} was not claimed: a report without lax needs a granted attempt`);
  if (roleOf(leaf.id) !== 'forward' || contractOf(recorder.run, leaf).effects !== 'pure') {
    return rejected('FailedPrecondition', `${leaf.id} is external work, which may not run before it is claimed`);
  }
  if (recorder.run.paused !== null) return stale('the run is paused and starts nothing until it is resumed');
  if (!isOpen(recorder.run, scopeOf(recorder.run, leaf))) return stale(CLOSED);
  const outcome = outcomeOf(recorder, leaf, command);
  grantAttempt(recorder, leaf, command.generation, command.session);
  endAttempt(recorder, leaf, outcome);
  return ACCEPTED;
}

function outcomeOf(recorder: Recorder, leaf: Leaf, command: ReportCommand): Outcome {
  if (roleOf(leaf.id) === 'reconciliation') return classifyProbe(command.outcome);
  return classify(recorder.run.program, contractOf(recorder.run, leaf), command.outcome);
}

/** An equal repeat of the last accepted report: its receipt was lost, and it gets the same one again. */
function isRepeat(leaf: Leaf, command: ReportCommand): boolean {
  const { reported } = leaf;
  if (reported?.generation !== command.generation || reported.session !== command.session) return false;
  const { outcome } = command;
  switch (reported.outcome.kind) {
    case 'success':
      return (
        outcome.kind === 'success' &&
        leaf.status.kind === 'succeeded' &&
        canonicalize(outcome.output) === canonicalize(leaf.status.output.value)
      );
    case 'error': {
      if (outcome.kind !== 'error' && outcome.kind !== 'unhandled') return false;
      const { code, message } = reportedFailure(outcome.failure);
      return reported.outcome.failure.code === code && reported.outcome.failure.message === message;
    }
    case 'returned':
      return outcome.kind === 'returned';
    case 'probed':
      return outcome.kind !== 'returned';
  }
}

function staleReason(leaf: Leaf, command: ReportCommand): string {
  const last = leaf.last === null ? 'it had no attempt' : `its last attempt has generation ${leaf.last.generation}`;
  return `generation ${command.generation} of ${leaf.id} is decided: it is ${leaf.status.kind}, ${last}`;
}
