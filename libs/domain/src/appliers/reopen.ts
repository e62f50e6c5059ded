/** Applier of `run_reopened`: a failed run goes on at its failed activations (spec 02 "Continue-as-new, reopen"). */
import type { BodyOf } from '../events.js';
import type { Run } from '../state.js';
import { damaged } from './find.js';

export function runReopenedV1(run: Run, _body: BodyOf<'run_reopened'>): void {
  throw damaged(run, 'opens the run again, which this engine does not do yet');
}
