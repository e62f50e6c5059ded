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
    const effect = effectNote(obligation);
    if (effect === null) compensated = true;
    else if (obligation.status.kind === 'irreversible') irreversible.push(effect);
    else unresolved.push(effect);
  }
  if (!compensated && irreversible.length === 0 && unresolved.length === 0) return null;
  return { complete: irreversible.length === 0 && unresolved.length === 0, irreversible, unresolved };
}

/** Why an effect was not undone; null for one that was. */
export function effectNote(obligation: Obligation): EffectNote | null {
  const { status } = obligation;
  switch (status.kind) {
    case 'irreversible':
      return note(obligation, status.reason);
    case 'abandoned':
      return note(obligation, 'its compensation was abandoned');
    case 'blocked_input':
    case 'blocked_execution':
      return note(obligation, `${status.reason.code}: ${status.reason.message}`);
    case 'open':
    case 'compensating':
      return note(obligation, 'it was not undone');
    case 'compensated':
      return null;
  }
}

function note({ forward, node, handler }: Obligation, reason: string): EffectNote {
  return {
    activation: forward,
    node,
    handler: handler === null ? null : versionedName(handler.name, handler.version),
    reason,
  };
}
