import { describe, expect, it } from '@jest/globals';
import { Type, type TSchema } from '@sinclair/typebox';
import { z } from 'zod';
import type { Json } from '../value.js';
import { CatalogError } from './catalog-error.js';
import { schemaFrom, schemaFromJson, type SchemaSource } from './schema-from.js';

/** What becomes of a schema: its JSON Schema, or the issues it is refused for as `pointer code message`. */
function jsonOf(source: SchemaSource): Json | readonly string[] | undefined {
  try {
    return schemaFrom('test/v1', source).json;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.issues.map(({ pointer, code, message }) => [pointer, code, message].filter(Boolean).join(' '));
  }
}

const integer = { type: 'integer' };
const text = { type: 'string' };

describe('a schema from Zod', () => {
  it.each<readonly [what: string, source: z.ZodType, json: Json]>([
    ['a string', z.string(), text],
    ['a string with a length', z.string().min(1).max(9), { type: 'string', minLength: 1, maxLength: 9 }],
    ['a number', z.number(), { type: 'number' }],
    ['an integer, whose bounds all integers keep', z.int(), integer],
    ['an integer in the old spelling', z.number().int(), integer],
    ['an integer with one bound', z.int().nonnegative(), { type: 'integer', minimum: 0 }],
    ['an integer above zero', z.int().positive(), { type: 'integer', exclusiveMinimum: 0 }],
    ['an integer with both bounds', z.int().min(1).max(10), { type: 'integer', minimum: 1, maximum: 10 }],
    ['an integer of 32 bits', z.int32(), { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 }],
    ['a number whose bounds no number of the language reaches', z.float64(), { type: 'number' }],
    ['a nullable integer', z.int().nullable(), { anyOf: [integer, { type: 'null' }] }],
    ['a UUID', z.uuid(), { type: 'string', format: 'uuid' }],
    ['a UUID of any form', z.guid(), { type: 'string', format: 'uuid' }],
    ['a time of any offset', z.iso.datetime({ offset: true }), { type: 'string', format: 'date-time' }],
    ['an enum', z.enum(['eur', 'usd']), { type: 'string', enum: ['eur', 'usd'] }],
    ['a literal', z.literal('eur'), { type: 'string', const: 'eur' }],
    ['null', z.null(), { type: 'null' }],
    ['anything', z.unknown(), {}],
    ['an array', z.array(z.int()), { type: 'array', items: integer }],
    [
      'a tuple',
      z.tuple([z.string(), z.int()]),
      { type: 'array', prefixItems: [text, integer], items: false, minItems: 2, maxItems: 2 },
    ],
    ['a record', z.record(z.string(), z.int()), { type: 'object', additionalProperties: integer }],
    [
      'a record over listed keys',
      z.record(z.enum(['a', 'b']), z.int()),
      {
        type: 'object',
        propertyNames: { type: 'string', enum: ['a', 'b'] },
        additionalProperties: integer,
        required: ['a', 'b'],
      },
    ],
    [
      'a record over keys of a length',
      z.record(z.string().max(3), z.int()),
      { type: 'object', propertyNames: { type: 'string', maxLength: 3 }, additionalProperties: integer },
    ],
    [
      'an object, as it comes out: closed, with its defaults filled in',
      z.object({ a: z.string(), b: z.int().optional(), c: z.string().nullable(), d: z.string().default('x') }),
      {
        type: 'object',
        properties: { a: text, b: integer, c: { type: ['string', 'null'] }, d: { type: 'string', default: 'x' } },
        required: ['a', 'c', 'd'],
        additionalProperties: false,
      },
    ],
    [
      'an open object',
      z.looseObject({ a: z.string() }),
      { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: {} },
    ],
    ['a union', z.union([z.string(), z.int()]), { anyOf: [text, integer] }],
    ['a description', z.string().describe('Who pays.'), { type: 'string', description: 'Who pays.' }],
    ['what comes out of a pipe', z.string().transform(Number).pipe(z.int()), integer],
    [
      'a named part',
      z.object({ line: z.object({ count: z.int() }).meta({ id: 'Line' }) }),
      {
        type: 'object',
        properties: { line: { $ref: '#/$defs/Line' } },
        required: ['line'],
        additionalProperties: false,
        $defs: {
          Line: {
            type: 'object',
            properties: { count: integer },
            required: ['count'],
            additionalProperties: false,
          },
        },
      },
    ],
  ])('is %s', (_what, source, json) => {
    expect(jsonOf(source)).toEqual(json);
  });

  interface Category {
    readonly name: string;
    readonly children: readonly Category[];
  }
  const Category: z.ZodType<Category> = z.object({
    name: z.string(),
    get children() {
      return z.array(Category);
    },
  });

  it.each<readonly [what: string, source: z.ZodType, issues: readonly string[]]>([
    [
      'of a pattern',
      z.object({ sku: z.string().regex(/^[A-Z]+$/) }),
      [
        '/properties/sku/pattern GR1603 "pattern" is not allowed: regular expressions can take for ever; use "enum", "const" or "format"',
      ],
    ],
    [
      'of a format that nobody asserts',
      z.array(z.url()),
      ['/items/format GR1604 the format "uri" is unknown; the formats are uuid and date-time'],
    ],
    [
      'of a format and its pattern',
      z.iso.date(),
      [
        '/format GR1604 the format "date" is unknown; the formats are uuid and date-time',
        '/pattern GR1603 "pattern" is not allowed: regular expressions can take for ever; use "enum", "const" or "format"',
      ],
    ],
    [
      'that UUIDs have one version',
      z.object({ id: z.uuidv7() }),
      [
        '/properties/id/pattern GR1603 the pattern refuses 00000000-0000-1000-8000-000000000000, which is a UUID; a catalog has no patterns, so accept every UUID (with Zod: z.uuid())',
      ],
    ],
    [
      'that times are in UTC',
      z.iso.datetime(),
      [
        '/pattern GR1603 the pattern refuses 2038-10-19T03:14:07.123456789+05:30, which is a time; a catalog has no patterns, so accept every RFC 3339 time (with Zod: z.iso.datetime({ offset: true }))',
      ],
    ],
    [
      'of itself',
      Category,
      ['/properties/children/items/$ref GR1602 "#" leads back to itself; schemas are not recursive'],
    ],
    ['of values that are not JSON', z.date(), ['Date cannot be represented in JSON Schema']],
    [
      'of what comes out of a function',
      z.string().transform(Number),
      ['Transforms cannot be represented in JSON Schema'],
    ],
  ])('is refused when it speaks %s', (_what, source, issues) => {
    expect(jsonOf(source)).toEqual(issues);
  });

  it('is refused with one message that names the schema and every place', () => {
    const Customer = z.object({ email: z.email(), site: z.url() });
    expect(() => schemaFrom('customer/v1', Customer)).toThrow(
      new CatalogError('the schema "customer/v1"', [
        {
          pointer: '/properties/email/format',
          code: 'GR1604',
          message: 'the format "email" is unknown; the formats are uuid and date-time',
        },
        {
          pointer: '/properties/email/pattern',
          code: 'GR1603',
          message: '"pattern" is not allowed: regular expressions can take for ever; use "enum", "const" or "format"',
        },
        {
          pointer: '/properties/site/format',
          code: 'GR1604',
          message: 'the format "uri" is unknown; the formats are uuid and date-time',
        },
      ]),
    );
    expect(() => schemaFrom('customer/v1', z.url())).toThrow(
      'the schema "customer/v1" is refused: /format: GR1604 the format "uri" is unknown; the formats are uuid and date-time',
    );
  });

  it('is refused when Zod is too old to say its JSON Schema', () => {
    const old = { '~standard': { version: 1, vendor: 'zod', validate: () => ({}) } };
    // What a caller without types may pass.
    expect(() => schemaFrom('a/v1', old as unknown as z.ZodString)).toThrow('with Zod, use version 4.2 or later');
  });
});

