/**
 * What a report says about an attempt, in the engine's own terms. The table of spec 03 "Attempts": what a pure activity
 * reports is known, because nothing but its result matters; of an external one only a success that fits its schema and
 * an error that the handler chose to report are known.
 */
import { isReservedErrorCode, type Contract, type Json, type Program } from '@graphrun/dsl';
import type { ReportOutcome } from '../commands.js';
import type { Failure, LossReason, ProbeAnswer } from '../events.js';
import { at, lossFailure, reportedFailure } from '../failures.js';

export type Outcome =
  | { readonly kind: 'succeeded'; readonly output: Json }
  /** The handler did not do its work and says so. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The effect may have happened, or not. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly message: string }
  /** What a reconciler says about the attempt it was asked about; `output` with `applied`. */
  | { readonly kind: 'probed'; readonly answer: ProbeAnswer; readonly output?: Json }
  /** The handler was never started. */
  | { readonly kind: 'unstarted'; readonly message: string };

export type UnknownReason = Exclude<LossReason, 'returned'>;

/** A probe that reports anything but an answer has found out nothing. */
export function classifyProbe(outcome: ReportOutcome): Outcome {
  switch (outcome.kind) {
    case 'probed':
      return outcome;
    case 'returned':
      return { kind: 'unstarted', message: outcome.reason };
    default:
      return { kind: 'probed', answer: 'unknown' };
  }
}

export function classify(program: Program, contract: Contract, outcome: ReportOutcome): Outcome {
  switch (outcome.kind) {
    case 'probed':
      return withoutOutcome(contract, 'unhandled', 'the answer of a reconciler was reported for an attempt');
    case 'success': {
      const issue = program.validate(contract.outputSchema, outcome.output);
      if (issue === null) return { kind: 'succeeded', output: outcome.output };
      return withoutOutcome(contract, 'bad_output', `output${at(issue)} breaks its schema: ${issue.message}`);
    }
    case 'error':
    case 'unhandled':
      return classifyFailure(contract, outcome.kind, outcome.failure);
    case 'returned':
      return { kind: 'unstarted', message: outcome.reason };
  }
}

function classifyFailure(contract: Contract, kind: 'error' | 'unhandled', failure: Failure): Outcome {
  switch (failure.code) {
    case 'worker.decode':
      // The handler's codec refused the input, so the handler did not run: known, whatever the effects.
      return { kind: 'failed', failure: reportedFailure(failure) };
    case 'worker.result_too_large':
      return withoutOutcome(contract, 'result_too_large', failure.message);
    case 'activity.bad_output':
      return withoutOutcome(contract, 'bad_output', failure.message);
    default:
      // The engine's own codes are not a handler's to report: what really happened is not known from them.
      return kind === 'error' && !isReservedErrorCode(failure.code)
        ? { kind: 'failed', failure: reportedFailure(failure) }
        : withoutOutcome(contract, 'unhandled', describe(failure));
  }
}

function describe(failure: Failure): string {
  return failure.code === 'activity.unhandled' ? failure.message : `${failure.code}: ${failure.message}`;
}

function withoutOutcome(contract: Contract, reason: UnknownReason, message: string): Outcome {
  switch (contract.effects) {
    case 'external':
      return { kind: 'unknown', reason, message };
    case 'pure':
      return { kind: 'failed', failure: lossFailure(reason, message) };
  }
}

/** Whether another attempt may follow a known failure, budget aside. */
export function isRetried(contract: Contract, retryErrors: readonly string[], failure: Failure): boolean {
  if (!retryErrors.includes(failure.code)) return false;
  if (failure.code === 'activity.unhandled') return true;
  return contract.errorCodes.some((declared) => declared.code === failure.code && declared.retryable);
}
