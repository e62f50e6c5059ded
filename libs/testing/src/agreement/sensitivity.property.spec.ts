/** Whether the oracle would notice: the domain is broken in many ways, one after the other, and each must lead to a disagreement. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Engine } from './engine.js';
import { MUTANTS } from './mutants.js';
import { withMutant } from './mutated-engine.js';
import { arbitraryTrial, carryOut } from './trial.js';
import { arbitrarySaga, arbitraryWorkflow } from './workflows.js';

const SEED = 20_261_201;
const MOST_TRIALS = 2_000;

function isNoticed(engine: Engine): boolean {
  const workflows = fc.oneof(arbitraryWorkflow(), arbitrarySaga());
  const property = fc.property(fc.noBias(arbitraryTrial(workflows)), (trial) => {
    const { differences } = carryOut(engine, trial);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  });
  return fc.check(property, { numRuns: MOST_TRIALS, seed: SEED, endOnFailure: true }).failed;
}

describe('the oracle', () => {
  it.each(MUTANTS)('notices an engine that $what', async (mutant) => {
    expect(await withMutant(mutant, isNoticed)).toBe(true);
  });
});
