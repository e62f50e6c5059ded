import { describe, expect, it } from '@jest/globals';
import { formatDuration, parseDuration } from './duration.js';
import { isReservedErrorCode, RESERVED_ERROR_CODES } from './error-codes.js';
import { isName, isNodeKey, parseVersionedName } from './names.js';
import { closest } from './suggest.js';

describe('names', () => {
  it('accept letters, digits, underscore, dot and dash, up to 64', () => {
    for (const name of ['a', 'Order.v1-x_2', '0', '...', 'x'.repeat(64)]) expect(isName(name)).toBe(true);
    for (const name of ['', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65)]) expect(isName(name)).toBe(false);
  });

  it('of nodes are lower case and begin with a letter', () => {
    for (const key of ['a', 'charge_2', 'constructor', 'x'.repeat(64)]) expect(isNodeKey(key)).toBe(true);
    for (const key of ['', 'A', '_a', '2a', 'a-b', 'a.b', 'a\n', 'x'.repeat(65)]) expect(isNodeKey(key)).toBe(false);
  });

  it('with versions are split at the last /v', () => {
    expect(parseVersionedName('order/v12')).toEqual({ name: 'order', version: 12 });
    for (const text of [
      'order',
      'order/v0',
      'order/v01',
      'order/1',
      'order/v1 ',
      'a b/v1',
      '/v1',
      'order/v9007199254740993',
    ]) {
      expect(parseVersionedName(text)).toBeNull();
    }
  });
});

describe('durations', () => {
  it('are a positive integer and a unit', () => {
    expect(['250ms', '30s', '5m', '2h', '7d'].map(parseDuration)).toEqual([
      250, 30_000, 300_000, 7_200_000, 604_800_000,
    ]);
  });

  it.each([
    '',
    '5',
    's',
    '0s',
    '05s',
    '-1s',
    '1.5s',
    '1 s',
    '1S',
    '1w',
    '1m30s',
    '1s\n',
    '9007199254740992ms',
    '1e3ms',
  ])('are not spelled %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it('are printed in their largest exact unit', () => {
    expect([1, 1_500, 60_000, 5_400_000, 86_400_000].map(formatDuration)).toEqual(['1ms', '1500ms', '1m', '90m', '1d']);
  });
});

describe('reserved error codes', () => {
  it('are the table of the engine and everything under limit.', () => {
    expect(RESERVED_ERROR_CODES.size).toBe(15);
    expect(isReservedErrorCode('run.timeout')).toBe(true);
    expect(isReservedErrorCode('limit.anything')).toBe(true);
    expect(isReservedErrorCode('order.invalid')).toBe(false);
  });
});

describe('did you mean', () => {
  it('finds swapped, missing and wrong letters', () => {
    expect(closest('dnoe', ['start', 'done'])).toBe('done');
    expect(closest('actvity', ['activity', 'complete'])).toBe('activity');
    expect(closest('ouptut', ['output', 'input'])).toBe('output');
  });

  it('counts at most three edits, exactly', () => {
    expect(closest('abcdefghijkl', ['abXdefghijkl', 'abcdefghijklm', 'XbcXefXhijkl'])).toBe('abXdefghijkl');
    expect(closest('abcdefghijkl', ['XbcXefXhijkl'])).toBe('XbcXefXhijkl');
    expect(closest('abcdefghijkl', ['XbcXefXhiXkl'])).toBeNull();
    expect(closest('abcdefghijkl', ['abcdefghi', 'xyzabcdefghijkl'])).toBe('abcdefghi');
    expect(closest('ab', ['ba'])).toBe('ba');
    expect(closest('ab', ['xy', 'cab'])).toBe('cab');
  });

  it('stays silent when nothing is close', () => {
    expect(closest('banana', ['output', 'input'])).toBeNull();
    expect(closest('', ['a'])).toBeNull();
  });
});
