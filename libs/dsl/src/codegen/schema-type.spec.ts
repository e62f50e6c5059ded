import { describe, expect, it } from '@jest/globals';
import type { Json } from '../value.js';
import { layOut } from './doc.js';
import { typeDoc } from './print-type.js';
import { schemaDoc, schemaType } from './schema-type.js';
import type { TypeExpr } from './type-expr.js';

/** On one line, without the bar that a broken union begins with. */
const typeText = (type: TypeExpr): string =>
  layOut(typeDoc(type))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(^|\() \| /g, '$1')
    .replaceAll('; } )', '; })');

const typeOf = (schema: Json): string => typeText(schemaType(schema, (label) => `Part${label}`).type);

const object = (properties: Record<string, Json>, more: Record<string, Json> = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});

describe('the type of a JSON Schema', () => {
  const text = { type: 'string' };
  const integer = { type: 'integer' };
  const cases: readonly (readonly [what: string, schema: Json, type: string])[] = [
    ['a string', text, 'string'],
    ['an integer', integer, 'number'],
    ['a number', { type: 'number' }, 'number'],
    ['an integer or number, once', { type: ['integer', 'number'] }, 'number'],
    ['a boolean', { type: 'boolean' }, 'boolean'],
    ['null', { type: 'null' }, 'null'],
    ['a nullable type, with null last', { type: ['null', 'string'] }, 'string | null'],
    ['anything', {}, 'Json'],
    ['anything, as true', true, 'Json'],
    ['anything, all types listed', { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }, 'Json'],
    ['nothing', false, 'never'],

    ['a constant', { const: 'eur' }, "'eur'"],
    ['an enum of several types', { enum: ['a', 1, 1.5, -2, true, null] }, "'a' | 1 | 1.5 | -2 | true | null"],
    ['an enum that its type narrows', { type: 'string', enum: ['a', 1, null] }, "'a'"],
    ['an enum of one constant', { enum: ['a', 'b'], const: 'b' }, "'b'"],
    ['a constant outside of its enum', { enum: ['a', 'b'], const: 'c' }, 'never'],
    [
      'a constant object',
      { const: { a: [1, 'x'], b: {} } },
      "{ readonly a: readonly [1, 'x']; readonly b: { readonly [key: string]: never }; }",
    ],
    [
      'literals with quotes',
      { enum: ["it's", 'say "no"', 'a\\b\n', 'both \' and "'] },
      `"it's" | 'say "no"' | 'a\\\\b\\n' | 'both \\' and "'`,
    ],

    ['an object', object({ a: text, b: integer }, { required: ['a'] }), '{ readonly a: string; readonly b?: number; }'],
    [
      'members by name, whatever their order',
      object({ b: text, a: text }),
      '{ readonly a?: string; readonly b?: string; }',
    ],
    [
      'a member whose name is no identifier',
      object({ 'odd-key': text, '0': text }),
      "{ readonly '0'?: string; readonly 'odd-key'?: string; }",
    ],
    [
      'a member called __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as Json,
      '{ readonly __proto__?: string; }',
    ],
    ['a required member that is not described', object({}, { required: ['a'] }), '{ readonly a: Json; }'],
    ['a member that must not be', object({ a: false }), '{ readonly a?: never; }'],
    ['a closed object', object({ a: text }, { additionalProperties: false }), '{ readonly a?: string; }'],
    ['the empty object', object({}, { additionalProperties: false }), '{ readonly [key: string]: never }'],
    ['any object', { type: 'object' }, '{ readonly [key: string]: Json }'],
    ['a record', { type: 'object', additionalProperties: integer }, '{ readonly [key: string]: number }'],
    [
      'an object with other members of a type',
      object({ a: text }, { required: ['a'], additionalProperties: integer }),
      '{ readonly a: string; readonly [key: string]: number | string; }',
    ],
    [
      'the same with an optional member',
      object({ a: text }, { additionalProperties: integer }),
      '{ readonly a?: string; } & { readonly [key: string]: number | string }',
    ],
    [
      'an object that is open by its own words',
      object({ a: text }, { required: ['a'], additionalProperties: true }),
      '{ readonly a: string; readonly [key: string]: Json; }',
    ],
    [
      'a record over listed keys',
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: integer, required: ['a'] },
      '{ readonly a: number; readonly b?: number; }',
    ],
    [
      'a member outside of the listed keys',
      object({ c: text }, { propertyNames: { const: 'a' } }),
      '{ readonly a?: Json; readonly c?: never; }',
    ],
    ['an object or null', object({ a: text }, { type: ['object', 'null'] }), '{ readonly a?: string; } | null'],
    [
      'members without a type, which speak of objects only',
      { properties: { a: text } },
      '{ readonly a?: string; } | readonly Json[] | string | number | boolean | null',
    ],

    ['an array', { type: 'array', items: text }, 'readonly string[]'],
    ['an array of anything', { type: 'array' }, 'readonly Json[]'],
    ['an array of a union', { type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
    ['an array of arrays', { type: 'array', items: { type: 'array', items: text } }, 'readonly (readonly string[])[]'],
    [
      'a tuple of arrays and tuples that need not be there',
      { type: 'array', prefixItems: [{ type: 'array' }, { type: 'array', maxItems: 0 }], items: false },
      'readonly [(readonly Json[])?, (readonly [])?]',
    ],
    ['an array with a length', { type: 'array', items: text, minItems: 1, maxItems: 3 }, 'readonly string[]'],
    ['the empty array', { type: 'array', maxItems: 0 }, 'readonly []'],
    [
      'a tuple',
      { type: 'array', prefixItems: [text, integer], items: false, minItems: 2 },
      'readonly [string, number]',
    ],
    [
      'a tuple whose items need not be there',
      { type: 'array', prefixItems: [text, integer], items: false, minItems: 1 },
      'readonly [string, number?]',
    ],
    [
      'a tuple with more',
      { type: 'array', prefixItems: [text], items: integer, minItems: 1 },
      'readonly [string, ...number[]]',
    ],
    ['a tuple with more of anything', { type: 'array', prefixItems: [text] }, 'readonly [string?, ...Json[]]'],
    [
      'a tuple that ends early',
      { type: 'array', prefixItems: [text, integer, text], minItems: 2, maxItems: 2 },
      'readonly [string, number]',
    ],
    [
      'a tuple of unions',
      { type: 'array', prefixItems: [{ type: ['string', 'null'] }, { enum: [1, 2] }], items: false, minItems: 2 },
      'readonly [string | null, 1 | 2]',
    ],

    ['a union', { anyOf: [text, integer, text] }, 'string | number'],
    ['a union with null in front', { oneOf: [{ type: 'null' }, text] }, 'string | null'],
    ['a union with anything', { anyOf: [text, {}] }, 'Json'],
    [
      'a union of kinds',
      { oneOf: [object({ k: { const: 'a' } }), object({ k: { const: 'b' } })] },
      "{ readonly k?: 'a'; } | { readonly k?: 'b'; }",
    ],
    ['a union under a type', { type: 'string', anyOf: [{ enum: ['a', 1] }, {}] }, "'a' | string"],
    [
      'an intersection',
      { allOf: [object({ a: text }), object({ b: text })] },
      '{ readonly a?: string; } & { readonly b?: string; }',
    ],
    ['an intersection with anything', { allOf: [text, {}] }, 'string'],
    ['an intersection of types that never meet', { allOf: [text, integer] }, 'never'],
    [
      'an object and one of several demands',
      object({ a: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      '{ readonly a?: string; } & ({ readonly a: Json; } | { readonly b: Json; })',
    ],
    ['both kinds of union', { anyOf: [text, integer], oneOf: [integer, { type: 'null' }] }, 'number'],

    [
      'what types cannot say',
      { type: 'string', minLength: 3, format: 'uuid', not: { const: 'x' }, default: 'y' },
      'string',
    ],
    [
      'a condition',
      object({ a: text }, { if: { required: ['a'] }, then: { required: ['b'] } }),
      '{ readonly a?: string; }',
    ],
    ['keywords of another type', { type: 'string', properties: { a: text }, items: text }, 'string'],
    ['a reference', { $ref: '#/$defs/line', $defs: { line: text } }, 'Partline'],
    [
      'a reference that its type narrows',
      { type: 'string', $ref: '#/$defs/x', $defs: { x: { type: ['string', 'null'] } } },
      'Partx & string',
    ],
    [
      'a reference that its type does not narrow',
      { type: ['string', 'null'], $ref: '#/$defs/x', $defs: { x: text } },
      'Partx',
    ],
    ['a reference with escapes', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': text } }, 'Parta/b c'],
  ];

  it.each(cases)('%s', (_what, schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('names each part once, before what refers to it', () => {
    const schema: Json = {
      type: 'object',
      properties: { first: { $ref: '#/$defs/line' }, second: { $ref: '#/$defs/line' } },
      $defs: {
        unused: { type: 'boolean' },
        line: { type: 'object', properties: { sku: { $ref: '#/$defs/sku' } }, description: 'One line.' },
        sku: { type: 'string' },
      },
    };
    const { type, parts } = schemaType(schema, (label) => label.toUpperCase());
    expect(parts.map((part) => [part.name, typeText(part.type), part.doc])).toEqual([
      ['SKU', 'string', []],
      ['LINE', '{ readonly sku?: SKU; }', ['One line.']],
    ]);
    expect(typeText(type)).toBe('{ readonly first?: LINE; readonly second?: LINE; }');
  });
});

describe('the doc comment of a schema', () => {
  it('is its description, or else its title', () => {
    expect(schemaDoc({ title: 'Order', description: 'What is bought.' })).toEqual(['What is bought.']);
    expect(schemaDoc({ title: 'Order' })).toEqual(['Order']);
    expect(schemaDoc({ type: 'string' })).toEqual([]);
    expect(schemaDoc(true)).toEqual([]);
  });

  it('says what is deprecated', () => {
    expect(schemaDoc({ deprecated: true })).toEqual(['@deprecated']);
  });

  it('cannot be ended from inside, and has no blank lines around it', () => {
    expect(schemaDoc({ description: '\n one */ export const x = 1; /* \r\n\r\ntwo\u2028three\n' })).toEqual([
      'one *\\/ export const x = 1; /*',
      '',
      'two',
      'three',
    ]);
  });
});
