/**
 * The compiler refuses a binding only when it can never work (spec 01 "Typing"). So whatever the schemas look like: if
 * there is one input that fits, and the value that the binding gives for it fits its consumer, the document compiles.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isArray, isObject } from '../canonical.js';
import type { Binding } from '../ir.js';
import { compileSchema } from '../schema/validator.js';
import { placesOf } from '../testing/naive-evaluation.js';
import { catalogOf, faultsOf } from '../testing/order-catalog.js';
import { schemaAround } from '../testing/schemas-around.js';
import type { Json } from '../value.js';

const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, -7, 2.5, '', 'text', '1');
const key = fc.constantFrom('a', 'b', '0', 'x/y', 'm~n', '');
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((members) => Object.fromEntries(members)),
  ),
})).value;
const container = value.filter((found) => found !== null && typeof found === 'object' && placesOf(found).size > 1);

/** What is wrong with a workflow that returns `output` from an input of `source`. */
function faults(source: Json, consumer: Json, output: Binding): readonly string[] {
  const catalog = catalogOf(
    JSON.stringify({ format: 'graphrun.catalog/v1', schemas: { 'source/v1': source, 'consumer/v1': consumer } }),
  );
  const document = {
    dsl: 'graphrun/v1',
    id: 'generous',
    version: 1,
    input_schema: 'source/v1',
    output_schema: 'consumer/v1',
    start: 'done',
    nodes: { done: { kind: 'complete', output } },
  };
  return faultsOf(JSON.stringify(document), catalog);
}

const RUNS = { numRuns: 60 };

describe('a binding that works for some input', () => {
  it('compiles when it is a pointer', () => {
    const example = container.chain((input) => {
      const places = [...placesOf(input)].filter(([path]) => path !== '');
      return fc.constantFrom(...places).chain(([path, found]) =>
        fc.record({
          input: fc.constant(input),
          path: fc.constant(path),
          found: fc.constant(found),
          source: schemaAround(input, 'source'),
          consumer: schemaAround(found, 'consumer'),
        }),
      );
    });
    fc.assert(
      fc.property(example, ({ input, path, found, source, consumer }) => {
        expect([compileSchema(source)(input), compileSchema(consumer)(found)]).toEqual([null, null]);
        expect(faults(source, consumer, { from: 'workflow.input', path })).toEqual([]);
      }),
      RUNS,
    );
  });

  it('compiles when it is a literal, or a default', () => {
    const example = value.chain((literal) => fc.tuple(fc.constant(literal), schemaAround(literal, 'consumer')));
    fc.assert(
      fc.property(example, ([literal, consumer]) => {
        expect(compileSchema(consumer)(literal)).toBeNull();
        expect(faults({}, consumer, { literal })).toEqual([]);
        expect(faults({}, consumer, { from: 'workflow.input', path: '/any', default: literal })).toEqual([]);
      }),
      RUNS,
    );
  });

  it('compiles when it is put together from literals and pointers', () => {
    const example = container.chain((input) =>
      fc.record({
        input: fc.constant(input),
        source: schemaAround(input, 'source'),
        consumer: schemaAround(input, 'consumer'),
        binding: bindingOf(input, ''),
      }),
    );
    fc.assert(
      fc.property(example, ({ input, source, consumer, binding }) => {
        expect([compileSchema(source)(input), compileSchema(consumer)(input)]).toEqual([null, null]);
        expect(faults(source, consumer, binding)).toEqual([]);
      }),
      RUNS,
    );
  });
});

/** A binding that gives `part`, which stands at `path` of the input, and is not the whole of it. */
function bindingOf(part: Json, path: string): fc.Arbitrary<Binding> {
  const literal = fc.constant<Binding>({ literal: part });
  const pointer = path === '' ? literal : fc.constant<Binding>({ from: 'workflow.input', path });
  const parts = [...placesOf(part)].filter(([at]) => /^\/[^/]*$/.test(at));
  if (isArray(part)) {
    const items = fc.tuple(...parts.map(([at, item]) => bindingOf(item, path + at)));
    return fc.oneof(
      literal,
      pointer,
      items.map((array): Binding => ({ array })),
    );
  }
  if (!isObject(part)) return fc.oneof(literal, pointer);
  const members = fc.tuple(...parts.map(([at, item]) => bindingOf(item, path + at)));
  const object = members.map((bindings): Binding => ({
    object: Object.fromEntries(Object.keys(part).map((name, index) => [name, bindings[index] ?? { literal: null }])),
  }));
  return fc.oneof(literal, pointer, object);
}
