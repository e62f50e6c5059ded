/**
 * The engine against the oracle: the same workflow, the same answers of its activities, any order, any accident. A failure
 * prints the seed and the smallest workflow that was found; `ORACLE_SEED` and `ORACLE_RUNS` try others.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { perform, REPORTED, supply } from './catalog.js';
import { arbitraryScript, type Handlers } from './script.js';
import { arbitraryEvents, compare } from './trial.js';
import { arbitraryWorkflow } from './workflows.js';

const SEED = Number(process.env['ORACLE_SEED'] ?? 20_261_130);
const RUNS = Number(process.env['ORACLE_RUNS'] ?? 400);

const handlers: Handlers = { perform, supply, payload: (_signal, number) => ({ n: number, tag: 'answer' }) };

describe('the engine and the oracle', () => {
  it('agree on what a workflow does, whatever the order and whatever goes wrong on the way', () => {
    const seen = new Map<string, number>();
    const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(
        arbitraryWorkflow(),
        fc.nat({ max: 999 }),
        fc.nat({ max: 3 }),
        arbitraryEvents(arbitraryScript(REPORTED)),
        (workflow, n, signals, events) => {
          const { program, sharedKey } = workflow;
          const buffered = Array.from({ length: signals }, (_, index) => ({
            id: `signal ${index}`,
            signal: 'go',
            key: sharedKey,
            payload: { n: index, tag: 'buffered' },
          }));
          const subject = { program, input: { n, tag: 'start' }, buffered, text: String(workflow) };
          const { verdict, course } = compare(subject, events, handlers);
          count(verdict);
          count(course.run.status.kind);
          for (const { body } of course.history) count(body.kind);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    if (process.env['ORACLE_SHOW'] !== undefined) console.log([...seen].map(([what, many]) => `${what} ${many}`).join('\n'));
    expect(seen.get('agreed')).toBeGreaterThan(RUNS * 0.9);
  });
});
