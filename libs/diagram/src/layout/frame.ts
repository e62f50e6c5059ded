/** One region: its boxes in rows, its edges between them, under a title if it has one. */
import type { Annotations, Region } from '@graphrun/dsl';
import type { Box, Edge, EdgeLabel, Frame, TextLine } from '../diagram.js';
import { even, SIZE } from '../style.js';
import { outEdges } from '../words/edge-words.js';
import { linkCard } from './card.js';
import { placeColumns } from './columns.js';
import { nodeBox } from './container.js';
import { gridOf } from './grid.js';
import { moveBox, moveEdge } from './move.js';
import { orderLayers } from './order.js';
import { labelId, linkId, planRegion } from './plan.js';
import type { PlannedEdge, PlanItem } from './plan.js';
import { ranksOf } from './ranks.js';
import { routePlan } from './routes.js';
import type { PlacedItem, Routed } from './routes.js';
import { block, blockSize } from './text-block.js';
import type { Paragraph } from './text-block.js';

export interface FrameTitle {
  readonly paragraphs: readonly Paragraph[];
  readonly fullText: readonly string[];
}

/** With its upper left corner at 0, 0. A frame with a title has a border and room inside of it. */
export function frameOf(id: string, region: Region, annotations: Annotations, title?: FrameTitle): Frame {
  const content = contentOf(id, region, annotations);
  const { padding, titleGap, maxTextWidth } = SIZE.lane;
  const inset = title === undefined ? 0 : padding;
  const text = title === undefined ? { width: 0, height: 0 } : blockSize(title.paragraphs, maxTextWidth);
  const head = title === undefined ? 0 : inset + text.height + titleGap;
  const inner = Math.max(content.width, Math.ceil(text.width));
  const width = even(inner + 2 * inset);
  const dx = Math.round((width - content.width) / 2);
  const lines = title === undefined ? [] : block(title.paragraphs, maxTextWidth, { x: inset, y: inset - 2 });
  return {
    id,
    x: 0,
    y: 0,
    width,
    height: head + content.height + inset,
    outlined: title !== undefined,
    lines,
    fullText: title?.fullText ?? [],
    start: { ...content.start, x: content.start.x + dx, y: content.start.y + head },
    boxes: content.boxes.map((box) => moveBox(box, dx, head)),
    edges: content.edges.map((edge) => moveEdge(edge, dx, head)),
  };
}

/** Lines of the codes of an edge before they are cut. */
const LABEL_LINES = 6;

type Content = Pick<Frame, 'width' | 'height' | 'start' | 'boxes' | 'edges'>;

function contentOf(id: string, region: Region, annotations: Annotations): Content {
  const ranks = ranksOf(region);
  const boxes = [...ranks.keys()].map((key) => nodeBox(nodeId(id, key), key, region, annotations));
  const labels = new Map<string, EdgeLabel>();
  const edges = edgesOf(id, region, [...ranks.keys()], labels);
  const items: PlanItem[] = [
    { id, layer: 0, width: SIZE.start, height: SIZE.start, kind: 'box' },
    ...boxes.map((box): PlanItem => ({ ...sizeOf(box), layer: 2 + 2 * (ranks.get(box.key) ?? 0), kind: 'box' })),
  ];
  const keys = new Map(boxes.map((box) => [box.id, box.key]));
  const linkOf = (edge: PlannedEdge) => linkCard(linkId(edge), keys.get(edge.to) ?? '');
  const plan = planRegion(items, edges, linkOf);
  const grid = gridOf(plan);
  placeColumns(grid, orderLayers(grid));
  const routed = routePlan(plan, grid);
  const links = edges.filter((edge) => routed.items.has(linkId(edge))).map(linkOf);
  return assemble(id, routed, [...boxes, ...links], edges, labels);
}

function edgesOf(
  id: string,
  region: Region,
  keys: readonly string[],
  labels: Map<string, EdgeLabel>,
): readonly PlannedEdge[] {
  const edges: PlannedEdge[] = [{ id: `${id}/start`, from: id, to: nodeId(id, region.start), field: 'start' }];
  for (const key of keys) {
    const node = region.nodes[key];
    if (node === undefined) continue;
    outEdges(node).forEach(({ field, to, label }, index) => {
      const edgeId = `${nodeId(id, key)}/out/${index}`;
      const ends = { id: edgeId, from: nodeId(id, key), to: nodeId(id, to), field };
      if (label === '') edges.push(ends);
      else {
        const drawn = edgeLabel(label);
        labels.set(edgeId, drawn);
        edges.push({ ...ends, labelSize: { width: drawn.width, height: drawn.height } });
      }
    });
  }
  return edges;
}

function edgeLabel(text: string): EdgeLabel {
  const { maxTextWidth, paddingX, paddingY } = SIZE.label;
  const paragraphs: readonly Paragraph[] = [{ role: 'label', text, maxLines: LABEL_LINES }];
  const size = blockSize(paragraphs, maxTextWidth);
  const width = even(size.width + 2 * paddingX);
  const lines = block(paragraphs, maxTextWidth, { x: paddingX, y: paddingY }).map((line): TextLine => ({
    ...line,
    x: (width - line.width) / 2,
  }));
  return { x: 0, y: 0, width, height: size.height + 2 * paddingY, lines, fullText: text };
}

/** Moves everything to where it was placed, and the whole so that it begins at 0, 0. */
function assemble(
  id: string,
  { items, routes, bottom }: Routed,
  boxes: readonly Box[],
  edges: readonly PlannedEdge[],
  labels: ReadonlyMap<string, EdgeLabel>,
): Content {
  const xs = [
    ...[...items.values()].flatMap(({ x, width }) => [x, x + width]),
    ...routes.flatMap(({ points }) => points.map(({ x }) => x)),
  ];
  const left = xs.reduce((least, x) => Math.min(least, x));
  const right = xs.reduce((most, x) => Math.max(most, x));
  const at = (item: string): PlacedItem => items.get(item) ?? { id: item, x: 0, y: 0, width: 0, height: 0 };
  const start = at(id);
  const byId = new Map(edges.map((edge) => [edge.id, edge]));
  return {
    width: right - left,
    height: bottom,
    start: { x: start.x - left, y: start.y, width: start.width, height: start.height },
    boxes: boxes.map((box) => moveBox(box, at(box.id).x - left, at(box.id).y)),
    edges: routes.flatMap((route): readonly Edge[] => {
      const edge = byId.get(route.id);
      if (edge === undefined) return [];
      const { from, to, field } = edge;
      const label = labels.get(route.id);
      const drawn: Edge = { id: route.id, from, to, field, points: route.points };
      const place = at(labelId(edge));
      return [
        moveEdge(
          {
            ...drawn,
            ...(route.joinsAt !== undefined && { joinsAt: route.joinsAt }),
            ...(label !== undefined && { label: movedLabel(label, place) }),
          },
          -left,
          0,
        ),
      ];
    }),
  };
}

function movedLabel(label: EdgeLabel, { x, y }: PlacedItem): EdgeLabel {
  return {
    ...label,
    x,
    y,
    lines: label.lines.map((line) => ({ ...line, x: line.x + x, y: line.y + y })),
  };
}

function sizeOf({ id, width, height }: Box): { readonly id: string; readonly width: number; readonly height: number } {
  return { id, width, height };
}

function nodeId(region: string, key: string): string {
  return `${region}/nodes/${key}`;
}
