import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../value.js';
import { areUnique, isMultipleOf } from './exact-keywords.js';
import { compileSchema } from './validator.js';

describe('uniqueItems', () => {
  const unique = compileSchema({ uniqueItems: true });

  it.each<[Json[]]>([
    [[]],
    [[1, '1', true, null, 'true', 'null', false, 0, '']],
    [[{ a: 1 }, { a: 2 }, { b: 1 }, { a: 1, b: 1 }]],
    [
      [
        [1, 2],
        [2, 1],
        [1, [2]],
        [[1], 2],
      ],
    ],
    [['__proto__', 'constructor']],
    [[JSON.parse('{"__proto__": 1}') as Json, {}]],
  ])('takes %j', (items) => {
    expect(unique(items)).toBeNull();
  });

  it.each<[Json[]]>([
    [[1, 2, 1]],
    [[1, JSON.parse('1.0') as Json]],
    [['__proto__', '__proto__']],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
    ],
    [[null, null]],
    [[[], []]],
  ])('refuses %j', (items) => {
    expect(unique(items)).toEqual({ pointer: '', message: 'must not have equal items' });
  });

  it('says where the array stands, and means nothing for other values or when it is false', () => {
    const nested = compileSchema({ properties: { tags: { uniqueItems: true } } });
    expect(nested({ tags: ['a', 'a'] })).toEqual({ pointer: '/tags', message: 'must not have equal items' });
    expect(unique({ a: 1 })).toBeNull();
    expect(compileSchema({ uniqueItems: false })([1, 1])).toBeNull();
  });

  it('looks at each item once, so that the largest array takes no longer than it takes to read it', () => {
    let read = 0;
    const items = Array.from({ length: 50_000 }, (_, index) => index);
    const watched = new Proxy(items, {
      get(target, key, receiver): unknown {
        read += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    expect(areUnique(watched)).toBe(true);
    expect(read).toBeLessThan(4 * items.length);
  });
});

describe('multipleOf', () => {
  it.each([
    [19.99, 0.01],
    [0.3, 0.1],
    [1.1, 0.1],
    [-4.35, 0.05],
    [0.0075, 0.0001],
    [1e-7, 1e-8],
    [5e-324, 5e-324],
    [0, 0.7],
    [4.5, 1.5],
    [7, 3.5],
    [123_456_789_012.34, 0.01],
    [1e21, 1e20],
    [9_007_199_254_740_991, 1],
  ])('%d is a multiple of %d', (value, divisor) => {
    expect(isMultipleOf(value, divisor)).toBe(true);
  });

  it.each([
    [19.995, 0.01],
    [0.35, 0.1],
    [0.00751, 0.0001],
    [7, 2],
    [1, 0.3],
    [0.5, 1],
    [1e-8, 1e-7],
    [9_007_199_254_740_991, 2],
  ])('%d is no multiple of %d', (value, divisor) => {
    expect(isMultipleOf(value, divisor)).toBe(false);
  });

  it('is what a schema checks, for numbers only', () => {
    const cents = compileSchema({ properties: { price: { multipleOf: 0.01 } } });
    expect(cents({ price: 19.99 })).toBeNull();
    expect(cents({ price: 'free' })).toBeNull();
    expect(cents({ price: 19.999 })).toEqual({ pointer: '/price', message: 'must be a multiple of 0.01' });
  });

  it('holds for any number of hundredths', () => {
    const hundredths = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(hundredths, (count) => {
        const written = Number(`${count}e-2`);
        expect(isMultipleOf(written, 0.01)).toBe(true);
        expect(isMultipleOf(written, 0.1)).toBe(count % 10 === 0);
      }),
      { numRuns: 500 },
    );
  });
});
