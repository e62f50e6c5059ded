/** Everything that is wrong is said at once, in the order of the source, and each mistake once. */
import { describe, expect, it } from '@jest/globals';
import { compileYaml } from '../compile.js';
import type { Diagnostic } from '../diagnostic.js';
import { compile } from '../testing/order-catalog.js';
import { expectationOf, verdict } from './case.js';
import { SHOP_CATALOG } from './catalog.js';
import { bump, call, flow, INPUT } from './snippets.js';

/** What is said about a source, beside what its marks say. */
function judge(marked: string): { readonly said: readonly string[]; readonly marked: readonly string[] } {
  const { source, faults } = expectationOf(marked);
  const compiler = { compile: (text: string) => compile(text, SHOP_CATALOG), parseCatalog: () => never() };
  return { said: verdict(compiler, 'document', source), marked: faults };
}

function never(): never {
  throw new Error('There is no catalog among these');
}

function expectAll(marked: string, count: number): void {
  const { said, marked: expected } = judge(marked);
  expect(said).toEqual(expected);
  expect(said).toHaveLength(count);
}

function diagnosticsOf(source: string): readonly Diagnostic[] {
  const result = compileYaml(source, { catalog: SHOP_CATALOG });
  return result.ok ? [] : result.diagnostics;
}

describe('all errors at once', () => {
  it('reports exactly three for a document with three', () => {
    expectAll(
      bump(
        ['version: 1\n', 'version: «GR1110 0»\n'],
        ['next: done', 'next: «GR1201 dnoe»'],
        ['nodes.inc.output', '«GR1303 nodes.ink.output»'],
      ),
      3,
    );
  });

  it('reports mistakes of every layer, in the order of the source', () => {
    expectAll(
      `dsl: «GR1108 graphrun/v2»
id: «GR1106 all wrong»
version: «GR1006 0x1»
input_schema: order/v1
output_schema: «GR1402 order»
signals: {paid: {«GR1101 schemas»: unit/v1}}
run_timeout: «GR1109 soon»
start: «GR1201 first»
nodes:
  n:
    kind: activity
    activity: {name: inventory.reserve, version: 1}
    input: {object: {order_id: {from: «GR1302 workflow.imput», path: «GR1306 order_id»}, amount: {literal: «GR1404 many»}}}
    timeout: «GR1110 1ms»
    retry: {errors: [«GR1502 bsuy»], backoff: {initial: «GR1504 2h»}}
    next: loop
  loop:
    kind: while
    state: {literal: «GR1404 1»}
    state_schema: string/v1
    condition: {eq: [{from: loop.index}, «GR1312 {literal: x}»]}
    max_iterations: «GR1110 5000»
    body:
      start: b
      nodes:
        b:
          kind: complete
          output: {from: «GR1309 item.value»}
    next: wait
  «GR1102 wait»:
    kind: wait_signal
    signal: «GR1208 piad»
    key: «GR1301 k»
    next: done
  done:
    kind: complete
    «GR1004 <<»: {}
    output: {from: nodes.loop.output}
`.replace('initial: «GR1504 2h»', 'initial: «GR1110 2h»'),
      21,
    );
  });

  it('reports mistakes in bodies that are next to each other, each in its own', () => {
    expectAll(
      flow(`
  n:
    kind: parallel
    branches:
      - name: a
        input: ${INPUT}
        body: {input_schema: order/v1, output_schema: unit/v1, start: b, nodes: {b: {kind: complete, output: {literal: «GR1404 1»}}}}
      - name: b
        input: «GR1403 {from: scope.id}»
        body: {input_schema: order/v1, output_schema: unit/v1, start: «GR1201 c», nodes: {b: {kind: complete, output: {literal: «GR1404 x»}}}}
    next: done`),
      4,
    );
  });

  it('reports one for a node of an unknown kind, not its consequences', () => {
    expectAll(bump(['kind: activity', 'kind: «GR1107 activty»']), 1);
  });

  it('reports one for an unknown activity although its output is used', () => {
    expectAll(bump(['{name: counter.increment, version: 1}', '«GR1501 {name: nobody.knows, version: 1}»']), 1);
  });

  it('reports one for a broken input schema although bindings use it', () => {
    expectAll(bump(['input_schema: counter/v1', 'input_schema: «GR1401 nobody/v1»']), 1);
  });

  it('reports one for a field of the wrong kind although much depends on it', () => {
    expectAll(
      flow(`  n: ${call('tax.quote', INPUT, 'next: «GR1103 [a, b]»')}\n  a: ${call('tax.quote', INPUT, 'next: done')}`),
      1,
    );
  });

  it('reports the node limit once, at "nodes"', () => {
    const node = (index: number): string => `  n${index}: {kind: delay, duration: 1s, next: n${index + 1}}\n`;
    const nodes = Array.from({ length: 512 }, (_, index) => node(index)).join('');
    expectAll(flow(nodes).replace('nodes:', '«GR1113 nodes»:'), 1);
  });

  it('stops listing after a thousand', () => {
    const list = diagnosticsOf(Array.from({ length: 1500 }, (_, index) => `k${index}: 1`).join('\n'));
    expect(list).toHaveLength(1001);
    expect(list.at(-1)?.code).toBe('GR1000');
    expect(list.at(-1)?.message).toBe('507 more errors are not shown; repair the ones above first');
  });
});
