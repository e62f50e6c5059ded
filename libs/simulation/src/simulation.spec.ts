import { describe, expect, it } from '@jest/globals';
import { planOf } from './plan.js';
import { simulate } from './world.js';

/** `npm run sim -- --seeds N` goes on from here. */
const SEEDS = 2000;
/** Some 70 s on an idle machine of two slow cores; this only ends what hangs. */
const DEADLINE_MS = 900_000;

describe('the simulation', () => {
  it('takes exactly the same steps for the same seed', async () => {
    for (const seed of [3, 7, 11, 38, 287]) {
      const first = await simulate(planOf(seed));
      const second = await simulate(planOf(seed));
      expect([second.hash, second.steps]).toEqual([first.hash, first.steps]);
    }
  });

  it('takes other steps for another seed', async () => {
    const hashes = new Set<number>();
    for (let seed = 1; seed <= 10; seed += 1) hashes.add((await simulate(planOf(seed))).hash);
    expect(hashes.size).toBe(10);
  });

  it(
    'keeps every promise under crashes, lost messages, two owners, unknown commits and clock jumps',
    async () => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { violation } = await simulate(planOf(seed));
        if (violation !== null) throw new Error(`npm run sim -- --seed ${seed}: ${violation.message}`);
      }
    },
    DEADLINE_MS,
  );
});
