/** Where a generated binding may look: what is in reach of a node, and the places inside it. */
import type { Reference, SchemaRef } from '../../ir.js';
import { escapeToken } from '../../pointer.js';
import { sameSchema } from '../../schema/schema-ref.js';
import { PIECES } from './catalog.js';
import { type Piece } from './pieces.js';

/** Something a node can read. An error of a node has members and no schema. */
export interface Source {
  readonly from: Reference;
  readonly what: SchemaRef | { readonly piece: Piece };
}

export interface Place {
  readonly from: Reference;
  /** Empty for the whole value. */
  readonly path: string;
  /** Its schema, null where there is none: inside the JSON of a named schema. */
  readonly ref: SchemaRef | null;
  /** What is there, null for composite schemas. */
  readonly piece: Piece | null;
  /** Whether there is always something. */
  readonly certain: boolean;
}

/** All places of some sources, whole values first. */
export function placesIn(sources: readonly Source[]): readonly Place[] {
  return sources.flatMap(({ from, what }) => {
    const whole = { from, path: '', certain: true };
    if (typeof what === 'object' && 'piece' in what) return insidePiece({ ...whole, ref: null, piece: what.piece });
    return insideSchema({ ...whole, ref: what, piece: pieceOf(what) }, what);
  });
}

/** The JSON of a named schema; null for arrays and tuples, which are made of schemas. */
export function pieceOf(ref: SchemaRef): Piece | null {
  if (typeof ref !== 'string') return null;
  const pieces: Readonly<Record<string, Piece>> = PIECES;
  return pieces[ref] ?? null;
}

/** Everything there is to say about a place and below it. */
function insideSchema(place: Place, ref: SchemaRef): readonly Place[] {
  if (typeof ref === 'string') return insidePiece(place);
  const items = 'tuple' in ref ? ref.tuple : [ref.array, ref.array];
  return [
    place,
    ...items.flatMap((item, index) => {
      const certain = place.certain && 'tuple' in ref;
      const inner = { from: place.from, path: `${place.path}/${index}`, ref: item, piece: pieceOf(item), certain };
      return insideSchema(inner, item);
    }),
  ];
}

function insidePiece(place: Place): readonly Place[] {
  const { piece, from, path } = place;
  if (piece === null || typeof piece === 'string') return [place];
  const at = (token: string, inner: Piece, certain: boolean): readonly Place[] =>
    insidePiece({ from, path: `${path}/${escapeToken(token)}`, ref: null, piece: inner, certain });
  if ('list' in piece) return [place, ...at('0', piece.list, false)];
  const members = Object.entries(piece.members);
  return [
    place,
    ...members.flatMap(([name, { piece: inner, optional }]) => at(name, inner, place.certain && !optional)),
  ];
}

/** True when the place may be given where `wanted` is expected: schemas have identity, the JSON inside them has none. */
export function hasSchema({ ref }: Place, wanted: SchemaRef): boolean {
  return ref !== null && sameSchema(ref, wanted);
}
