import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nodesOf } from '@graphrun/dsl';
import type { Definition, Region } from '@graphrun/dsl';
import { layout } from '../index.js';
import type { Diagram, Edge, Frame, TextLine } from '../index.js';
import { activity, complete, definition, delay, fail, onError, parallel, region } from '../testing/build.js';
import { definitions } from '../testing/generate.js';
import { box, boxesOf, crosses, edgesOf, framesOf, inside, onPiece, overlaps, pieces } from '../testing/geometry.js';
import { chain, everyKind, fulfilment, ladder, nested, sequence, tangled, wide } from '../testing/samples.js';
import { outEdges } from '../words/edge-words.js';

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
      ['detail', 'all 2 branches at once'],
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
      checkDiagram(sample, layout(sample));
    });
  });

  it('is sound for definitions of any shape', () => {
    fc.assert(
      fc.property(definitions, (generated) => {
        checkDiagram(generated, layout(generated));
      }),
      { numRuns: 150, seed: 2 },
    );
  });

  it('draws the largest definitions', () => {
    for (const largest of [chain(512), chain(512, true), ladder(255)]) {
      const diagram = layout(largest);
      expect(boxesOf(diagram).filter(({ kind }) => kind !== 'link')).toHaveLength([...nodesOf(largest)].length);
      checkEdges(diagram.root);
    }
  });
});

/** The same definition with the keys of all objects in reverse order. */
function reversed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => reversed(item)) as Value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item as unknown)])) as Value;
}

function checkDiagram(drawn: Definition, diagram: Diagram): void {
  const picture = { x: 0, y: 0, width: diagram.width, height: diagram.height };
  expect(inside(diagram.root, picture)).toBe(true);
  for (const line of diagram.lines) expect(line.x + line.width).toBeLessThanOrEqual(diagram.width);
  const nodes = [...nodesOf(drawn)];
  expect(
    boxesOf(diagram)
      .filter(({ kind }) => kind !== 'link')
      .map(({ id, key, kind }) => [id, key, kind])
      .sort(),
  ).toEqual(nodes.map(({ pointer, key, node }) => [pointer, key, node.kind]).sort());
  expect(edgesOf(diagram)).toHaveLength(
    framesOf(diagram).length + countEdges(nodes.map(({ region: owner, key }) => [owner, key])),
  );
  for (const frame of framesOf(diagram)) {
    checkPlaces(frame);
    checkEdges(frame);
  }
}

function countEdges(nodes: readonly (readonly [Region, string])[]): number {
  return nodes.reduce((sum, [{ nodes: all }, key]) => sum + outEdges(all[key]!).length, 0);
}

/** Nothing lies on anything else, and everything inside of what holds it. */
function checkPlaces(frame: Frame): void {
  const labels = frame.edges.flatMap(({ label }) => label ?? []);
  expect(overlaps([frame.start, ...frame.boxes, ...labels])).toEqual([]);
  for (const thing of [frame.start, ...frame.boxes, ...labels]) expect(inside(thing, frame)).toBe(true);
  for (const holder of [...frame.boxes, ...labels]) {
    for (const { x, y, width } of holder.lines) {
      expect(inside({ x, y: y - 8, width, height: 10 }, holder)).toBe(true);
    }
  }
  for (const { frames, ...holder } of frame.boxes) {
    expect(overlaps(frames)).toEqual([]);
    for (const inner of frames) {
      expect(inside(inner, holder)).toBe(true);
      for (const { x, y } of holder.lines) expect(inside({ x, y, width: 0, height: 0 }, inner)).toBe(false);
    }
  }
}

/** Edges go from border to border, down, in right angles, through nothing. */
function checkEdges(frame: Frame): void {
  const boxes = new Map(frame.boxes.map((candidate) => [candidate.id, candidate]));
  const labels = frame.edges.flatMap(({ id, label }) => (label === undefined ? [] : [{ id, ...label }]));
  for (const edge of frame.edges) {
    const from = edge.field === 'start' ? frame.start : boxes.get(edge.from)!;
    const to = boxes.get(`link ${edge.id}`) ?? boxes.get(edge.to)!;
    const first = edge.points[0]!;
    const last = edge.points.at(-1)!;
    expect({ id: edge.id, y: first.y }).toEqual({ id: edge.id, y: from.y + from.height });
    expect({ id: edge.id, y: last.y }).toEqual({ id: edge.id, y: to.y });
    expect(first.x >= from.x && first.x <= from.x + from.width).toBe(true);
    expect(last.x >= to.x && last.x <= to.x + to.width).toBe(true);
    for (const piece of pieces(edge.points)) {
      const [a, b] = piece;
      expect((a.x === b.x && a.y < b.y) || a.y === b.y).toBe(true);
      for (const other of frame.boxes)
        expect({ edge: edge.id, box: other.id, crossed: crosses(piece, other) }).toEqual({
          edge: edge.id,
          box: other.id,
          crossed: false,
        });
      for (const other of labels) {
        if (other.id !== edge.id && crosses(piece, other))
          expect({ edge: edge.id, joins: joinsLine(edge, other.id, frame) }).toEqual({ edge: edge.id, joins: true });
      }
    }
    if (edge.joinsAt !== undefined) {
      const joint = edge.points[edge.joinsAt]!;
      const others = frame.edges.filter(
        ({ to: target, field, joinsAt }) => target === edge.to && field === edge.field && joinsAt === undefined,
      );
      expect(others.some(({ points }) => pieces(points).some((piece) => onPiece(joint, piece)))).toBe(true);
    }
  }
}

/** Beyond its joint an edge runs where the other one does, through that one's label if it has one there. */
function joinsLine(edge: Edge, other: string, frame: Frame): boolean {
  const owner = frame.edges.find(({ id }) => id === other);
  return edge.joinsAt !== undefined && owner?.to === edge.to && owner.field === edge.field;
}
