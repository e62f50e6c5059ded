/** What the exit code of `graphrun` says (spec 05 "CLI"). */
import type { ErrorCode } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';

export const EXIT = {
  ok: 0,
  runFailed: 1,
  invalid: 2,
  notFound: 3,
  conflict: 4,
  precondition: 5,
  notPermitted: 6,
  unavailable: 7,
  waitTimedOut: 8,
  exhausted: 9,
  internal: 70,
} as const;

const BY_CODE: Readonly<Record<ErrorCode, number>> = {
  InvalidArgument: EXIT.invalid,
  NotFound: EXIT.notFound,
  AlreadyExists: EXIT.conflict,
  FailedPrecondition: EXIT.precondition,
  Expired: EXIT.precondition,
  Unauthenticated: EXIT.notPermitted,
  PermissionDenied: EXIT.notPermitted,
  Unavailable: EXIT.unavailable,
  DeadlineExceeded: EXIT.unavailable,
  ResourceExhausted: EXIT.exhausted,
  Internal: EXIT.internal,
};

export function exitCodeOf(error: unknown): number {
  return error instanceof GraphrunError ? BY_CODE[error.code] : EXIT.internal;
}

/** The exit code of a command that has seen this status of a run: a run that goes on is 8, whatever it waits for. */
export function exitCodeOfRun(status: string): number {
  switch (status) {
    case 'succeeded':
    case 'continued':
      return EXIT.ok;
    case 'failed':
    case 'cancelled':
    case 'terminated':
      return EXIT.runFailed;
    default:
      return EXIT.waitTimedOut;
  }
}
