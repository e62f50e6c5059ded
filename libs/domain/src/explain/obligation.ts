/** Why what a saga owes is not undone yet. What is under way is explained by its leaf. */
import { compensationOf, effectKey } from '../ids.js';
import { pathOf } from '../path.js';
import type { Obligation, Run } from '../state.js';
import type { Reason } from './reason.js';

export function explainObligation(run: Run, obligation: Obligation): Reason | null {
  const { status, forward, handler, since } = obligation;
  const path = pathOf(run, run.scopes.get(obligation.scope) ?? null, obligation.node);
  const name = handler === null ? 'nothing' : `${handler.name} version ${handler.version}`;
  switch (status.kind) {
    case 'blocked_input':
      return {
        code: 'compensation_blocked',
        path,
        message: `${path} has succeeded, but the input of its compensation ${name} could not be built (${status.reason.code}: ${status.reason.message}), so the run does not go on`,
        action: `supply it: graphrun resolve ${run.id} --activation ${forward} --input input.json`,
        since,
      };
    case 'blocked_execution': {
      const compensation = compensationOf(forward);
      return {
        code: 'compensation_blocked',
        path,
        message: `the compensation ${name} of ${path} did not succeed (${status.reason.code}: ${status.reason.message}), and nothing is skipped`,
        action: `find out by effect key ${effectKey(run.id, compensation)}, then graphrun resolve ${run.id} --activation ${compensation}, or graphrun abandon ${run.id}`,
        since,
      };
    }
    default:
      return null;
  }
}
