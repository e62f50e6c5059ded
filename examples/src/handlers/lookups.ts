/** The demo reconcilers: they ask where the effects happen, and answer with the output of the forward activity. */
import type { Json } from '@graphrun/dsl';
import type { ActivityContext, ProbeResult } from '@graphrun/sdk';
import { effects } from '../effects.js';

export function lookUp(_input: Json, context: ActivityContext): ProbeResult | Promise<ProbeResult> {
  return effects.lookUp(context);
}
