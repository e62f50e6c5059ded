/** `npm run sim -- --seeds N [--from S]`, or `--seed S [--trace]`: runs seeds, and makes the plan of one that fails small. */
import { parseArgs } from 'node:util';
import { planOf } from './plan.js';
import { shrink } from './shrink.js';
import { simulate } from './world.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** Without making a failing plan smaller. */
    quick: { type: 'boolean', default: false },
  },
});

const TRACE_LINES = 60;
const from = values.seed === undefined ? whole('--from', values.from) : whole('--seed', values.seed);
const count = values.seed === undefined ? whole('--seeds', values.seeds) : 1;

let steps = 0;
const begin = performance.now();
const statuses = new Map<string, number>();
for (let seed = from; seed < from + count; seed += 1) {
  const plan = planOf(seed);
  const outcome = await simulate(plan, { trace: values.trace });
  steps += outcome.steps;
  for (const status of outcome.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (values.trace) console.log(outcome.trace.join('\n'));
  if (outcome.violation === null) continue;
  console.log(`seed ${seed} fails after ${outcome.steps} steps: ${outcome.violation.message}`);
  if (!values.quick) {
    const small = await shrink(plan);
    console.log(`the smallest plan that fails: ${JSON.stringify(small.plan)}`);
    console.log(`its end:\n${small.outcome.trace.slice(-TRACE_LINES).join('\n')}`);
    console.log(small.outcome.violation?.message);
  }
  process.exit(1);
}
const seconds = (performance.now() - begin) / 1000;
console.log(`${count} seeds from ${from}: ${steps} steps in ${seconds.toFixed(1)} s, every promise kept`);
if (values.seed !== undefined) console.log([...statuses].map(([status, times]) => `${times} ${status}`).join(', '));

/** A number above 0; what is not one ends the program with a sentence. */
function whole(option: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  console.error(`${option} takes a whole number above 0, not ${JSON.stringify(text)}`);
  process.exit(2);
}
