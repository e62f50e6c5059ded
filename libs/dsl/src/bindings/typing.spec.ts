import { describe, expect, it } from '@jest/globals';
import { documentOf, catalogOf, faultsOf } from '../testing/order-catalog.js';

const SCHEMAS = {
  'closed/v1': { type: 'object', additionalProperties: false, required: ['a'], properties: { a: { type: 'integer' } } },
  'union/v1': {
    anyOf: [{ type: 'string' }, { type: 'object', required: ['s'], properties: { s: { type: 'string' } } }],
  },
  'open/v1': { type: 'object', properties: { n: { type: 'number' }, i: { type: 'integer' }, s: { type: 'string' } } },
  'anything/v1': {},
  'choice/v1': { enum: [1, 2, 'x'] },
  'ints/v1': { type: 'array', items: { type: 'integer' }, maxItems: 2 },
  'pair/v1': { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  'linked/v1': {
    $ref: '#/$defs/leaf',
    $defs: { leaf: { type: 'object', properties: { x: { type: 'boolean' } }, additionalProperties: false } },
  },
  'both/v1': {
    allOf: [
      { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      { properties: { a: { type: 'integer' } }, required: ['b'] },
    ],
  },
  'sealed/v1': { type: 'object', properties: { a: true }, unevaluatedProperties: false },
};
const CATALOG = catalogOf(JSON.stringify({ format: 'graphrun.catalog/v1', schemas: SCHEMAS }));

/** Codes for returning `binding` as `output` from a workflow of `input`. */
function check(input: string, output: string, binding: string): readonly string[] {
  const source = documentOf({ input, output, nodes: `  first:\n    kind: complete\n    output: ${binding}\n` });
  return faultsOf(source, CATALOG).map((fault) => fault.split(' ')[1] ?? '');
}

const field = (path: string): string => `{from: workflow.input, path: ${path}}`;

describe('identity', () => {
  it('is required of whole values', () => {
    expect(check('closed/v1', 'closed/v1', '{from: workflow.input}')).toEqual([]);
    expect(check('closed/v1', 'anything/v1', '{from: workflow.input}')).toEqual(['GR1403']);
    expect(check('integer/v1', 'number/v1', '{from: scope.input}')).toEqual(['GR1403']);
    expect(check('closed/v1', 'string/v1', '{from: scope.id}')).toEqual([]);
  });

  it('is kept by pointers that stay inside constructors', () => {
    const nested = '{tuple: [closed/v1, {array: open/v1}]}';
    expect(check(nested, 'closed/v1', field('/0'))).toEqual([]);
    expect(check(nested, '{array: open/v1}', field('/1'))).toEqual([]);
    expect(check(nested, 'open/v1', field('/1/7'))).toEqual([]);
    expect(check(nested, 'closed/v1', field('/1/7'))).toEqual(['GR1403']);
  });

  it('of an empty path is that of no path', () => {
    expect(check('closed/v1', 'closed/v1', field('""'))).toEqual([]);
    expect(check('closed/v1', 'open/v1', field('""'))).toEqual(['GR1403']);
  });

  it('is compared item by item for array bindings', () => {
    expect(check('closed/v1', '{array: closed/v1}', '{array: [{from: workflow.input}, {from: scope.input}]}')).toEqual(
      [],
    );
    expect(check('closed/v1', '{array: open/v1}', '{array: [{from: workflow.input}, {literal: {}}]}')).toEqual([
      'GR1403',
    ]);
    expect(
      check('closed/v1', '{tuple: [string/v1, closed/v1]}', '{array: [{literal: a}, {from: workflow.input}]}'),
    ).toEqual([]);
    expect(check('closed/v1', '{array: integer/v1}', '{array: []}')).toEqual([]);
  });

  it('is not asked for inside an object binding', () => {
    expect(check('integer/v1', 'closed/v1', '{object: {a: {from: workflow.input}}}')).toEqual([]);
    expect(check('string/v1', 'closed/v1', '{object: {a: {from: workflow.input}}}')).toEqual(['GR1404']);
  });
});

describe('pointers into a named schema', () => {
  it('are compared by type: an integer fits a number place, not the reverse', () => {
    expect(check('open/v1', 'number/v1', field('/i'))).toEqual([]);
    expect(check('open/v1', 'integer/v1', field('/n'))).toEqual(['GR1404']);
    expect(check('open/v1', 'integer/v1', field('/s'))).toEqual(['GR1404']);
  });

  it('may find anything in open places', () => {
    expect(check('open/v1', 'integer/v1', field('/unlisted/deep'))).toEqual([]);
    expect(check('anything/v1', 'integer/v1', field('/x'))).toEqual([]);
  });

  it('cannot exist under a closed schema', () => {
    expect(check('closed/v1', 'integer/v1', field('/b'))).toEqual(['GR1407']);
    expect(check('closed/v1', 'integer/v1', field('/a/b'))).toEqual(['GR1407']);
    expect(check('sealed/v1', 'integer/v1', field('/b'))).toEqual(['GR1407']);
    expect(check('linked/v1', 'boolean/v1', field('/y'))).toEqual(['GR1407']);
    expect(check('{tuple: [closed/v1]}', 'closed/v1', field('/1'))).toEqual(['GR1407']);
    expect(check('{array: closed/v1}', 'closed/v1', field('/first'))).toEqual(['GR1407']);
    expect(check('ints/v1', 'integer/v1', field('/2'))).toEqual(['GR1407']);
    expect(check('pair/v1', 'integer/v1', field('/2'))).toEqual(['GR1407']);
  });

  it('are followed through references, unions, conjunctions and items', () => {
    expect(check('linked/v1', 'boolean/v1', field('/x'))).toEqual([]);
    expect(check('linked/v1', 'string/v1', field('/x'))).toEqual(['GR1404']);
    expect(check('union/v1', 'string/v1', field('/s'))).toEqual([]);
    expect(check('union/v1', 'integer/v1', field('/s'))).toEqual(['GR1404']);
    expect(check('both/v1', 'integer/v1', field('/a'))).toEqual([]);
    expect(check('ints/v1', 'integer/v1', field('/1'))).toEqual([]);
    expect(check('pair/v1', 'string/v1', field('/0'))).toEqual([]);
    expect(check('pair/v1', 'string/v1', field('/1'))).toEqual(['GR1404']);
  });
});

describe('literals', () => {
  it('that are integral take the kind of their consumer', () => {
    expect(check('unit/v1', 'integer/v1', '{literal: 5}')).toEqual([]);
    expect(check('unit/v1', 'number/v1', '{literal: 5}')).toEqual([]);
    expect(check('unit/v1', 'integer/v1', '{literal: 5.5}')).toEqual(['GR1404']);
    expect(check('unit/v1', 'choice/v1', '{literal: 5}')).toEqual([]);
    expect(check('unit/v1', 'choice/v1', '{literal: true}')).toEqual(['GR1404']);
  });

  it('are checked member by member', () => {
    expect(check('unit/v1', 'closed/v1', '{literal: {a: 1}}')).toEqual([]);
    expect(check('unit/v1', 'closed/v1', '{literal: {a: x}}')).toEqual(['GR1404']);
    expect(check('unit/v1', 'closed/v1', '{literal: {}}')).toEqual(['GR1405']);
    expect(check('unit/v1', 'closed/v1', '{literal: {a: 1, b: 2}}')).toEqual(['GR1406']);
    expect(check('unit/v1', '{array: closed/v1}', '{literal: [{a: 1}, {a: x}, {}]}')).toEqual(['GR1404', 'GR1405']);
    expect(check('unit/v1', '{tuple: [integer/v1, string/v1]}', '{literal: [1]}')).toEqual(['GR1408']);
    expect(check('unit/v1', 'union/v1', '{literal: null}')).toEqual(['GR1404']);
    expect(check('unit/v1', 'both/v1', '{literal: {a: 1}}')).toEqual(['GR1405']);
  });

  it('are the only check of a default', () => {
    expect(check('open/v1', 'integer/v1', '{from: workflow.input, path: /i, default: 0}')).toEqual([]);
    expect(check('open/v1', 'integer/v1', '{from: workflow.input, path: /i, default: none}')).toEqual(['GR1404']);
    expect(check('open/v1', 'open/v1', '{from: workflow.input, path: "", default: 3}')).toEqual(['GR1308', 'GR1404']);
  });
});

describe('objects and arrays', () => {
  it('are refused where another type is expected', () => {
    expect(check('unit/v1', 'string/v1', '{object: {}}')).toEqual(['GR1404']);
    expect(check('unit/v1', '{array: closed/v1}', '{object: {}}')).toEqual(['GR1404']);
    expect(check('unit/v1', 'closed/v1', '{array: []}')).toEqual(['GR1404']);
  });

  it('are checked member by member against a named schema', () => {
    expect(check('open/v1', 'closed/v1', `{object: {a: ${field('/i')}}}`)).toEqual([]);
    expect(check('open/v1', 'closed/v1', `{object: {a: ${field('/n')}, c: {literal: 1}}}`)).toEqual([
      'GR1404',
      'GR1406',
    ]);
    expect(check('open/v1', 'ints/v1', `{array: [${field('/i')}, ${field('/s')}]}`)).toEqual(['GR1404']);
    expect(check('unit/v1', 'ints/v1', '{array: [{object: {}}]}')).toEqual(['GR1404']);
  });
});
