/** The answers processors give. */
import type { Decision, RejectionCode } from '../commands.js';
import { forwardOf, type ActivationId } from '../ids.js';
import type { Run } from '../state.js';

export const ACCEPTED: Decision = { kind: 'accepted' };
export const REPEATED: Decision = { kind: 'accepted', repeated: true };

export function stale(reason: string): Decision {
  return { kind: 'stale', reason };
}

export function rejected(code: RejectionCode, message: string): Decision {
  return { kind: 'rejected', rejection: { code, message } };
}

/** Why forward work of a closed scope is not started. */
export const CLOSED = 'its scope is stopping and starts nothing more';

/** An activation that the run does not hold: one of the past, whose scope is forgotten, or one that never was. */
export function forgotten(run: Run, activation: ActivationId): Decision {
  const number = Number(forwardOf(activation).slice(1));
  if (Number.isSafeInteger(number) && number >= 1 && number <= run.activationCount) {
    return stale(`${activation} of run ${run.id} is over, and its scope as well`);
  }
  return rejected('NotFound', `run ${run.id} has no activation ${activation}`);
}
