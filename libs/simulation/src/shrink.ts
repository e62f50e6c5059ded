/** Makes a plan that fails smaller while it still fails, so that what remains is what matters. */
import { CALM } from './plan.js';
import type { Plan, Rates } from './plan.js';
import { simulate } from './world.js';
import type { Outcome } from './world.js';

export interface Shrunk {
  readonly plan: Plan;
  readonly outcome: Outcome;
}

const MOST_TRIALS = 300;

export async function shrink(failing: Plan): Promise<Shrunk> {
  let best: Shrunk = { plan: failing, outcome: await simulate(failing) };
  let trials = 0;
  for (let smaller = true; smaller && trials < MOST_TRIALS;) {
    smaller = false;
    for (const plan of smallerThan(best.plan)) {
      if (trials >= MOST_TRIALS) break;
      trials += 1;
      const outcome = await simulate(plan);
      if (outcome.violation === null) continue;
      best = { plan, outcome };
      smaller = true;
      break;
    }
  }
  return best;
}

/** What is left out first is most likely to matter least. */
function* smallerThan(plan: Plan): Generator<Plan> {
  if (plan.faults.length > 1) yield { ...plan, faults: [] };
  for (const index of plan.runs.keys()) if (plan.runs.length > 1) yield { ...plan, runs: without(plan.runs, index) };
  for (const index of plan.faults.keys()) yield { ...plan, faults: without(plan.faults, index) };
  for (const name of Object.keys(plan.rates) as (keyof Rates)[])
    if (plan.rates[name] > 0) yield { ...plan, rates: { ...plan.rates, [name]: CALM[name] } };
  for (const [index, run] of plan.runs.entries())
    for (const op of run.ops.keys())
      yield { ...plan, runs: plan.runs.with(index, { ...run, ops: without(run.ops, op) }) };
  const member0 = plan.faults.every(({ action }) => !('member' in action) || action.member === 0);
  if (plan.members > 1 && member0) yield { ...plan, members: 1 };
  const partition0 = plan.faults.every(({ action }) => !('partition' in action) || action.partition === 0);
  if (plan.partitions > 1 && partition0) yield { ...plan, partitions: 1 };
  const workers = plan.faults.reduce(
    (most, { action }) => ('worker' in action ? Math.max(most, action.worker + 1) : most),
    1,
  );
  if (plan.workers > workers) yield { ...plan, workers };
  if (plan.smallMemory) yield { ...plan, smallMemory: false };
  if (plan.free > 0) yield { ...plan, free: 0 };
}

function without<T>(list: readonly T[], index: number): readonly T[] {
  return list.toSpliced(index, 1);
}
