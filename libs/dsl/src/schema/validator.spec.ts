import { describe, expect, it } from '@jest/globals';
import type { Json } from '../value.js';
import { compileSchema } from './validator.js';

const json = (text: string): Json => JSON.parse(text) as Json;

describe('a validator', () => {
  it('is compiled once for each digest, whatever the order of keys', () => {
    const first = compileSchema({ type: 'object', required: ['a'], title: 'once' });
    expect(compileSchema({ title: 'once', required: ['a'], type: 'object' })).toBe(first);
    expect(compileSchema({ type: 'object', required: ['a'], title: 'twice' })).not.toBe(first);
  });

  it('takes a default as an annotation: nothing is filled in, and nothing else is changed', () => {
    const validate = compileSchema({
      type: 'object',
      default: { a: 1 },
      properties: { a: { type: 'integer', default: 5 }, list: { items: { default: 0 } } },
      additionalProperties: true,
    });
    const value = { list: ['x', {}], other: null };
    expect(validate(value)).toBeNull();
    expect(value).toEqual({ list: ['x', {}], other: null });
    expect(compileSchema({ required: ['a'], properties: { a: { default: 5 } } })({})).toEqual({
      pointer: '',
      message: 'must have the member "a"',
    });
  });

  it('converts nothing', () => {
    expect(compileSchema({ type: 'integer' })('1')).toEqual({ pointer: '', message: 'must be integer' });
    expect(compileSchema({ type: 'string' })(1)).toEqual({ pointer: '', message: 'must be string' });
    expect(compileSchema({ type: 'boolean' })(0)).toEqual({ pointer: '', message: 'must be boolean' });
    expect(compileSchema({ type: 'null' })('')).toEqual({ pointer: '', message: 'must be null' });
    expect(compileSchema({ type: 'array' })('a')).toEqual({ pointer: '', message: 'must be array' });
  });

  it('takes a number without a fraction as an integer, however it is written', () => {
    const integer = compileSchema({ type: 'integer' });
    expect([1, json('1.0'), json('1e2'), 9_007_199_254_740_991].map(integer)).toEqual([null, null, null, null]);
    expect(integer(1.5)).toEqual({ pointer: '', message: 'must be integer' });
  });

  it('asserts formats, of strings only', () => {
    const uuid = compileSchema({ format: 'uuid' });
    expect(uuid('2eb8aa08-aa98-11ea-b4aa-73b441d16380')).toBeNull();
    expect(uuid(5)).toBeNull();
    expect(uuid('urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380')).toEqual({
      pointer: '',
      message: 'must match format "uuid"',
    });
    const times = compileSchema({ properties: { at: { type: 'string', format: 'date-time' } } });
    expect(times({ at: '2024-02-29T12:00:00Z' })).toBeNull();
    expect(times({ at: '2023-02-29T12:00:00Z' })).toEqual({ pointer: '/at', message: 'must match format "date-time"' });
  });

  it('counts characters of text, not UTF-16 units', () => {
    const two = compileSchema({ minLength: 2, maxLength: 2 });
    expect(two('😀é')).toBeNull();
    expect(two('😀')).toEqual({ pointer: '', message: 'must NOT have fewer than 2 characters' });
  });

  it('follows references into the schema, whatever it calls itself', () => {
    const validate = compileSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/schemas/order',
      id: 'a word of no meaning',
      $ref: '#/$defs/a%20b/items',
      $defs: { 'a b': { items: { $ref: '#/$defs/c~1d' } }, 'c/d': { type: 'string' } },
    });
    expect(validate('x')).toBeNull();
    expect(validate(1)).toEqual({ pointer: '', message: 'must be string' });
  });

  it('says nothing of content that it does not look into', () => {
    const validate = compileSchema({
      contentMediaType: 'application/json',
      contentEncoding: 'base64',
      contentSchema: { type: 'object' },
      'x-unit': 'km',
    });
    expect(validate('{')).toBeNull();
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])('takes an inherited %s for no member', (name) => {
    expect(compileSchema({ required: [name] })({})).toEqual({
      pointer: '',
      message: `must have the member "${name}"`,
    });
    expect(compileSchema({ properties: { [name]: { type: 'string' } } })({})).toBeNull();
    expect(compileSchema({ properties: { [name]: { type: 'string' } } })({ [name]: 1 })).toEqual({
      pointer: `/${name}`,
      message: 'must be string',
    });
    expect(compileSchema({ dependentRequired: { [name]: ['a'] } })({})).toBeNull();
    expect(compileSchema({ dependentSchemas: { [name]: false } })({})).toBeNull();
  });

  it('sees a member __proto__ of the value', () => {
    expect(compileSchema({ required: ['__proto__'] })({})).not.toBeNull();
    expect(compileSchema({ required: ['__proto__'] })(json('{"__proto__": 1}'))).toBeNull();
    expect(compileSchema({ additionalProperties: false })(json('{"__proto__": 1}'))).toEqual({
      pointer: '',
      message: 'must not have the member "__proto__"',
    });
  });
});
