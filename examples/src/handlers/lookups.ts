/** The demo reconcilers: they ask the ledger, and never make an effect. */
import type { Json } from '@graphrun/dsl';
import type { ActivityContext, ProbeResult } from '@graphrun/sdk';
import { ledger } from '../ledger.js';

/**
 * Answers with the output of the forward activity. The ledger lives in one process, so its silence proves nothing: what
 * it does not know is `unknown`.
 */
export function lookUp(_input: Json, { effectKey }: ActivityContext): ProbeResult {
  const entry = ledger.get(effectKey);
  return entry === null ? 'unknown' : { applied: entry.output };
}
