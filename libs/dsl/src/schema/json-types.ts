/** Sets of JSON types, as bits. */
import type { Json } from '../value.js';

/**
 * Bit set of JSON types. `integer` and `number` are different kinds: an integer fits a number place, not the reverse.
 * A value that is written out and has no fraction is of both kinds.
 */
export const TYPE = { null: 1, boolean: 2, object: 4, array: 8, string: 16, integer: 32, number: 64 } as const;
export const ANY_TYPE = 127;

/** Types that satisfy both: what is an integer here and a number there is an integer. */
export function meet(a: number, b: number): number {
  if (a === ANY_TYPE) return b;
  if (b === ANY_TYPE) return a;
  const integer = fitsNumber(a, b) || fitsNumber(b, a) ? TYPE.integer : 0;
  return (a & b) | integer;
}

function fitsNumber(source: number, consumer: number): boolean {
  return (source & TYPE.integer) !== 0 && (consumer & TYPE.number) !== 0;
}

/** True when a value of one of the `source` types can stand where `consumer` types are expected. */
export function typesMeet(source: number, consumer: number): boolean {
  if (source === 0 || consumer === 0) return false;
  return source === ANY_TYPE || consumer === ANY_TYPE || (source & consumer) !== 0 || fitsNumber(source, consumer);
}

/** The types that a `type` keyword allows; all if there is none. */
export function typeKeyword(type: Json | undefined): number {
  if (typeof type === 'string') return bitsOf(type);
  if (!Array.isArray(type)) return ANY_TYPE;
  return (type as readonly Json[]).reduce<number>(
    (all, name) => all | (typeof name === 'string' ? bitsOf(name) : 0),
    0,
  );
}

function bitsOf(name: string): number {
  return Object.hasOwn(TYPE, name) ? TYPE[name as keyof typeof TYPE] : 0;
}

/** The types of a value that is written out. */
export function typeOf(value: Json): number {
  if (value === null) return TYPE.null;
  if (Array.isArray(value)) return TYPE.array;
  switch (typeof value) {
    case 'boolean':
      return TYPE.boolean;
    case 'string':
      return TYPE.string;
    case 'number':
      return Number.isInteger(value) ? TYPE.integer | TYPE.number : TYPE.number;
    default:
      return TYPE.object;
  }
}

/** Names of the types in a set, as a person would list them. */
export function typeNames(types: number): string {
  let names = NAMES.get(types);
  if (names === undefined) {
    names = listNames(types);
    NAMES.set(types, names);
  }
  return names;
}

/** A literal of a hundred thousand wrong items names their types as often. */
const NAMES = new Map<number, string>();

function listNames(types: number): string {
  const names = Object.entries(TYPE)
    .filter(([name, bit]) => (types & bit) !== 0 && !(name === 'integer' && (types & TYPE.number) !== 0))
    .map(([name]) => name);
  return names.length === 0 ? 'nothing' : names.join(' or ');
}
