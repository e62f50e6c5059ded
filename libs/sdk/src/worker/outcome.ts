/** What became of a handler, as it is reported (spec 03 "Attempts"). */
import type { Failure, ReportOutcome } from '@graphrun/domain';
import { checkValue, LIMITS } from '@graphrun/dsl';
import type { Contract, Json } from '@graphrun/dsl';
import { ActivityError } from './activity-error.js';
import { AttemptAborted } from './attempt-aborted.js';

/** The handler's codec could not read the input. */
export class InputNotReadable extends Error {
  override readonly name = 'InputNotReadable';
}

/** The handler returned what cannot leave its thread, and so is no JSON. */
export class OutputNotSendable extends Error {
  override readonly name = 'OutputNotSendable';
}

/** The handler was never called. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** The outcome of a handler that returned. Its shape is judged by the engine, which has the schema of the run. */
export function returnedOutcome(output: unknown): ReportOutcome {
  const value = output === undefined ? null : output;
  const issue = checkValue(value);
  // checkValue has just proved that it is JSON.
  if (issue === null) return { kind: 'success', output: value as Json };
  if (issue.limit === 'payloadBytes') {
    const message = `the output is over the limit payloadBytes of ${LIMITS.payloadBytes} bytes; store it elsewhere and return a reference`;
    return { kind: 'unhandled', failure: { code: 'worker.result_too_large', message } };
  }
  const where = issue.pointer === '' ? 'the output' : `the output at ${issue.pointer}`;
  return { kind: 'unhandled', failure: failure('activity.bad_output', `${where} ${issue.message}`) };
}

/**
 * The outcome of a reconciler that returned. Throws for anything that is no answer: what a probe has not found out is
 * `unknown`, and the report has no room for the reason.
 */
export function answeredOutcome(result: unknown): ReportOutcome {
  if (result === 'not_applied' || result === 'unknown') return { kind: 'probed', answer: result };
  if (typeof result !== 'object' || result === null || !('applied' in result)) {
    throw new TypeError("a reconciler answers { applied: output }, 'not_applied' or 'unknown'");
  }
  const outcome = returnedOutcome(result.applied);
  if (outcome.kind !== 'success') throw new TypeError(`'applied' is no output: ${messageOf(outcome)}`);
  return { kind: 'probed', answer: 'applied', output: outcome.output };
}

function messageOf(outcome: ReportOutcome): string {
  return 'failure' in outcome ? outcome.failure.message : outcome.kind;
}

/** The outcome of a handler that threw. */
export function thrownOutcome(error: unknown, contract: Contract): ReportOutcome {
  if (error instanceof ActivityError) return { kind: 'error', failure: failure(error.code, error.message) };
  if (error instanceof InputNotReadable) return { kind: 'error', failure: failure('worker.decode', error.message) };
  if (error instanceof NotStarted) return { kind: 'returned', reason: error.message };
  if (error instanceof OutputNotSendable) {
    return { kind: 'unhandled', failure: failure('activity.bad_output', error.message) };
  }
  // Pure work that stopped for the shutdown has left nothing behind: a deploy must not cost it an attempt.
  if (contract.effects === 'pure' && isShutdown(error)) return STOPPED;
  return { kind: 'unhandled', failure: failure('activity.unhandled', describe(error)) };
}

/** The handler was asked to stop because its worker ends, and did. */
export function isShutdown(error: unknown): boolean {
  return error instanceof AttemptAborted && error.why === 'shutdown';
}

/** What stopped for a shutdown and has left nothing behind. */
export const STOPPED: ReportOutcome = {
  kind: 'returned',
  reason: 'the handler stopped for the shutdown of its worker',
};

function describe(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : `${error.name}: ${error.message}`;
  return `the handler threw a ${typeof error}: ${String(error)}`;
}

function failure(code: string, message: string): Failure {
  return { code, message: plainText(message, LIMITS.errorMessageBytes) };
}

/** `text` as the engine can store it: no NUL, no half surrogate pair, at most `maxBytes` of UTF-8. */
export function plainText(text: string, maxBytes: number): string {
  const clean = text.replace(/[\p{Surrogate}\0]/gu, '\uFFFD');
  if (Buffer.byteLength(clean) <= maxBytes) return clean;
  const ellipsis = '…';
  let bytes = Buffer.byteLength(ellipsis);
  let kept = '';
  for (const char of clean) {
    bytes += Buffer.byteLength(char);
    if (bytes > maxBytes) break;
    kept += char;
  }
  return kept + ellipsis;
}
