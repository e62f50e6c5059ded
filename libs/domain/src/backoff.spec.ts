import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffBoundMs, fraction, jitteredDelayMs } from './backoff.js';

const backoff = { initialMs: 1_000, multiplier: 2, maxMs: 60_000 };

describe('backoff', () => {
  it('grows by its multiplier up to its cap', () => {
    expect([1, 2, 3, 7, 10].map((attempt) => backoffBoundMs(backoff, attempt))).toEqual([
      1_000, 2_000, 4_000, 60_000, 60_000,
    ]);
  });

  it('is drawn between nothing and the bound, both included, in whole ms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), fc.integer({ min: 1, max: 10 }), (entropy, attempt) => {
        const delayMs = jitteredDelayMs(backoff, attempt, entropy);
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(backoffBoundMs(backoff, attempt));
      }),
    );
  });

  it('reaches both ends', () => {
    const ends = new Set(
      Array.from({ length: 64 }, (_, seed) => jitteredDelayMs({ ...backoff, initialMs: 1 }, 1, seed)),
    );
    expect([...ends].sort()).toEqual([0, 1]);
  });

  it('spreads neighbouring seeds over the whole range', () => {
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let seed = 0; seed < 10_000; seed++) {
      const bucket = Math.floor(fraction(seed) * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });

  it('is the same for the same seed', () => {
    expect(jitteredDelayMs(backoff, 3, 7)).toBe(jitteredDelayMs(backoff, 3, 7));
  });
});
