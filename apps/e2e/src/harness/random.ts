/** Chance that can be had again: the seed is printed, and `GRAPHRUN_E2E_SEED` sets it. */
import { randomInt } from 'node:crypto';

const SEED_VARIABLE = 'GRAPHRUN_E2E_SEED';

export function campaignSeed(): number {
  const given = process.env[SEED_VARIABLE];
  if (given === undefined || given === '') return randomInt(2 ** 31);
  const seed = Number(given);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Error(`${SEED_VARIABLE} must be a whole number, not ${JSON.stringify(given)}`);
}

/** Mulberry32: small, and good enough to choose moments. */
export class SeededRandom {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** `count` different whole numbers from `min` to `max`, ascending. */
  ascending(count: number, min: number, max: number): readonly number[] {
    if (max - min + 1 < count) throw new RangeError(`there are no ${count} different numbers from ${min} to ${max}`);
    const drawn = new Set<number>();
    while (drawn.size < count) drawn.add(this.integer(min, max));
    return [...drawn].sort((a, b) => a - b);
  }

  /** From 0 up to, not including, 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
