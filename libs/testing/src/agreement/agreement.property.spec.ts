/**
 * The engine against the oracle: the same workflow, the same answers of its activities, any order, any accident. A failure
 * tells the smallest workflow that was found; `npm run agreement` tries others. What the oracle would notice is proven in
 * `sensitivity.property.spec.ts`.
 */
import { describe, expect, it } from '@jest/globals';
import type fc from 'fast-check';
import { ENGINE } from './engine.js';
import { expectAgreement } from './property.js';
import { pairs, Tally } from './tally.js';
import { arbitrarySaga, arbitraryWorkflow, type Workflow } from './workflows.js';

/** Set by `npm run agreement`. */
const { ORACLE_SEED, ORACLE_RUNS, ORACLE_PATH, ORACLE_SHOW } = process.env;
const SEED = Number(ORACLE_SEED ?? 20_261_130);
const RUNS = Number(ORACLE_RUNS ?? 1_500);

/** What has to come up at least once, or the generators are worth nothing. */
const WANTED = [
  ...pairs(['completed', 'failed']),
  ...['succeeded', 'failed', 'cancelled', 'active', 'depth 3'],
  ...['obligation_blocked', 'obligation_irreversible', 'obligations_transferred', 'obligations_released'],
  ...['compensation_blocked', 'compensation_completed', 'probe_answered', 'intervention_resolved', 'error_routed'],
  ...['wait_satisfied', 'wait_timed_out', 'wait_cancelled', 'retry_due', 'run_stop_repeated', 'run_paused'],
];

function trials(workflows: fc.Arbitrary<Workflow>): Tally {
  const tally = new Tally();
  const path = ORACLE_PATH === undefined ? {} : { path: ORACLE_PATH };
  expectAgreement({ engine: ENGINE, workflows, seed: SEED, runs: RUNS, tally, ...path });
  if (ORACLE_SHOW !== undefined) console.log(String(tally));
  return tally;
}

describe('the engine and the oracle', () => {
  it('agree on what a workflow does, whatever the order and whatever goes wrong on the way', () => {
    const tally = trials(arbitraryWorkflow());
    if (ORACLE_RUNS !== undefined) return;
    expect(tally.of('agreed')).toBeGreaterThan(RUNS * 0.9);
    expect(tally.missing(WANTED)).toEqual([]);
    // Cancelled from outside in nearly every pair; which ones are left out is chance.
    expect(tally.missing(pairs(['cancelled'])).length).toBeLessThan(5);
  });

  it('agree on what a saga undoes, and in which order', () => {
    const tally = trials(arbitrarySaga());
    if (ORACLE_RUNS !== undefined) return;
    expect(tally.of('compensation_completed')).toBeGreaterThan(RUNS * 0.3);
  });
});
