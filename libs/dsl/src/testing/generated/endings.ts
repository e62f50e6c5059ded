/** Generated endings of regions. */
import type { CompleteNode, FailNode } from '../../ir.js';
import { bindingOf } from './bindings.js';
import type { Picks } from './picks.js';
import type { Place } from './places.js';
import type { RegionSchemas } from './site.js';

export function completeOf({ output }: RegionSchemas, places: readonly Place[], picks: Picks): CompleteNode {
  return { kind: 'complete', output: bindingOf(output, places, picks) };
}

/** Codes that generated failures have, beside those of activities. */
export const FAILURES: readonly [string, ...string[]] = ['shop.closed', 'sold_out', 'no-luck'];

export function failOf(picks: Picks): FailNode {
  return { kind: 'fail', error: { code: picks.of(FAILURES), message: picks.of(['closed', 'it\'s over: "done"', '']) } };
}
