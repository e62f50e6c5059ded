import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Binding } from '../ir.js';
import { escapeToken } from '../pointer.js';
import { naiveValue, placesOf } from '../testing/naive-evaluation.js';
import type { Json } from '../value.js';
import { evaluate } from './evaluate.js';

const values: Record<string, Json> = {
  'workflow.input': { a: null, list: [10, 20], deep: { 'x/y': true } },
  'nodes.charge.output': 'paid',
};
const frame = { read: (reference: string): Json | undefined => values[reference] };
const valueOf = (binding: Binding): unknown => evaluate(binding, frame);

/** What a pointer finds in a value; undefined when nothing. */
function pick(value: Json, path: string): Json | undefined {
  const result = evaluate({ from: 'workflow.input', path }, { read: () => value });
  return result.ok ? result.value : undefined;
}

describe('evaluate', () => {
  it('reads whole values and pointers', () => {
    expect(valueOf({ from: 'nodes.charge.output' })).toEqual({ ok: true, value: 'paid' });
    expect(valueOf({ from: 'workflow.input', path: '/list/1' })).toEqual({ ok: true, value: 20 });
    expect(valueOf({ from: 'workflow.input', path: '/deep/x~1y' })).toEqual({ ok: true, value: true });
  });

  it('takes an explicit null as a value, not as missing', () => {
    expect(valueOf({ from: 'workflow.input', path: '/a', default: 1 })).toEqual({ ok: true, value: null });
  });

  it('takes the default for what is missing', () => {
    expect(valueOf({ from: 'workflow.input', path: '/b', default: [] })).toEqual({ ok: true, value: [] });
    expect(valueOf({ from: 'workflow.input', path: '/a/b', default: null })).toEqual({ ok: true, value: null });
  });

  it.each<[Json]>([[null], [false], [0], [''], [[]], [{}]])('takes no default where %j is', (value) => {
    const binding: Binding = { from: 'scope.input', path: '/x', default: 'default' };
    expect(evaluate(binding, { read: () => ({ x: value }) })).toEqual({ ok: true, value });
  });

  it.each(['/b', '/a/b', '/list/2', '/deep/x~1y/z'])('reports %s as missing without a default', (path) => {
    expect(valueOf({ from: 'workflow.input', path })).toEqual({
      ok: false,
      code: 'binding.missing',
      message: `There is no value at "${path}" of workflow.input, and the binding has no default`,
    });
  });

  it('builds objects and arrays, and coerces nothing', () => {
    const binding: Binding = {
      object: { n: { literal: '1' }, list: { array: [{ literal: 1 }, { from: 'nodes.charge.output' }] } },
    };
    expect(valueOf(binding)).toEqual({ ok: true, value: { n: '1', list: [1, 'paid'] } });
    expect(valueOf({ object: {} })).toEqual({ ok: true, value: {} });
    expect(valueOf({ array: [] })).toEqual({ ok: true, value: [] });
  });

  it('fails as a whole when a part is missing', () => {
    expect(valueOf({ array: [{ literal: 1 }, { from: 'workflow.input', path: '/no' }] })).toMatchObject({ ok: false });
    expect(valueOf({ object: { a: { from: 'workflow.input', path: '/no' } } })).toMatchObject({ ok: false });
  });

  it('names the first thing that is missing', () => {
    const binding: Binding = {
      array: [
        { from: 'workflow.input', path: '/c', default: 1 },
        { from: 'workflow.input', path: '/d' },
        { from: 'workflow.input', path: '/e' },
      ],
    };
    expect(valueOf(binding)).toEqual({
      ok: false,
      code: 'binding.missing',
      message: 'There is no value at "/d" of workflow.input, and the binding has no default',
    });
  });

  it('fails, with the name of the reference, where a reference has no value', () => {
    expect(valueOf({ from: 'loop.state' })).toEqual({
      ok: false,
      code: 'binding.missing',
      message: 'There is no value at loop.state, and the binding has no default',
    });
  });

  it('builds a member called __proto__ as a member', () => {
    const result = evaluate({ object: Object.fromEntries([['__proto__', { literal: 1 }]]) }, frame);
    expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__']);
  });

  it('keeps numbers as they are, to the last bit', () => {
    const numbers = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0.1, 1e-7, 5e-324, 1.7976931348623157e308];
    for (const number of numbers) expect(pick({ n: number }, '/n')).toBe(number);
    // There is one number 1, however it is written.
    expect(pick(JSON.parse('{"n": 1.0}') as Json, '/n')).toBe(1);
  });
});

