import { describe, expect, it } from '@jest/globals';
import type { SchemaRef } from './ir.js';
import { loadProgram } from './load.js';
import { artifactOf, BUMP, catalogOf, ORDER_CATALOG } from './testing/order-catalog.js';
import type { Json } from './value.js';

const SCHEMAS = {
  'pair/v1': {
    type: 'object',
    required: ['a'],
    additionalProperties: false,
    properties: { a: { type: 'integer', default: 7 } },
  },
  'id/v1': { type: 'string', format: 'uuid' },
  'time/v1': { type: 'string', format: 'date-time' },
  'union/v1': { anyOf: [{ type: 'string' }, { type: 'object', properties: { n: { type: 'number' } } }] },
  'named/v1': { $id: 'https://example.com/named', $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } },
};
const SOURCE = `dsl: graphrun/v1
id: all
version: 1
input_schema: {tuple: [pair/v1, id/v1, time/v1, union/v1, named/v1]}
output_schema: unit/v1
start: end
nodes:
  end: {kind: complete, output: {literal: null}}
`;
const program = loadProgram(
  artifactOf(SOURCE, catalogOf(JSON.stringify({ format: 'graphrun.catalog/v1', schemas: SCHEMAS }))),
);

describe('a program', () => {
  it('validates values, and changes none of them', () => {
    const value = { a: 1 };
    expect(program.validate('pair/v1', value)).toBeNull();
    const empty: { a?: number } = {};
    expect(program.validate('pair/v1', empty)).toEqual({ pointer: '', message: 'must have the member "a"' });
    expect(empty).toEqual({});
  });

  it.each<[SchemaRef, Json, string, string]>([
    ['pair/v1', { a: 1.5 }, '/a', 'must be integer'],
    ['pair/v1', { a: '1' }, '/a', 'must be integer'],
    ['pair/v1', { a: 1, b: 2 }, '', 'must not have the member "b"'],
    ['union/v1', 5, '', 'must fit one of the forms it may have'],
    ['id/v1', 'not-a-uuid', '', 'must match format "uuid"'],
    ['time/v1', '2024-02-30T00:00:00Z', '', 'must match format "date-time"'],
    ['time/v1', '2024-02-03', '', 'must match format "date-time"'],
    ['named/v1', 'x', '', 'must be integer'],
    [{ array: 'pair/v1' }, { a: 1 }, '', 'must be an array'],
    [{ array: 'pair/v1' }, [{ a: 1 }, { a: null }], '/1/a', 'must be integer'],
    [
      { tuple: ['id/v1', { array: 'named/v1' }] },
      ['6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
      '',
      'must have exactly 2 items',
    ],
    [{ tuple: ['named/v1', { array: 'named/v1' }] }, [1, [2, true]], '/1/1', 'must be integer'],
  ])('says where a value breaks %j', (ref, value, pointer, message) => {
    expect(program.validate(ref, value)).toEqual({ pointer, message });
  });

  it.each<[SchemaRef, Json]>([
    ['id/v1', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['time/v1', '2024-02-29T23:59:59.5+01:00'],
    ['union/v1', { n: 1.5 }],
    [{ array: 'pair/v1' }, []],
    [{ tuple: ['named/v1', { array: 'named/v1' }] }, [1, [2]]],
  ])('accepts a good %j', (ref, value) => {
    expect(program.validate(ref, value)).toBeNull();
  });

  it('finds contracts by reference and says when there is none', () => {
    const bump = loadProgram(artifactOf(BUMP));
    expect(bump.contract({ name: 'counter.increment', version: 1 }).effects).toBe('pure');
    expect(() => bump.contract({ name: 'counter.increment', version: 2 })).toThrow(
      'does not use the activity counter.increment/v2',
    );
    expect(() => bump.validate('order/v1', {})).toThrow('does not use the schema order/v1');
  });

  it('gives a contract digest that covers the contract and its schemas', () => {
    const ref = { name: 'counter.increment', version: 1 };
    const digest = (catalog: string): string => loadProgram(artifactOf(BUMP, catalogOf(catalog))).contractDigest(ref);
    const original = digest(ORDER_CATALOG);
    expect(original).toMatch(/^[0-9a-f]{64}$/);
    expect(digest(JSON.stringify(JSON.parse(ORDER_CATALOG)))).toBe(original);
    expect(digest(ORDER_CATALOG.replace('"effects": "pure"', '"effects": "external"'))).not.toBe(original);
    expect(digest(ORDER_CATALOG.replace('"value": {', '"value": { "minimum": 0,'))).not.toBe(original);
  });
});
