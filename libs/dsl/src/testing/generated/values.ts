/** Values for inputs, outputs and payloads of generated definitions. */
import type fc from 'fast-check';
import type { SchemaRef } from '../../ir.js';
import type { Json } from '../../value.js';
import { literalOf } from './bindings.js';
import { arbitraryPicks, Picks } from './picks.js';

/** Values of a schema of the catalog `SHOP`. */
export function arbitraryValue(ref: SchemaRef): fc.Arbitrary<Json> {
  return arbitraryPicks(24).map((picks) => literalOf(ref, new Picks(picks)));
}
