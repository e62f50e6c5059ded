/** Shapes of JSON that the generated schemas are made of, simple enough to build and to find values of them. */
import type { Json, JsonObject } from '../../value.js';
import type { Picks } from './picks.js';

export type Piece =
  | 'null'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  /** A string or null. */
  | 'text'
  | { readonly list: Piece }
  | { readonly members: Members };

export type Members = { readonly [name: string]: Member };

export interface Member {
  readonly piece: Piece;
  readonly optional: boolean;
}

export function member(piece: Piece): Member {
  return { piece, optional: false };
}

export function optionalMember(piece: Piece): Member {
  return { piece, optional: true };
}

/** The piece as JSON Schema; objects are closed. */
export function schemaOf(piece: Piece): Json {
  if (piece === 'text') return { type: ['string', 'null'] };
  if (typeof piece === 'string') return { type: piece };
  if ('list' in piece) return { type: 'array', items: schemaOf(piece.list), maxItems: MOST_ITEMS };
  const members = Object.entries(piece.members);
  return {
    type: 'object',
    required: members.filter(([, { optional }]) => !optional).map(([name]) => name),
    additionalProperties: false,
    properties: Object.fromEntries(members.map(([name, { piece: inner }]) => [name, schemaOf(inner)])),
  };
}

/** What keeps values, and with them runs, small. */
export const MOST_ITEMS = 8;

/** True when every value of `source` may stand where `consumer` is expected. */
export function fits(source: Piece, consumer: Piece): boolean {
  if (source === consumer) return true;
  if (consumer === 'number') return source === 'integer';
  if (consumer === 'text') return source === 'string' || source === 'null';
  if (typeof source === 'string' || typeof consumer === 'string') return false;
  if ('list' in consumer) return 'list' in source && fits(source.list, consumer.list);
  if ('list' in source) return false;
  const names = Object.keys({ ...source.members, ...consumer.members });
  return names.every((name) => {
    const [from, to] = [source.members[name], consumer.members[name]];
    if (from === undefined) return to?.optional === true;
    return to !== undefined && fits(from.piece, to.piece) && (to.optional || !from.optional);
  });
}

const INTEGERS = [0, 1, 2, 3, -1, 10] as const;
const NUMBERS = [0, 0.5, 2, -1.25, 1e-7] as const;
const STRINGS = ['a', 'b', '', 'two words', 'null', '1e3', '~', 'ünïcode "quoted"', 'line\nbreak'] as const;

/** A value of the piece. */
export function valueOf(piece: Piece, picks: Picks): Json {
  if (typeof piece !== 'string') return 'list' in piece ? listOf(piece.list, picks) : objectOf(piece.members, picks);
  switch (piece) {
    case 'null':
      return null;
    case 'boolean':
      return picks.of([false, true]);
    case 'integer':
      return picks.of(INTEGERS);
    case 'number':
      return picks.of(NUMBERS);
    case 'string':
      return picks.of(STRINGS);
    case 'text':
      return picks.once(3) ? picks.of(STRINGS) : null;
  }
}

function listOf(item: Piece, picks: Picks): Json {
  return Array.from({ length: picks.below(4) }, () => valueOf(item, picks));
}

function objectOf(members: Members, picks: Picks): JsonObject {
  const chosen = Object.entries(members).filter(([, { optional }]) => !optional || picks.once(2));
  return Object.fromEntries(chosen.map(([name, { piece }]) => [name, valueOf(piece, picks)]));
}
