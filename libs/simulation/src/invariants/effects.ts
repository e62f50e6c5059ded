/** Invariants 4, 5, 6 and 11 as the outside world sees them: its own ledger is the judge. */
import type { EffectKey } from '@graphrun/domain';
import type { Effect, Ledger } from '../actors/ledger.js';
import { violated } from './violation.js';

/** Invariant 4. */
export function oneEffectForEachKey(effect: Effect): void {
  if (effect.logical > 1)
    violated('4 one effect', `${effect.activity} has happened ${effect.logical} times under ${effect.key}`);
}

/** Invariant 5: nothing happens any more once it was undone, and nothing is undone that has not happened. */
export function nothingHappensAfterItsUndoing(effect: Effect, ledger: Ledger): void {
  if (!effect.key.endsWith(':forward')) return;
  const undoing = ledger.effects.get(effect.key.replace(/:forward$/, ':compensation') as EffectKey);
  if (undoing !== undefined && undoing.logical > 0)
    violated('5 settled first', `${effect.activity} has happened under ${effect.key} after it was undone`);
}

/** Invariant 11. */
export function workIsGranted(granted: string | undefined, session: string, what: string): void {
  if (granted !== session)
    violated('11 grants', `${what} is begun by ${session}, and was granted to ${granted ?? 'nobody'}`);
}
