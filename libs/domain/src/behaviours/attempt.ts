/** The end of an attempt and what follows from it: a result, another attempt, a failure, or a question to a person. */
import type { Contract } from '@graphrun/dsl';
import { jitteredDelayMs } from '../backoff.js';
import type { Grant } from '../commands.js';
import type { Failure } from '../events.js';
import { clampMessage, lossFailure } from '../failures.js';
import type { ActivationId, SessionId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';
import { activityNodeOf, contractOf, scopeOf, stopOf } from '../status.js';
import { intervene } from './intervention.js';
import { isRetried, type Outcome, type UnknownReason } from './outcome.js';
import { failScope } from './stopping.js';

/** Grants the next attempt of a ready leaf; the deadline is fixed from here on. */
export function grantAttempt(recorder: Recorder, leaf: Leaf, generation: number, session: SessionId): Grant {
  const activation: ActivationId = leaf.id;
  const attempt = leaf.attempts + 1;
  const deadline = recorder.now + activityNodeOf(recorder.run, leaf).timeoutMs;
  recorder.record({ kind: 'attempt_granted', activation, attempt, generation, session, deadline });
  return { activation, attempt, generation, deadline };
}

/** Ends the leaf's last attempt, which is claimed or whose outcome is unknown so far. */
export function endAttempt(recorder: Recorder, leaf: Leaf, outcome: Outcome): void {
  const generation = lastGeneration(leaf);
  const activation = leaf.id;
  switch (outcome.kind) {
    case 'succeeded':
      recorder.record({ kind: 'activity_succeeded', activation, generation, output: outcome.output });
      return;
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
  const { retry } = activityNodeOf(recorder.run, leaf);
  if (mayRetry(recorder, leaf) && isRetried(contractOf(recorder.run, leaf), retry.errors, failure)) {
    return scheduleRetry(recorder, leaf, backoffMs(recorder, leaf, usedAttempts(leaf)));
  }
  failActivity(recorder, leaf, failure);
}

/**
 * Spec 03 "Attempts": pure work may always be repeated, external work only where its contract says so, and nothing is
 * repeated while the run stops.
 */
export function afterLoss(recorder: Recorder, leaf: Leaf, reason: UnknownReason, failure: Failure): void {
  const contract = contractOf(recorder.run, leaf);
  if (mayRetry(recorder, leaf) && isRepeatable(contract)) {
    return scheduleRetry(recorder, leaf, lossDelayMs(recorder, leaf, reason));
  }
  switch (contract.effects) {
    case 'pure':
      return failActivity(recorder, leaf, failure);
    case 'external':
      return intervene(recorder, leaf);
  }
}

/** An attempt handed back unstarted costs no budget, so the leaf is offered again, or withdrawn when the run stops. */
function afterReturn(recorder: Recorder, leaf: Leaf): void {
  if (stopOf(recorder.run) === null) {
    const again = leaf.returned > 1;
    return scheduleRetry(recorder, leaf, again ? backoffMs(recorder, leaf, leaf.returned - 1) : 0);
  }
  const mayHaveHappened = leaf.losses > 0 && contractOf(recorder.run, leaf).effects === 'external';
  if (mayHaveHappened) intervene(recorder, leaf);
  else recorder.record({ kind: 'activity_cancelled', activation: leaf.id });
}

function isRepeatable(contract: Contract): boolean {
  return contract.effects === 'pure' || contract.recovery === 'RetrySafe';
}

function mayRetry(recorder: Recorder, leaf: Leaf): boolean {
  if (stopOf(recorder.run) !== null) return false;
  return usedAttempts(leaf) < activityNodeOf(recorder.run, leaf).retry.maxAttempts;
}

/** Attempts that count against the budget. */
export function usedAttempts(leaf: Leaf): number {
  return leaf.attempts - leaf.returned;
}

/** One lost worker says nothing about the next, so its work is taken up at once; a second loss in a row waits. */
function lossDelayMs(recorder: Recorder, leaf: Leaf, reason: UnknownReason): number {
  const workerGone = reason === 'lease' || reason === 'worker_lost';
  return workerGone && leaf.losses === 1 ? 0 : backoffMs(recorder, leaf, usedAttempts(leaf));
}

function backoffMs(recorder: Recorder, leaf: Leaf, attempt: number): number {
  return jitteredDelayMs(activityNodeOf(recorder.run, leaf).retry.backoff, attempt, recorder.context.entropy);
}

function scheduleRetry(recorder: Recorder, leaf: Leaf, delayMs: number): void {
  recorder.record({ kind: 'retry_scheduled', activation: leaf.id, delayMs, dueAt: recorder.now + delayMs });
}

function failActivity(recorder: Recorder, leaf: Leaf, failure: Failure): void {
  recorder.record({ kind: 'activity_failed', activation: leaf.id, failure });
  failScope(recorder, scopeOf(recorder.run, leaf), failure);
}

function lastGeneration(leaf: Leaf): number {
  if (leaf.last === null) throw new Error(`leaf ${leaf.id} had no attempt that could end`);
  return leaf.last.generation;
}
