/** The demo reconcilers: they ask the ledger, and never make an effect. */
import type { EffectKey } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import { ledger } from '../ledger.js';

/** What a reconciler says of the effect of a key (spec 03 "Reconciliation"). */
export type ProbeAnswer =
  | { readonly kind: 'applied'; readonly output: Json }
  /** Conclusively, and it cannot happen later. */
  | { readonly kind: 'not_applied' }
  | { readonly kind: 'unknown' };

/**
 * Answers with the output of the forward activity. The ledger lives in one process, so its silence proves nothing: what
 * it does not know is `unknown`.
 */
export function lookup(forwardKey: EffectKey): ProbeAnswer {
  const entry = ledger.get(forwardKey);
  return entry === null ? { kind: 'unknown' } : { kind: 'applied', output: entry.output };
}
