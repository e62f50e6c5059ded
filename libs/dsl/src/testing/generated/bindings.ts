/** Generated bindings: of every form, and always of a value that fits where it is wanted. */
import type { Binding, SchemaRef } from '../../ir.js';
import type { Json } from '../../value.js';
import type { Picks } from './picks.js';
import { fits, valueOf, type Piece } from './pieces.js';
import { hasSchema, pieceOf, type Place } from './places.js';

/** A binding to a value of the schema. */
export function bindingOf(wanted: SchemaRef, places: readonly Place[], picks: Picks, depth = 0): Binding {
  const piece = pieceOf(wanted);
  const found = places.filter(
    (place) => hasSchema(place, wanted) || (place.ref === null && piece !== null && isPiece(place, piece)),
  );
  const at = picks.below(found.length + 3);
  const place = found[at - 1];
  if (place !== undefined) return projection(place, () => literalOf(wanted, picks), picks);
  if (at === 0 || depth >= MOST_DEPTH) return { literal: literalOf(wanted, picks) };
  if (typeof wanted !== 'string') return { array: itemsOf(wanted, places, picks, depth) };
  return piece === null ? { literal: literalOf(wanted, picks) } : builtOf(piece, places, picks, depth);
}

/** What is built inside what is built: enough to see every form inside every form. */
const MOST_DEPTH = 2;

/** A binding to a place inside the JSON of a schema, where nothing has identity. */
export function bindingOfPiece(wanted: Piece, places: readonly Place[], picks: Picks, depth = 0): Binding {
  const found = places.filter((place) => isPiece(place, wanted));
  const at = picks.below(found.length + 2);
  const place = found[at - 1];
  if (place !== undefined) return projection(place, () => valueOf(wanted, picks), picks);
  if (at === 0 || depth >= MOST_DEPTH) return { literal: valueOf(wanted, picks) };
  return builtOf(wanted, places, picks, depth);
}

function isPiece({ piece }: Place, wanted: Piece): boolean {
  return piece !== null && fits(piece, wanted);
}

/** Where there may be nothing, a default is nearly always given: without one the scope fails when it is missing. */
function projection({ from, path, certain }: Place, fallback: () => Json, picks: Picks): Binding {
  if (path === '') return { from };
  const wantsDefault = certain ? picks.once(8) : !picks.once(8);
  return wantsDefault ? { from, path, default: fallback() } : { from, path };
}

/**
 * An integer that means something only within bounds: mostly `literal`, which is within them, and otherwise something that
 * is known at run time only and may be out of them.
 */
export function integerOf(literal: number, places: readonly Place[], picks: Picks): Binding {
  const bound = picks.once(4) ? bindingOf('integer/v1', places, picks) : { literal };
  if ('literal' in bound) return { literal };
  return 'default' in bound ? { ...bound, default: literal } : bound;
}

/** A value of the schema, written out. */
export function literalOf(ref: SchemaRef, picks: Picks): Json {
  const piece = pieceOf(ref);
  if (piece !== null) return valueOf(piece, picks);
  if (typeof ref === 'string') throw new Error(`The generated catalog has no schema ${ref}`);
  if ('tuple' in ref) return ref.tuple.map((item) => literalOf(item, picks));
  return Array.from({ length: picks.below(4) }, () => literalOf(ref.array, picks));
}

function itemsOf(
  wanted: Exclude<SchemaRef, string>,
  places: readonly Place[],
  picks: Picks,
  depth: number,
): readonly Binding[] {
  const items = 'tuple' in wanted ? wanted.tuple : Array.from({ length: picks.below(4) }, () => wanted.array);
  return items.map((item) => bindingOf(item, places, picks, depth + 1));
}

/** An object or an array put together from bindings. */
function builtOf(piece: Piece, places: readonly Place[], picks: Picks, depth: number): Binding {
  if (typeof piece === 'string') return { literal: valueOf(piece, picks) };
  if ('list' in piece) {
    const items = Array.from({ length: picks.below(3) }, () => bindingOfPiece(piece.list, places, picks, depth + 1));
    return { array: items };
  }
  const members = Object.entries(piece.members).filter(([, { optional }]) => !optional || picks.once(2));
  return {
    object: Object.fromEntries(
      members.map(([name, { piece: inner }]) => [name, bindingOfPiece(inner, places, picks, depth + 1)]),
    ),
  };
}
