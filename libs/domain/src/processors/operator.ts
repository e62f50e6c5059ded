/** What the commands of operators have in common: a reason, and the version of the run they were decided on. */
import type { Decision } from '../commands.js';
import type { Run } from '../state.js';
import { rejected } from './answers.js';

/** Refuses a decision that was made on an older state of the run, or null. */
export function refuseStale(run: Run, expectedSeq: number | null): Decision | null {
  if (expectedSeq === null || expectedSeq === run.seq) return null;
  const message = `run ${run.id} is at event ${run.seq}, not at ${expectedSeq}; look at it again before you decide`;
  return rejected('FailedPrecondition', message);
}
