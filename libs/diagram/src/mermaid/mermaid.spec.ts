import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nodesOf } from '@graphrun/dsl';
import { toMermaid } from '../index.js';
import { choose, complete, definition, fail, is, region } from '../testing/build.js';
import { readFlowchart } from '../testing/flowchart.js';
import { definitions } from '../testing/generate.js';
import { everyKind, FULFILMENT_ANNOTATIONS, fulfilment, hostile, nested, sequence } from '../testing/samples.js';
import { outEdges } from '../words/edge-words.js';
import { mermaidText } from './escape.js';

describe('toMermaid', () => {
  it('writes a sequence', () => {
    expect(toMermaid(sequence())).toBe(`flowchart TB
  accTitle: order v1
  accDescr: Workflow order, version 1, with 3 nodes. It starts at reserve. reserve#58; activity, inventory.reserve v1#59; then charge. charge#58; activity, payment.charge v1#59; then finish. finish#58; complete.
  subgraph workflow["order v1"]
    direction TB
    r0_(("start"))
    r0_reserve["reserve<br/>inventory.reserve v1"]
    r0_charge["charge<br/>payment.charge v1"]
    r0_finish(["finish<br/>complete"])
    r0_ --> r0_reserve
    r0_reserve --> r0_charge
    r0_charge --> r0_finish
  end
  classDef start stroke:#8592a0,stroke-width:2px
  class r0_ start
  classDef activity stroke:#4c7fe0
  class r0_reserve,r0_charge activity
  classDef complete stroke:#2c9d5b,stroke-width:2px
  class r0_finish complete
`);
  });

  it('nests what containers hold, with titles, conditions and annotations', () => {
    const { nodes, subgraphs, edges, linkStyles } = readFlowchart(toMermaid(fulfilment(), FULFILMENT_ANNOTATIONS));
    expect([...subgraphs]).toEqual([
      [
        'workflow',
        {
          parent: null,
          lines: ['fulfilment v1', 'From a paid basket to a delivered parcel.', 'team: orders, tier: 1'],
        },
      ],
      [
        'r0_book',
        {
          parent: 'workflow',
          lines: [
            'book',
            'undone in reverse order if it fails',
            'All or nothing: what is booked is undone when a later step fails.',
          ],
        },
      ],
      ['r0_ship', { parent: 'workflow', lines: ['ship', 'the first case that holds'] }],
      [
        'r0_ship__0',
        { parent: 'r0_ship', lines: ['express', 'when scope.input.tier is "gold"', 'By courier, the same day.'] },
      ],
      ['r0_ship__1', { parent: 'r0_ship', lines: ['insured', 'when scope.input.total is more than 500'] }],
      ['r0_ship__2', { parent: 'r0_ship', lines: ['default', 'otherwise'] }],
    ]);
    expect(nodes.get('r1_notify')).toEqual({
      shape: 'rectangle',
      lines: ['notify', 'mail.confirm v1', 'irreversible: a mail cannot be taken back'],
    });
    const labelled = edges.filter(({ label }) => label !== '');
    expect(labelled.map(({ from, to, arrow, label }) => `${from} ${arrow} ${label} ${to}`)).toEqual([
      'r0_check -.-> order.unknown, order.closed r0_refused',
      'r0_book -.-> out_of_stock r0_out_of_stock',
      'r0_delivery --> received r0_done',
      'r0_delivery -.-> after 15m r0_ask',
      'r0_ask -.-> any error r0_lost',
    ]);
    const styled = edges.filter((_, index) => linkStyles.has(index)).map(({ label }) => label);
    expect(styled).toEqual(['order.unknown, order.closed', 'out_of_stock', 'after 15m', 'any error']);
  });

  it('gives terminals their shapes', () => {
    const { nodes, classes } = readFlowchart(toMermaid(everyKind()));
    const shapes = Object.fromEntries([...nodes].map(([id, { shape }]) => [classes.get(id) ?? id, shape]));
    expect(shapes).toEqual({
      start: 'circle',
      delay: 'round',
      wait_until: 'round',
      wait_signal: 'round',
      activity: 'rectangle',
      fail: 'double',
      continue_as_new: 'stadium',
      complete: 'stadium',
    });
  });

  it('has ids that mean nothing to Mermaid, whatever the keys are', () => {
    const end = region({ end: complete() });
    const keys = region({
      end: choose({ subgraph: [is('scope.input', '/a', 'b'), end] }, end, 'graph'),
      graph: complete(),
      'no key"] --> x': complete(),
      __proto: complete(),
    });
    const { nodes, subgraphs } = readFlowchart(toMermaid(definition('end', keys)));
    expect([...subgraphs.keys()]).toEqual(['workflow', 'r0_end', 'r0_end__0', 'r0_end__1']);
    expect(nodes.get('r0_graph')?.lines).toEqual(['graph', 'complete']);
    expect([...nodes.values()].map(({ lines }) => lines[0])).toContain('no key"] --> x');
  });

  it('shows exactly what hostile texts say', () => {
    const { nodes } = readFlowchart(toMermaid(hostile()));
    const shown =
      '"]; end <script>alert(1)</script> `a` **b** _c_ &amp; #quot; {x} (y) [z] | ; %% \\ \ufffd\ufffd\ufffd \u{1f600}';
    expect(nodes.get('r0_end')?.lines).toEqual(['end', `${shown} v1`]);
    expect(nodes.get('r0_subgraph')?.lines).toEqual(['subgraph', `fail with ${shown}`, shown]);
  });

  it('stays in the grammar for definitions of any shape, with every node and edge', () => {
    fc.assert(
      fc.property(definitions, (generated) => {
        const { nodes, subgraphs, edges } = readFlowchart(toMermaid(generated));
        const all = [...nodesOf(generated)];
        const regions = new Set(all.map(({ region: owner }) => owner)).size;
        const bodies = [...subgraphs.keys()].filter((id) => /^r\d+_.*__\d+$/.test(id)).length;
        expect(nodes.size - regions + subgraphs.size - 1 - bodies).toBe(all.length);
        expect(edges).toHaveLength(all.reduce((sum, { node }) => sum + outEdges(node).length, regions));
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('does not depend on the order of keys', () => {
    const { root, ...rest } = nested();
    const nodes = Object.fromEntries(Object.entries(root.nodes).toReversed());
    expect(toMermaid({ ...rest, root: { ...root, nodes } })).toBe(toMermaid(nested()));
  });
});

describe('labels', () => {
  it.each([
    ['wait_for_it', 'wait_for_it'],
    ['_a_ b_', '#95;a#95; b#95;'],
    ['1. first', '1#46; first'],
    ['- point', '#45; point'],
    ['see http://www.example.com or me@example.com', 'see http#58;//www#46;example.com or me#64;example.com'],
    ['a"b\'c', 'a#34;b#39;c'],
    ['数量 – Größe', '数量 – Größe'],
    ['$$x$$', '#36;\u200b#36;x#36;\u200b#36;'],
    ['x'.repeat(301), `${'x'.repeat(299)}\u2026`],
  ])('%s', (text, written) => {
    expect(mermaidText(text)).toBe(written);
  });

  it('are plain whatever they say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const { nodes } = readFlowchart(toMermaid(definition('any', region({ end: fail(text, 'x') }))));
        expect(nodes.get('r0_end')?.lines).toHaveLength(3);
      }),
      { numRuns: 300, seed: 6 },
    );
  });
});
