/**
 * Where the effects of the demo handlers happen: in the ledger of this process, or at the provider that
 * `GRAPHRUN_PROVIDER_URL` names.
 */
import type { Json } from '@graphrun/dsl';
import type { ActivityContext, ProbeResult } from '@graphrun/sdk';
import { ledger } from './ledger.js';
import type { EffectLedger } from './ledger.js';
import { ProviderEffects } from './provider-effects.js';

export interface Effect<Output extends Json> {
  readonly activity: string;
  readonly input: Json;
  /** What the effect answers the first time; later requests with the key get the first answer. */
  readonly output: Output;
}

export interface Effects {
  request<Output extends Json>(effect: Effect<Output>, context: ActivityContext): Output | Promise<Output>;
  /** Looks, and never makes an effect. */
  lookUp(context: ActivityContext): ProbeResult | Promise<ProbeResult>;
}

class LedgerEffects implements Effects {
  constructor(private readonly kept: EffectLedger) {}

  request<Output extends Json>({ activity, output }: Effect<Output>, { effectKey }: ActivityContext): Output {
    return this.kept.request(effectKey, activity, output);
  }

  /** The ledger lives in one process, so its silence proves nothing: what it does not know is `unknown`. */
  lookUp({ effectKey }: ActivityContext): ProbeResult {
    const entry = this.kept.get(effectKey);
    return entry === null ? 'unknown' : { applied: entry.output };
  }
}

/** The effects at a provider, or for an empty URL in the ledger of this process. */
export function effectsAt(providerUrl: string): Effects {
  return providerUrl === '' ? new LedgerEffects(ledger) : new ProviderEffects(providerUrl);
}

export const effects = effectsAt(process.env['GRAPHRUN_PROVIDER_URL'] ?? '');
