/** Every container inside every container, built and written: the same digest. */
import { describe, expect, it } from '@jest/globals';
import { artifactOf, artifactOfYaml } from './testing/compare.js';
import { Counter } from './testing/shop.js';
import { gt, lt, workflow, type AnySchema, type Ended, type Mode, type RegionPath } from './index.js';

const CONTAINERS = ['choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga'] as const;
type Container = (typeof CONTAINERS)[number];

/** A region from a counter to a counter, in every kind of surroundings. */
type Region = <M extends Mode, Next extends AnySchema>(b: RegionPath<typeof Counter, typeof Counter, M, Next>) => Ended;

const leaf: Region = (b) => {
  b.delay('rest', '1s');
  return b.complete('done', b.input);
};

/** A region with one container, whose bodies are `inner`. */
function around(kind: Container, inner: Region): Region {
  const schemas = { inputSchema: Counter, outputSchema: Counter };
  const carry = { stateSchema: Counter, maxIterations: 3 };
  return (b) => {
    const { input } = b;
    switch (kind) {
      case 'choose': {
        const cases = [{ name: 'big', when: gt(input.at('value'), 9), body: inner }];
        return b.complete('done', b.choose('node', { input, ...schemas, cases, default: inner }).output);
      }
      case 'while': {
        const loop = b.while('node', { state: input, ...carry, condition: ({ index }) => lt(index, 2), body: inner });
        return b.complete('done', loop.output);
      }
      case 'do_while': {
        const loop = b.doWhile('node', {
          state: input,
          ...carry,
          condition: ({ state }) => lt(state.at('value'), 2),
          body: inner,
        });
        return b.complete('done', loop.output);
      }
      case 'repeat':
        return b.complete('done', b.repeat('node', { state: input, ...carry, count: 2, body: inner }).output);
      case 'foreach': {
        const each = b.foreach('node', {
          items: [input],
          itemSchema: Counter,
          outputSchema: Counter,
          maxItems: 3,
          body: inner,
        });
        return b.complete('done', each.output.at(0).required());
      }
      case 'parallel': {
        const left = b.branch('left', { input, ...schemas, body: inner });
        const right = b.branch('right', { input: { value: 1 }, ...schemas, body: inner });
        return b.complete('done', b.parallel('node', [left, right]).output.at(1));
      }
      case 'saga':
        return b.complete('done', b.saga('node', { input, ...schemas, body: inner }).output);
    }
  };
}

/** The same as YAML: `input` is where the region's input is read from. */
type Written = (input: string) => string;

const writtenLeaf: Written = (input) =>
  `start: rest, nodes: {rest: {kind: delay, duration: 1s, next: done}, done: {kind: complete, output: {from: ${input}}}}`;

function writtenAround(kind: Container, inner: Written): Written {
  return (input) => {
    const body = `{input_schema: counter/v1, output_schema: counter/v1, ${inner('scope.input')}}`;
    const carry = `state: {from: ${input}}, state_schema: counter/v1, max_iterations: 3, body: ${body}`;
    const fields: Readonly<Record<Container, string>> = {
      choose: `input: {from: ${input}}, cases: [{name: big, when: {gt: [{from: ${input}, path: /value}, {literal: 9}]}, body: ${body}}], default: ${body}`,
      while: `condition: {lt: [{from: loop.index}, {literal: 2}]}, ${carry}`,
      do_while: `condition: {lt: [{from: loop.state, path: /value}, {literal: 2}]}, ${carry}`,
      repeat: `count: {literal: 2}, ${carry}`,
      foreach: `items: {array: [{from: ${input}}]}, item_schema: counter/v1, max_items: 3, body: ${body}`,
      parallel: `branches: [{name: left, input: {from: ${input}}, body: ${body}}, {name: right, input: {object: {value: {literal: 1}}}, body: ${body}}]`,
      saga: `input: {from: ${input}}, body: ${body}`,
    };
    const path = { foreach: ', path: /0', parallel: ', path: /1' }[kind as string] ?? '';
    const done = `done: {kind: complete, output: {from: nodes.node.output${path}}}`;
    return `start: node, nodes: {node: {kind: ${kind}, ${fields[kind]}, next: done}, ${done}}`;
  };
}

function expectEqual(kinds: readonly Container[]): void {
  const region = kinds.reduceRight((inner, kind) => around(kind, inner), leaf);
  const written = kinds.reduceRight((inner, kind) => writtenAround(kind, inner), writtenLeaf);
  const built = workflow('nest', 1)
    .input(Counter)
    .output(Counter)
    .body((r) => region(r));
  const header = 'dsl: graphrun/v1, id: nest, version: 1, input_schema: counter/v1, output_schema: counter/v1';
  const expected = artifactOfYaml(`{${header}, ${written('workflow.input')}}`);
  const found = artifactOf(built);
  expect(found.definition).toEqual(expected.definition);
  expect(found.digest).toBe(expected.digest);
}

describe.each(CONTAINERS)('the builder and YAML give the same digest for a %s around', (outer) => {
  it.each(CONTAINERS)('a %s', (inner) => {
    expectEqual([outer, inner]);
  });
});

it('the builder and YAML give the same digest for all containers inside each other, as deep as the limit', () => {
  expectEqual(['saga', 'repeat', 'foreach', 'while', 'do_while', 'saga', 'saga']);
  expectEqual(['choose', 'parallel', 'saga', 'foreach', 'repeat']);
});