describe('a pointer', () => {
  it.each<[string, Json]>([
    ['', 'whole'],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/~01', 9],
    ['/~1~0', 10],
    ['/ü', 11],
    ['/😀', 12],
    ['//', 13],
    ['/0', 14],
  ])('%j finds what RFC 6901 says', (path, expected) => {
    const value: Json = {
      foo: ['bar', 'baz'],
      '': { '': 13 },
      'a/b': 1,
      'c%d': 2,
      'e^f': 3,
      'g|h': 4,
      'i\\j': 5,
      'k"l': 6,
      ' ': 7,
      'm~n': 8,
      '~1': 9,
      '/~': 10,
      ü: 11,
      '😀': 12,
      '0': 14,
    };
    if (path === '') expect(pick(value, path)).toBe(value);
    else expect(pick(path === '/' ? { '': 0 } : value, path)).toEqual(expected);
  });

  it.each([
    '/-',
    '/2',
    '/00',
    '/01',
    '/+1',
    '/-1',
    '/1.0',
    '/1e0',
    '/ 1',
    '/1 ',
    '/0x1',
    '/9007199254740993',
    '/length',
    '/',
  ])('%j is no item of an array of two', (path) => {
    expect(pick(['x', 'y'], path)).toBeUndefined();
  });

  it.each<[Json, string]>([
    [null, '/a'],
    [true, '/a'],
    [12, '/0'],
    ['text', '/0'],
    ['text', '/length'],
    [{ a: null }, '/a/b'],
    [{ a: 'text' }, '/a/0'],
    [{ a: 1 }, '/a/toFixed'],
    [{ a: [[]] }, '/a/0/0'],
    [{ a: 1 }, '/A'],
    [{ a: 1 }, '/a/'],
    [{ a: 1 }, '/ a'],
  ])('through %j to %j finds nothing', (value, path) => {
    expect(pick(value, path)).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'sees no inherited member %s',
    (key) => {
      expect(pick({}, `/${key}`)).toBeUndefined();
      expect(pick([], `/${key}`)).toBeUndefined();
      expect(pick({ a: {} }, `/a/${key}/${key}`)).toBeUndefined();
      expect(pick(JSON.parse(`{"${key}": {"a": 1}}`) as Json, `/${key}/a`)).toBe(1);
    },
  );
});

// ------------------------------------------------------------------------------------------------ against a reference

const REFERENCES = ['workflow.input', 'scope.input', 'loop.state'] as const;
const word = fc.constantFrom('a', 'b', '0', '1', '-', '01', '', '~', '/', '__proto__', 'length', 'é');
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, -1, 2.5, '', 'a', '1'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(word, tie('value')), { maxLength: 3 }).map((members) => Object.fromEntries(members)),
  ),
})).value;
const values_ = fc.record(Object.fromEntries(REFERENCES.map((reference) => [reference, json])));
const anyPointer = fc
  .array(word, { maxLength: 4 })
  .map((tokens) => tokens.map((token) => `/${escapeToken(token)}`).join(''));

/** Bindings over these values, most of whose pointers find something. */
function bindingsOver(values: { readonly [reference: string]: Json }): fc.Arbitrary<Binding> {
  const projection = fc.constantFrom(...REFERENCES).chain((from) =>
    fc
      .record({
        path: fc.oneof(fc.constantFrom(...placesOf(values[from] ?? null).keys()), anyPointer),
        fallback: fc.option(json, { nil: undefined }),
      })
      .map(({ path, fallback }): Binding => ({
        from,
        ...(path === '' ? {} : { path }),
        ...(fallback === undefined ? {} : { default: fallback }),
      })),
  );
  return fc.letrec<{ binding: Binding }>((tie) => ({
    binding: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      projection,
      json.map((literal): Binding => ({ literal })),
      fc.array(tie('binding'), { maxLength: 3 }).map((array): Binding => ({ array })),
      fc.array(fc.tuple(word, tie('binding')), { maxLength: 3 }).map((members): Binding => {
        return { object: Object.fromEntries(members) };
      }),
    ),
  })).binding;
}

describe('any binding', () => {
  it('has the value of the reference, or fails as it does', () => {
    fc.assert(
      fc.property(
        values_.chain((values) => fc.tuple(fc.constant(values), bindingsOver(values))),
        ([values, binding]) => {
          const result = evaluate(binding, { read: (reference) => values[reference] });
          expect(result.ok ? { value: result.value } : { fails: 'missing' }).toEqual(naiveValue(binding, values));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('changes neither the values nor the binding', () => {
    fc.assert(
      fc.property(
        values_.chain((values) => fc.tuple(fc.constant(values), bindingsOver(values))),
        ([values, binding]) => {
          const before = JSON.stringify([values, binding]);
          evaluate(binding, { read: (reference) => values[reference] });
          expect(JSON.stringify([values, binding])).toBe(before);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('says nothing of the values when it fails', () => {
    const secret = fc.string({ minLength: 1 }).map((text) => `secret-${text}`);
    fc.assert(
      fc.property(secret, secret, fc.constantFrom('/x/y', '/0', '/list/5'), (key, text, path) => {
        const value: Json = { [key]: text, x: text, list: [text, { [key]: text }] };
        const result = evaluate({ array: [{ from: 'scope.input', path }] }, { read: () => value });
        expect(result.ok ? '' : result.message).toBe(
          `There is no value at "${path}" of scope.input, and the binding has no default`,
        );
      }),
      { numRuns: 200 },
    );
  });
});
