import { describe, expect, it } from '@jest/globals';
import { median, percentile, significant, spread, spreads } from './statistics.js';

describe('median', () => {
  it('is the middle of an odd count, in whatever order the values come', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is the mean of the two in the middle of an even count', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  it('does not exist for no values', () => {
    expect(() => median([])).toThrow(new RangeError('there are no values to summarize'));
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is the value that this share of all values does not exceed', () => {
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
  });

  it('is always a measured value', () => {
    expect(percentile([10, 20], 0.5)).toBe(10);
    expect(percentile([10, 20], 0.51)).toBe(20);
    expect(percentile([7], 0.01)).toBe(7);
  });

  it('refuses shares that are none', () => {
    expect(() => percentile([1], 95)).toThrow(new RangeError('a share is above 0 and at most 1, not 95'));
    expect(() => percentile([1], 0)).toThrow(RangeError);
  });

  it('compares numbers, not their texts', () => {
    expect(percentile([9, 10, 100], 1)).toBe(100);
  });
});

describe('spread', () => {
  it('says the median and how far the repeats lie apart', () => {
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  });

  it('takes each metric of all repeats', () => {
    const repeats = [
      { per_second: 100, p50_ms: 5 },
      { per_second: 300, p50_ms: 4 },
      { per_second: 200, p50_ms: 9 },
    ];
    expect(spreads(repeats)).toEqual({
      per_second: { median: 200, min: 100, max: 300 },
      p50_ms: { median: 5, min: 4, max: 9 },
    });
  });

  it('refuses repeats that measured different things', () => {
    expect(() => spreads([{ per_second: 1 }, { p50_ms: 1 }])).toThrow(new RangeError('a repeat has no per_second'));
  });
});

describe('significant', () => {
  it('keeps the digits that mean something', () => {
    expect([12_345.6, 0.012_345_6, 3].map((value) => significant(value))).toEqual([12_350, 0.012_35, 3]);
  });
});
