/** The agreement of engine and oracle as a property: many trials, and the smallest one that fails told in full. */
import fc from 'fast-check';
import type { Engine } from './engine.js';
import { reportOf } from './report.js';
import type { Tally } from './tally.js';
import { arbitraryTrial, carryOut, type Trial } from './trial.js';
import type { Workflow } from './workflows.js';

export interface Trials {
  readonly engine: Engine;
  readonly workflows: fc.Arbitrary<Workflow>;
  readonly seed: number;
  readonly runs: number;
  /** Leads to one trial, as a failure says it. */
  readonly path?: string;
  /** What has come up. */
  readonly tally: Tally;
}

/** @throws Error that tells the smallest trial in which they disagree, and how it is had again. */
export function expectAgreement({ engine, workflows, seed, runs, path, tally }: Trials): void {
  const property = fc.property(fc.noBias(arbitraryTrial(workflows)), (trial) => {
    agree(engine, trial, tally);
  });
  const found = fc.check(property, { numRuns: runs, seed, ...(path === undefined ? {} : { path }) });
  if (!found.failed) return;
  const { counterexample, numRuns, numShrinks } = found;
  const [trial] = counterexample ?? [];
  if (trial === undefined) throw new Error(`no trial was carried out: ${fc.defaultReportMessage(found) ?? ''}`);
  const again = `--seed ${found.seed} --path ${found.counterexamplePath ?? ''}`;
  throw new Error(
    `engine and oracle disagree in trial ${numRuns}, shrunk ${numShrinks} times (${again})\n${reportOf(engine, trial)}`,
  );
}

function agree(engine: Engine, trial: Trial, tally: Tally): void {
  const { predicted, differences, seen, course } = carryOut(engine, trial);
  if (differences.length > 0) throw new Error(differences.join('\n'));
  tally.count(predicted === null ? 'skipped' : 'agreed');
  tally.observe(seen);
  tally.count(course.run.status.kind);
  if ('failure' in course.run.status) tally.count(`failed with ${course.run.status.failure.code}`);
  for (const kind of new Set(course.history.map(({ body }) => body.kind))) tally.count(kind);
}
