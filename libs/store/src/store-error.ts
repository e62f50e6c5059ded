import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { GraphrunError } from '@graphrun/protocol';

/** Turns a failure of the database into the error of the caller; errors that are ours already pass unchanged. */
export function storeError(error: unknown): GraphrunError {
  if (error instanceof GraphrunError) return error;
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof DatabaseError)) {
    return new GraphrunError(
      'Unavailable',
      `PostgreSQL did not answer (${messageOf(cause)}). Nothing is known about the request; try again.`,
      { cause },
    );
  }
  const sqlstate = cause.code ?? '';
  if (sqlstate === '3F000' || sqlstate === '42P01' || sqlstate === '42883') {
    return new GraphrunError(
      'FailedPrecondition',
      `The store has no or only some of Graphrun's tables (${cause.message}): run its migrations first.`,
      { cause },
    );
  }
  if (sqlstate.startsWith('22') || sqlstate.startsWith('23') || sqlstate.startsWith('54')) {
    return new GraphrunError('InvalidArgument', `PostgreSQL refused a value: ${cause.message}.`, {
      cause,
      details: { sqlstate },
    });
  }
  if (sqlstate === '57014') {
    return new GraphrunError(
      'DeadlineExceeded',
      'PostgreSQL did not finish the request in time: ask for less at once, or look for what keeps the server busy.',
      { cause },
    );
  }
  if (/^(08|53|57|40|55)/.test(sqlstate)) {
    return new GraphrunError('Unavailable', `PostgreSQL cannot serve the request now (${cause.message}): try again.`, {
      cause,
      details: { sqlstate },
    });
  }
  return new GraphrunError('Internal', `PostgreSQL refused a statement of Graphrun: ${cause.message}.`, {
    cause,
    details: { sqlstate },
  });
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    // A host name with several addresses fails with one error for each of them.
    return error.errors.map(messageOf).join(', ');
  }
  return error instanceof Error ? error.message : String(error);
}
