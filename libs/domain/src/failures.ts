/**
 * The failures the engine itself speaks of: the closed table of `docs/errors.md`, as far as this part of the engine can
 * produce them. Everything else that fails a run has its code from a contract or from a `fail` node.
 */
import { byteLength, LIMITS, type SchemaIssue } from '@graphrun/dsl';
import type { Failure, LossReason } from './events.js';

/** Codes that this engine writes into histories. */
export const ENGINE_ERROR_CODES = [
  'LoopLimitExceeded',
  'WaitKeyConflict',
  'run.cancelled',
  'run.timeout',
  'saga.abandoned',
  'binding.missing',
  'binding.kind',
  'binding.range',
  'schema.invalid',
  'activity.timeout',
  'activity.lost',
  'activity.unhandled',
  'activity.bad_output',
  'worker.decode',
  'worker.result_too_large',
  'limit.activations',
  'limit.scopes',
  'limit.history',
  'limit.value',
] as const;

export type EngineErrorCode = (typeof ENGINE_ERROR_CODES)[number];

export function engineFailure(code: EngineErrorCode, message: string): Failure {
  return { code, message: clampMessage(message) };
}

/** A reported failure with its message cut to what an event may hold. */
export function reportedFailure(failure: Failure): Failure {
  return { code: failure.code, message: clampMessage(failure.message) };
}

/** Cuts at a character boundary and says so by an ellipsis. */
export function clampMessage(message: string): string {
  if (message.length * 3 <= LIMITS.errorMessageBytes || byteLength(message) <= LIMITS.errorMessageBytes) return message;
  let kept = '';
  let bytes = 0;
  for (const character of message) {
    bytes += byteLength(character);
    if (bytes > LIMITS.errorMessageBytes - 3) break;
    kept += character;
  }
  return `${kept}…`;
}

/** What a lost attempt is called when nothing better becomes known. */
export function lossFailure(reason: LossReason, message: string): Failure {
  return engineFailure(LOSS_CODES[reason], message);
}

const LOSS_CODES: Readonly<Record<LossReason, EngineErrorCode>> = {
  timeout: 'activity.timeout',
  lease: 'activity.lost',
  worker_lost: 'activity.lost',
  returned: 'activity.lost',
  unhandled: 'activity.unhandled',
  bad_output: 'activity.bad_output',
  result_too_large: 'worker.result_too_large',
};

export function schemaFailure(what: string, issue: SchemaIssue): Failure {
  return engineFailure('schema.invalid', `${what}${at(issue)} breaks its schema: ${issue.message}`);
}

/** `" at /amount"`, or nothing for the whole value. */
export function at(issue: SchemaIssue): string {
  return issue.pointer === '' ? '' : ` at ${issue.pointer}`;
}

export function historyLimit(bytes: number): Failure {
  return engineFailure(
    'limit.history',
    `the run's history has ${bytes} of ${LIMITS.historyBytes} bytes: no more work can be started`,
  );
}

export function activationsLimit(): Failure {
  return engineFailure(
    'limit.activations',
    `the run has had ${LIMITS.activationsPerRun} activations, the most a run may have`,
  );
}

export function scopesLimit(): Failure {
  return engineFailure('limit.scopes', `the run has had ${LIMITS.scopesPerRun} scopes, the most a run may have`);
}
