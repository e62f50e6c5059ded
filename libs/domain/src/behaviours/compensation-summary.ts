/** What an outcome says about effects that were not, or could not be, undone (spec 03 "Sagas"). */
import { versionedName } from '@graphrun/dsl';
import type { CompensationSummary, EffectNote } from '../events.js';
import type { Obligation, Run } from '../state.js';

/** Null for a run in which no saga owes anything that counts in its outcome: what was released or left behind undone is gone. */
export function compensationSummary(run: Run): CompensationSummary | null {
  const irreversible: EffectNote[] = [];
  const unresolved: EffectNote[] = [];
  let compensated = false;
  for (const obligation of run.obligations.values()) {
    const { status } = obligation;
    switch (status.kind) {
      case 'irreversible':
        irreversible.push(note(obligation, status.reason));
        break;
      case 'abandoned':
        unresolved.push(note(obligation, 'its compensation was abandoned'));
        break;
      case 'blocked_input':
      case 'blocked_execution':
        unresolved.push(note(obligation, `${status.reason.code}: ${status.reason.message}`));
        break;
      case 'open':
      case 'compensating':
        unresolved.push(note(obligation, 'it was not undone'));
        break;
      case 'compensated':
        compensated = true;
    }
  }
  if (!compensated && irreversible.length === 0 && unresolved.length === 0) return null;
  return { complete: irreversible.length === 0 && unresolved.length === 0, irreversible, unresolved };
}

function note({ forward, node, handler }: Obligation, reason: string): EffectNote {
  return {
    activation: forward,
    node,
    handler: handler === null ? null : versionedName(handler.name, handler.version),
    reason,
  };
}
