/** Codes the engine itself gives to failures (spec 02 "Error codes"). A `fail` node may not use them. */
export const RESERVED_ERROR_CODES: ReadonlySet<string> = new Set([
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
]);

/** True for the codes of the engine, among them everything that begins with `limit.`. */
export function isReservedErrorCode(code: string): boolean {
  return RESERVED_ERROR_CODES.has(code) || code.startsWith('limit.');
}
