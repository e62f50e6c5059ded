import { describe, expect, it } from '@jest/globals';
import { EncodingError, int4Array, int8Array, textArray, uuidArray } from './array-encoding.js';

describe('a binary array', () => {
  it('has one dimension, the element type, the count, the lower bound and the elements with their lengths', () => {
    expect(int4Array([1, -2]).toString('hex')).toBe(
      ['00000001', '00000000', '00000017', '00000002', '00000001', '00000004', '00000001', '00000004', 'fffffffe'].join(
        '',
      ),
    );
  });

  it('holds 64-bit integers of either sign up to the safe ones', () => {
    const values = [0, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    const array = int8Array(values);
    expect(values.map((_, index) => Number(array.readBigInt64BE(20 + index * 12 + 4)))).toEqual(values);
  });

  it('marks NULL by a length of -1 and says that there are some', () => {
    const array = int8Array([null, 5]);
    expect(array.readInt32BE(4)).toBe(1);
    expect(array.readInt32BE(20)).toBe(-1);
    expect(array.length).toBe(20 + 4 + 12);
  });

  it('takes UUIDs with and without dashes', () => {
    const dashed = uuidArray(['0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b']);
    expect(uuidArray(['0190a1b2c3d47e5f8a9b0c1d2e3f4a5b']).equals(dashed)).toBe(true);
    expect(dashed.subarray(24).toString('hex')).toBe('0190a1b2c3d47e5f8a9b0c1d2e3f4a5b');
  });

  it('counts the length of text in bytes of UTF-8', () => {
    const array = textArray(['aé😀', null, '']);
    expect(array.readInt32BE(20)).toBe(7);
    expect(array.subarray(24, 31).toString()).toBe('aé😀');
    expect(array.readInt32BE(31)).toBe(-1);
    expect(array.readInt32BE(35)).toBe(0);
    expect(array.length).toBe(39);
  });

  it.each([
    ['22003', () => int4Array([2 ** 31])],
    ['22003', () => int4Array([1.5])],
    ['22003', () => int8Array([2 ** 53])],
    ['22P02', () => uuidArray(['0190a1b2'])],
    ['22P02', () => uuidArray(['zz90a1b2c3d47e5f8a9b0c1d2e3f4a5b'])],
    ['22021', () => textArray(['\udc00'])],
  ])('refuses with %s what no column can hold', (sqlstate, encode) => {
    expect(encode).toThrow(EncodingError);
    expect(encode).toThrow(expect.objectContaining({ sqlstate }));
  });
});
