import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { failureOutcome, isCertainRollback, sessionSurvives } from './apply-outcome.js';

function databaseError(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError('refused', 7, 'error'), { code, severity });
}

describe('the outcome of a failed apply', () => {
  it.each(['22001', '22021', '23505', '54000'])('is a data error for SQLSTATE %s', (code) => {
    expect(failureOutcome(databaseError(code))).toEqual({ kind: 'data_error', sqlstate: code, message: 'refused' });
  });

  it('is a missed guard for the states that the function raises', () => {
    expect(failureOutcome(databaseError('GR001'))).toEqual({ kind: 'guard_missed', reason: 'row' });
    expect(failureOutcome(databaseError('GR002'))).toEqual({ kind: 'guard_missed', reason: 'clock' });
  });

  it.each([
    ['a terminated backend', databaseError('57P01', 'FATAL')],
    ['a statement timeout', databaseError('57014')],
    ['a deadlock that came twice', databaseError('40P01')],
    ['a full disk', databaseError('53100')],
    ['a data error of a session that ended', databaseError('22001', 'FATAL')],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
  ])('is unknown for %s', (_what, error) => {
    expect(failureOutcome(error)).toEqual({ kind: 'unknown', cause: error });
  });

  it('knows what was rolled back for certain, and which sessions go on', () => {
    expect(isCertainRollback(databaseError('40001'))).toBe(true);
    expect(isCertainRollback(databaseError('57014'))).toBe(false);
    expect(sessionSurvives(databaseError('57014'))).toBe(true);
    expect(sessionSurvives(databaseError('57P01', 'FATAL'))).toBe(false);
    expect(sessionSurvives(new Error('Query read timeout'))).toBe(false);
  });
});