describe('a schema from TypeBox', () => {
  it.each<readonly [what: string, source: TSchema, json: Json]>([
    ['an integer', Type.Integer({ minimum: 0 }), { type: 'integer', minimum: 0 }],
    ['a UUID', Type.String({ format: 'uuid' }), { type: 'string', format: 'uuid' }],
    [
      'an object',
      Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
      { type: 'object', properties: { a: text, b: integer }, required: ['a'], additionalProperties: false },
    ],
    [
      'a tuple, in the words of 2020-12',
      Type.Array(Type.Tuple([Type.String(), Type.Integer()])),
      {
        type: 'array',
        items: { type: 'array', prefixItems: [text, integer], items: false, minItems: 2, maxItems: 2 },
      },
    ],
    ['an empty tuple', Type.Tuple([]), { type: 'array', minItems: 0, maxItems: 0 }],
    ['a record', Type.Record(Type.String(), Type.Integer()), { type: 'object', additionalProperties: integer }],
    [
      'a union of literals',
      Type.Union([Type.Literal('a'), Type.Null()]),
      { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
    ],
    [
      'an intersection',
      Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Tuple([Type.Null()]) })]),
      {
        type: 'object',
        allOf: [
          { type: 'object', properties: { a: text }, required: ['a'] },
          {
            type: 'object',
            properties: {
              b: { type: 'array', prefixItems: [{ type: 'null' }], items: false, minItems: 1, maxItems: 1 },
            },
            required: ['b'],
          },
        ],
      },
    ],
    ['what goes without options', Type.String({ description: undefined }), text],
  ])('is %s', (_what, source, json) => {
    expect(jsonOf(source)).toEqual(json);
  });

  it.each<readonly [what: string, source: TSchema, issues: readonly string[]]>([
    [
      'of keys with a pattern',
      Type.Record(Type.String({ pattern: '^a' }), Type.Integer()),
      [
        '/patternProperties GR1603 "patternProperties" is not allowed: regular expressions can take for ever; use "enum", "const" or "format"',
      ],
    ],
    [
      'of itself',
      Type.Recursive((Self) => Type.Object({ children: Type.Array(Self) }), { $id: 'tree' }),
      [
        '/properties/children/items/$ref GR1602 "tree" is outside this schema; references go to "#/$defs/..."; copy the part into "$defs"',
      ],
    ],
    [
      'of values that are not JSON',
      Type.Object({ at: Type.Date() }),
      ['/properties/at/type GR1601 "Date" is no type of JSON, and values are stored as JSON'],
    ],
    [
      'of options that are not JSON',
      Type.Object({ at: Type.String({ default: new Date(0) }), size: Type.Number({ maximum: NaN, examples: [10n] }) }),
      [
        '/properties/at/default is not a plain JSON object',
        '/properties/size/maximum is NaN, which JSON does not have',
        '/properties/size/examples/0 is a bigint, which JSON does not have',
      ],
    ],
  ])('is refused when it speaks %s', (_what, source, issues) => {
    expect(jsonOf(source)).toEqual(issues);
  });

  it('is refused when it holds itself', () => {
    const loop: Record<string, unknown> = { type: 'array' };
    loop['items'] = loop;
    expect(() => schemaFromJson<unknown>()('loop/v1', loop)).toThrow(
      'is nested deeper than 256 levels, or holds itself',
    );
  });
});

describe('a schema that does not carry its type', () => {
  it('takes it from the caller', () => {
    // As TypeBox 1 makes them: notes are members that are not enumerable.
    const Order = Object.defineProperty(
      { type: 'array', additionalItems: false, items: [{ type: 'string' }], minItems: 1 },
      '~kind',
      { value: 'Tuple' },
    );
    const witness = schemaFromJson<readonly [string]>()('order/v1', Order);
    expect(witness).toEqual({
      ref: 'order/v1',
      json: { type: 'array', prefixItems: [text], items: false, minItems: 1 },
    });
  });

  it('needs a name with a version', () => {
    expect(() => schemaFromJson<string>()('order', { type: 'string' })).toThrow(
      'the schema "order" is refused: GR1106 "order" is not a schema name; write name/vN, as in "order/v1"',
    );
  });

  it('is no built-in schema in other words', () => {
    expect(schemaFromJson<string>()('string/v1', { type: 'string' }).ref).toBe('string/v1');
    expect(() => schemaFromJson<string>()('string/v1', { type: 'string', minLength: 1 })).toThrow(
      'GR1606 "string/v1" is built in as {"type":"string"} and cannot be declared differently; choose another name',
    );
  });
});
