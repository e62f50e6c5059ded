/**
 * What a failed apply means (spec 04 "The guard"). The question is not what went wrong but what is certain: only an
 * error that PostgreSQL gave for the statement itself, and that is known here, says that nothing was written.
 */
import { DatabaseError } from 'pg';
import type { ApplyOutcome } from '../contract.js';
import { EncodingError } from './array-encoding.js';

/** Raised by `graphrun.apply_v1` when a partition row is not as the owner believes. */
const GUARD_ROW = 'GR001';
/** Raised by `graphrun.apply_v1` when the proposed time is ahead of PostgreSQL's clock. */
const GUARD_CLOCK = 'GR002';
/** Data exception, integrity constraint violation, program limit exceeded. */
const DATA_CLASSES: readonly string[] = ['22', '23', '54'];
/** Transaction rollback: deadlock or serialization failure. Nothing was written, and the same again may succeed. */
const ROLLBACK_CLASS = '40';

export function failureOutcome(error: unknown): Exclude<ApplyOutcome, { kind: 'committed' }> {
  if (error instanceof EncodingError) return { kind: 'data_error', sqlstate: error.sqlstate, message: error.message };
  const sqlstate = sqlstateOf(error);
  if (sqlstate === GUARD_ROW) return { kind: 'guard_missed', reason: 'row' };
  if (sqlstate === GUARD_CLOCK) return { kind: 'guard_missed', reason: 'clock' };
  if (sqlstate !== null && DATA_CLASSES.includes(sqlstate.slice(0, 2))) {
    return { kind: 'data_error', sqlstate, message: describe(error) };
  }
  return { kind: 'unknown', cause: error };
}

export function isCertainRollback(error: unknown): boolean {
  return sqlstateOf(error)?.startsWith(ROLLBACK_CLASS) ?? false;
}

/** Whether the session that gave this error goes on: an ERROR ends the statement, anything else the session. */
export function sessionSurvives(error: unknown): boolean {
  return error instanceof EncodingError || (error instanceof DatabaseError && error.severity === 'ERROR');
}

function sqlstateOf(error: unknown): string | null {
  return error instanceof DatabaseError && error.severity === 'ERROR' ? (error.code ?? null) : null;
}

function describe(error: unknown): string {
  if (!(error instanceof DatabaseError)) return String(error);
  return [error.message, error.detail, error.table && `table ${error.table}`].filter(Boolean).join('; ');
}
