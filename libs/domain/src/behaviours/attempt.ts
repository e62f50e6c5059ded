/** The end of an attempt and what follows from it: a result, another attempt, a failure, or a question. */
import { POLICIES, type Contract } from '@graphrun/dsl';
import { jitteredDelayMs } from '../backoff.js';
import type { Grant } from '../commands.js';
import type { Failure } from '../events.js';
import { clampMessage, lossFailure } from '../failures.js';
import { forwardOf, roleOf, type SessionId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';
import { assignmentOf, contractOf, isOpen, scopeOf, termsOf } from '../status.js';
import { failNode } from './failing.js';
import { registerObligation } from './obligation.js';
import { isRetried, type Outcome, type UnknownReason } from './outcome.js';
import { answerProbe } from './probe.js';
import { seekOutcome } from './unknown-outcome.js';

/** Grants the next attempt of a ready leaf; the deadline is fixed from here on. */
export function grantAttempt(recorder: Recorder, leaf: Leaf, generation: number, session: SessionId): Grant {
  const activation = leaf.id;
  const attempt = leaf.attempts + 1;
  const deadline = recorder.now + assignmentOf(recorder.run, leaf).timeoutMs;
  recorder.record({ kind: 'attempt_granted', activation, attempt, generation, session, deadline });
  return { activation, attempt, generation, deadline };
}

/** Ends the leaf's last attempt, which is claimed or whose outcome is unknown so far. */
export function endAttempt(recorder: Recorder, leaf: Leaf, outcome: Outcome): void {
  const generation = lastGeneration(leaf);
  const activation = leaf.id;
  switch (outcome.kind) {
    case 'succeeded':
      return succeed(recorder, leaf, outcome.output);
    case 'probed':
      return answerProbe(recorder, leaf, outcome);
    case 'failed':
      recorder.record({ kind: 'attempt_failed', activation, generation, failure: outcome.failure });
      return afterFailure(recorder, leaf, outcome.failure);
    case 'unknown':
      return loseAttempt(recorder, leaf, outcome.reason, outcome.message);
    case 'unstarted':
      recordLoss(recorder, leaf, 'returned', outcome.message);
      return afterReturn(recorder, leaf);
  }
}

/** Accepts a result: of an activity, with what it owes from now on, or of a compensation. */
export function succeed(
  recorder: Recorder,
  leaf: Leaf,
  output: Extract<Outcome, { kind: 'succeeded' }>['output'],
): void {
  const generation = lastGeneration(leaf);
  if (roleOf(leaf.id) === 'compensation') {
    const activation = forwardOf(leaf.id);
    recorder.record({ kind: 'compensation_completed', activation, generation, output });
    return;
  }
  recorder.record({ kind: 'activity_succeeded', activation: leaf.id, generation, output });
  registerObligation(recorder, leaf);
}

/** The outcome of the running attempt is unknown. */
export function loseAttempt(recorder: Recorder, leaf: Leaf, reason: UnknownReason, message: string): void {
  recordLoss(recorder, leaf, reason, message);
  afterLoss(recorder, leaf, reason, lossFailure(reason, message));
}

export function recordLoss(recorder: Recorder, leaf: Leaf, reason: UnknownReason | 'returned', message: string): void {
  recorder.record({
    kind: 'attempt_lost',
    activation: leaf.id,
    generation: lastGeneration(leaf),
    reason,
    message: clampMessage(message),
  });
}

function afterFailure(recorder: Recorder, leaf: Leaf, failure: Failure): void {
  if (roleOf(leaf.id) === 'reconciliation') return answerProbe(recorder, leaf, { kind: 'probed', answer: 'unknown' });
  const { retry } = termsOf(recorder.run, leaf);
  if (mayRetry(recorder, leaf) && isRetried(contractOf(recorder.run, leaf), retry.errors, failure)) {
    return scheduleRetry(recorder, leaf, backoffMs(recorder, leaf, usedAttempts(leaf)));
  }
  giveUp(recorder, leaf, failure);
}

/**
 * Spec 03 "Attempts": pure work may always be repeated, external work only where its contract says so, and forward work
 * never while its scope is closed.
 */
export function afterLoss(recorder: Recorder, leaf: Leaf, reason: UnknownReason, failure: Failure): void {
  if (roleOf(leaf.id) === 'reconciliation') return answerProbe(recorder, leaf, { kind: 'probed', answer: 'unknown' });
  const contract = contractOf(recorder.run, leaf);
  if (mayRetry(recorder, leaf) && isRepeatable(contract)) {
    return scheduleRetry(recorder, leaf, lossDelayMs(recorder, leaf, reason));
  }
  switch (contract.effects) {
    case 'pure':
      return giveUp(recorder, leaf, failure);
    case 'external':
      return seekOutcome(recorder, leaf);
  }
}

/** An attempt handed back unstarted costs no budget, so the leaf is offered again, or withdrawn when its scope is closed. */
function afterReturn(recorder: Recorder, leaf: Leaf): void {
  const goesOn = roleOf(leaf.id) !== 'forward' || isOpen(recorder.run, scopeOf(recorder.run, leaf));
  if (goesOn) {
    const again = leaf.returned > 1;
    return scheduleRetry(recorder, leaf, again ? backoffMs(recorder, leaf, leaf.returned - 1) : 0);
  }
  const mayHaveHappened = leaf.losses.length > 0 && contractOf(recorder.run, leaf).effects === 'external';
  if (mayHaveHappened) seekOutcome(recorder, leaf);
  else recorder.record({ kind: 'activity_cancelled', activation: leaf.id });
}

function isRepeatable(contract: Contract): boolean {
  return contract.effects === 'pure' || contract.recovery === 'RetrySafe';
}

/** Compensations are repeated whatever has stopped: nothing but their budget ends them. */
export function mayRetry(recorder: Recorder, leaf: Leaf): boolean {
  const { run } = recorder;
  if (roleOf(leaf.id) === 'forward' && !isOpen(run, scopeOf(run, leaf))) return false;
  return usedAttempts(leaf) < termsOf(run, leaf).retry.maxAttempts + leaf.extended;
}

/** Attempts that count against the budget. */
export function usedAttempts(leaf: Leaf): number {
  return leaf.attempts - leaf.returned - leaf.forgiven;
}

/** One lost worker says nothing about the next, so its work is taken up at once; a second loss in a row waits. */
function lossDelayMs(recorder: Recorder, leaf: Leaf, reason: UnknownReason): number {
  const workerGone = reason === 'lease' || reason === 'worker_lost';
  return workerGone && leaf.losses.length === 1 ? 0 : backoffMs(recorder, leaf, usedAttempts(leaf));
}

function backoffMs(recorder: Recorder, leaf: Leaf, attempt: number): number {
  const { backoff } =
    roleOf(leaf.id) === 'reconciliation' ? { backoff: PROBE_BACKOFF } : termsOf(recorder.run, leaf).retry;
  return jitteredDelayMs(backoff, attempt, recorder.context.entropy);
}

/** Between offers of a probe that was handed back unstarted. */
const PROBE_BACKOFF = { initialMs: 1_000, multiplier: 2, maxMs: POLICIES.reconciliationIntervalMs };

export function scheduleRetry(recorder: Recorder, leaf: Leaf, delayMs: number): void {
  recorder.record({ kind: 'retry_scheduled', activation: leaf.id, delayMs, dueAt: recorder.now + delayMs });
}

/** A known failure that is final. */
export function giveUp(recorder: Recorder, leaf: Leaf, failure: Failure): void {
  if (roleOf(leaf.id) === 'compensation') {
    recorder.record({ kind: 'compensation_blocked', activation: forwardOf(leaf.id), reason: failure });
    return;
  }
  recorder.record({ kind: 'activity_failed', activation: leaf.id, failure });
  const scope = scopeOf(recorder.run, leaf);
  if (scope !== null) failNode(recorder, scope, leaf.node, failure);
}

function lastGeneration(leaf: Leaf): number {
  if (leaf.last === null) throw new Error(`leaf ${leaf.id} had no attempt that could end`);
  return leaf.last.generation;
}
