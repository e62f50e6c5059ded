/**
 * Schemas around a value: arbitrary ones that accept it, of every make that a catalog allows. Tests use them to see that
 * the compiler refuses nothing that could work.
 */
import fc from 'fast-check';
import { isArray, isObject } from '../canonical.js';
import type { Json, JsonObject } from '../value.js';

/** What a schema calls integers: one that produces values must say `integer`, one that takes them may say `number`. */
export type Role = 'source' | 'consumer';

export function schemaAround(value: Json, role: Role): fc.Arbitrary<Json> {
  const inner = around(value, role, 2);
  return fc.oneof(
    { weight: 4, arbitrary: inner },
    { weight: 1, arbitrary: inner.map((part): Json => ({ $ref: '#/$defs/it', $defs: { it: part } })) },
    {
      weight: 1,
      arbitrary: fc.tuple(inner, inner).map(([a, b]): Json => ({
        $defs: { one: a, 'o/t~r': { allOf: [{ $ref: '#/$defs/one' }, b] } },
        $ref: '#/$defs/o~1t~0r',
      })),
    },
  );
}

function around(value: Json, role: Role, wraps: number): fc.Arbitrary<Json> {
  const plain = typed(value, role, wraps);
  if (wraps === 0) return plain;
  const again = (): fc.Arbitrary<Json> => around(value, role, wraps - 1);
  return fc.oneof(
    { weight: 5, arbitrary: plain },
    { weight: 1, arbitrary: fc.constantFrom<Json>(true, {}, { title: 'anything' }) },
    { weight: 1, arbitrary: fc.constantFrom<Json>({ const: value }, { enum: ['other', value, null] }) },
    { weight: 1, arbitrary: fc.tuple(again(), OTHERS).map((parts): Json => ({ anyOf: parts })) },
    { weight: 1, arbitrary: fc.tuple(OTHERS, again()).map((parts): Json => ({ anyOf: parts })) },
    { weight: 1, arbitrary: fc.tuple(again(), again()).map((parts): Json => ({ allOf: parts })) },
    { weight: 1, arbitrary: again().map((part): Json => ({ oneOf: [part] })) },
    { weight: 1, arbitrary: fc.tuple(again(), again()).map(([a, b]): Json => ({ ...objectOf(a), allOf: [b] })) },
    { weight: 1, arbitrary: again().map((part): Json => ({ ...objectOf(part), not: { const: 'never this' } })) },
    {
      weight: 1,
      arbitrary: fc.tuple(OTHERS, again()).map(([test, part]): Json => ({ if: test, then: part, else: part })),
    },
  );
}

/** Schemas that may or may not fit. */
const OTHERS = fc.constantFrom<Json>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'null' },
  { type: 'object', additionalProperties: false },
  { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } },
  { type: 'array', items: { type: 'number' } },
  false,
);

function objectOf(schema: Json): JsonObject {
  return isObject(schema) ? schema : {};
}

function typed(value: Json, role: Role, wraps: number): fc.Arbitrary<Json> {
  if (isArray(value)) return arrayLike(value, role, wraps);
  if (isObject(value)) return objectLike(value, role, wraps);
  const type = scalarTypes(value, role);
  return fc.constantFrom<Json>(...type.flatMap((name): Json[] => [{ type: name }, { type: [name, 'array'] }]));
}

function scalarTypes(value: Json, role: Role): readonly string[] {
  if (value === null) return ['null'];
  if (typeof value !== 'number') return [typeof value];
  if (!Number.isInteger(value)) return ['number'];
  return role === 'consumer' ? ['integer', 'number'] : ['integer'];
}

function arrayLike(items: readonly Json[], role: Role, wraps: number): fc.Arbitrary<Json> {
  const each = fc.tuple(...items.map((item) => around(item, role, Math.max(0, wraps - 1))));
  const shape = fc.constantFrom('any', 'union', 'prefix', 'closed');
  return fc.tuple(each, shape, fc.boolean()).map(([schemas, how, bounded]): Json => {
    const bounds: JsonObject = bounded ? { minItems: items.length, maxItems: items.length } : {};
    const closed: JsonObject = how === 'closed' ? { items: false } : {};
    const base: JsonObject = { type: 'array', ...bounds };
    if (how === 'any' || schemas.length === 0) return base;
    if (how === 'union') return { ...base, items: { anyOf: schemas } };
    return { ...base, prefixItems: schemas, ...closed };
  });
}

function objectLike(value: JsonObject, role: Role, wraps: number): fc.Arbitrary<Json> {
  const keys = Object.keys(value);
  const members = fc.tuple(...keys.map((key) => around(value[key] ?? null, role, Math.max(0, wraps - 1))));
  const closing = fc.constantFrom<JsonObject>(
    {},
    { additionalProperties: false },
    { unevaluatedProperties: false },
    { additionalProperties: true },
  );
  const some = fc.subarray(keys);
  return fc.tuple(members, closing, some, some).map(([schemas, closed, required, left]): Json => {
    const isOpen = Object.values(closed)[0] !== false;
    // A closed object must know all of its members; an open one may not mention some.
    const known = keys.flatMap((key, index): [string, Json][] =>
      isOpen && left.includes(key) ? [] : [[key, schemas[index] ?? true]],
    );
    return {
      type: 'object',
      properties: { ...Object.fromEntries(known), more: { type: 'string' } },
      required,
      ...closed,
    };
  });
}
