import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Definition } from '@graphrun/dsl';
import { layout } from '../index.js';
import type { TextLine } from '../index.js';
import { activity, complete, definition, delay, fail, onError, parallel, region } from '../testing/build.js';
import { definitions } from '../testing/generate.js';
import { box, boxesOf, edgesOf, framesOf } from '../testing/geometry.js';
import { problemsOf } from '../testing/problems.js';
import { chain, everyKind, fulfilment, ladder, nested, sequence, tangled, wide } from '../testing/samples.js';

const SAMPLES: readonly (readonly [string, Definition])[] = [
  ['a sequence', sequence()],
  ['a saga, a choice, a timed wait and errors', fulfilment()],
  ['seven containers in each other', nested()],
  ['sixteen branches', wide()],
  ['errors that come together', tangled()],
  ['every kind of node', everyKind()],
  ['a ladder', ladder(6)],
  ['a chain that can fail everywhere', chain(40, true)],
];

describe('layout', () => {
  it('puts the steps of a sequence under each other', () => {
    const diagram = layout(sequence());
    const { start, boxes, edges } = diagram.root;
    expect(boxes.map(({ key }) => key)).toEqual(['reserve', 'charge', 'finish']);
    const centre = start.x + start.width / 2;
    expect(boxes.map(({ x, width }) => x + width / 2)).toEqual([centre, centre, centre]);
    const [reserve, charge, finish] = boxes;
    expect(edges.map(({ points }) => points)).toEqual([
      [
        { x: centre, y: start.y + start.height },
        { x: centre, y: reserve!.y },
      ],
      [
        { x: centre, y: reserve!.y + reserve!.height },
        { x: centre, y: charge!.y },
      ],
      [
        { x: centre, y: charge!.y + charge!.height },
        { x: centre, y: finish!.y },
      ],
    ]);
  });

  it('names boxes, frames and edges by their place in the definition', () => {
    const diagram = layout(fulfilment());
    expect(diagram.root.id).toBe('/root');
    expect(framesOf(diagram).map(({ id, outlined }) => [id, outlined])).toEqual([
      ['/root', false],
      ['/root/nodes/book/body', false],
      ['/root/nodes/ship/cases/0/body', true],
      ['/root/nodes/ship/cases/1/body', true],
      ['/root/nodes/ship/default', true],
    ]);
    expect(
      diagram.root.edges.map(({ id, from, to, field, label }) => [id, from, to, field, label?.fullText ?? '']),
    ).toEqual([
      ['/root/start', '/root', '/root/nodes/check', 'start', ''],
      ['/root/nodes/check/out/0', '/root/nodes/check', '/root/nodes/book', 'next', ''],
      [
        '/root/nodes/check/out/1',
        '/root/nodes/check',
        '/root/nodes/refused',
        'on_error',
        'order.unknown, order.closed',
      ],
      ['/root/nodes/book/out/0', '/root/nodes/book', '/root/nodes/ship', 'next', ''],
      ['/root/nodes/book/out/1', '/root/nodes/book', '/root/nodes/out_of_stock', 'on_error', 'out_of_stock'],
      ['/root/nodes/ship/out/0', '/root/nodes/ship', '/root/nodes/delivery', 'next', ''],
      ['/root/nodes/delivery/out/0', '/root/nodes/delivery', '/root/nodes/done', 'next', 'received'],
      ['/root/nodes/delivery/out/1', '/root/nodes/delivery', '/root/nodes/ask', 'on_timeout', 'after 15m'],
      ['/root/nodes/ask/out/0', '/root/nodes/ask', '/root/nodes/done', 'next', ''],
      ['/root/nodes/ask/out/1', '/root/nodes/ask', '/root/nodes/lost', 'on_error', 'any error'],
      ['/root/nodes/out_of_stock/out/0', '/root/nodes/out_of_stock', '/root/nodes/unavailable', 'next', ''],
    ]);
  });

  it('keeps the main way straight, with what goes wrong to the right of it', () => {
    const diagram = layout(fulfilment());
    const centre = (key: string) => {
      const { x, width } = box(diagram, `/root/nodes/${key}`);
      return x + width / 2;
    };
    const main = centre('check');
    expect(['book', 'ship', 'delivery', 'done'].map(centre)).toEqual([main, main, main, main]);
    for (const key of ['refused', 'out_of_stock', 'unavailable', 'ask', 'lost'])
      expect(centre(key)).toBeGreaterThan(main);
  });

  it('joins the errors of many steps to one line', () => {
    const diagram = layout(chain(8, true));
    const broken = edgesOf(diagram).filter(({ to }) => to === '/root/nodes/broken');
    // Six steps: the first draws the line, the last is next to its target and needs none.
    expect(broken.map(({ joinsAt }) => joinsAt !== undefined)).toEqual([false, true, true, true, true, false]);
    const trunk = broken[0]!.points.at(-1);
    expect(broken.slice(1, 5).map(({ points }) => points.at(-1))).toEqual([trunk, trunk, trunk, trunk]);
  });

  it('breaks branches into rows of about equal length', () => {
    const tops = box(layout(wide()), '/root/nodes/ask').frames.map(({ y }) => y);
    const rows = [...new Set(tops)];
    expect(rows.map((row) => tops.filter((top) => top === row).length)).toEqual([4, 4, 4, 4]);
  });

  it('draws a link where a line would be too long to follow', () => {
    const diagram = layout(ladder(120));
    const links = boxesOf(diagram).filter(({ kind }) => kind === 'link');
    expect(links.length).toBeGreaterThan(0);
    for (const { id, key } of links) {
      const edge = edgesOf(diagram).find((candidate) => id === `link ${candidate.id}`);
      expect(edge?.to).toBe(`/root/nodes/${key}`);
    }
    expect(boxesOf(layout(ladder(20))).filter(({ kind }) => kind === 'link')).toEqual([]);
  });

  it('shows annotations where they belong', () => {
    const annotations = {
      '': { description: 'All of it.', labels: { team: 'orders', tier: 1, live: true } },
      '/root/nodes/ask': { description: 'Of a node.' },
      '/root/nodes/ask/branches/1': { labels: { beta: true } },
    };
    const body = region({ end: complete() });
    const diagram = layout(
      definition('both', region({ ask: parallel({ a: body, b: body }, 'end'), end: complete() })),
      annotations,
    );
    const shown = (lines: readonly TextLine[]) => lines.map(({ role, text }) => [role, text]);
    expect(shown(diagram.lines)).toEqual([
      ['picture', 'both v1'],
      ['description', 'All of it.'],
      ['labels', 'live: true, team: orders, tier: 1'],
    ]);
    const ask = box(diagram, '/root/nodes/ask');
    expect(shown(ask.lines)).toEqual([
      ['name', 'ask'],
      ['detail', '2 branches at once'],
      ['description', 'Of a node.'],
    ]);
    expect(ask.frames.map(({ lines }) => shown(lines))).toEqual([
      [['title', 'a']],
      [
        ['title', 'b'],
        ['labels', 'beta: true'],
      ],
    ]);
  });

  it('tells the workflow in words', () => {
    const { title, summary } = layout(
      definition(
        'wait',
        region({
          rest: delay(10_000, 'work'),
          work: activity('work.do', 'end', onError('broken', 'a', 'b')),
          end: complete(),
          broken: fail('work.broken', 'It broke.'),
        }),
      ),
      { '': { description: 'Rests and works' } },
    );
    expect(title).toBe('wait v1');
    expect(summary).toBe(
      'Workflow wait, version 1, with 4 nodes. Rests and works. It starts at rest. rest: delay, for 10s; then work. ' +
        'work: activity, work.do v1; then end; on a, b then broken. end: complete. broken: fail with work.broken, It broke.',
    );
  });

  it('refuses what the compiler refuses', () => {
    const nowhere = definition('nowhere', region({ a: delay(1000, 'b') }));
    const circle = definition('circle', region({ a: delay(1000, 'b'), b: delay(1000, 'a') }));
    expect(() => layout(nowhere)).toThrow(new RangeError('there is no node b'));
    expect(() => layout(circle)).toThrow(new RangeError('the edge from b to a closes a circle'));
  });

  it('does not depend on the order of keys', () => {
    for (const [, sample] of SAMPLES) expect(layout(reversed(sample))).toEqual(layout(sample));
    fc.assert(
      fc.property(definitions, (generated) => {
        expect(layout(reversed(generated))).toEqual(layout(generated));
      }),
      { numRuns: 30, seed: 1 },
    );
  });

  describe.each(SAMPLES)('of %s', (_, sample) => {
    it('is sound', () => {
      expect(problemsOf(sample, layout(sample))).toEqual([]);
    });
  });

  it('is sound for definitions of any shape', () => {
    fc.assert(
      fc.property(definitions, (generated) => {
        expect(problemsOf(generated, layout(generated))).toEqual([]);
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it.each([
    ['chain', chain(512)],
    ['chain that can fail everywhere', chain(512, true)],
    ['ladder', ladder(255)],
  ])('draws a %s of as many nodes as a definition may have', (_, largest) => {
    expect(problemsOf(largest, layout(largest))).toEqual([]);
  });
});

/** The same definition with the keys of all objects in reverse order. */
function reversed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => reversed(item)) as Value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item as unknown)])) as Value;
}
