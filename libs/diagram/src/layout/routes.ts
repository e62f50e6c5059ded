/**
 * From columns to lines: rows get their heights, gaps between rows as much room as the tracks in them need, and each
 * edge its corners. Lines are horizontal only in gaps, and vertical only in columns that were kept free for them, so no
 * line crosses a box.
 */
import type { Point } from '../diagram.js';
import { SIZE } from '../style.js';
import type { Grid } from './grid.js';
import { groupBy } from './group-by.js';
import { hopsOf } from './hops.js';
import type { Hop, Hops } from './hops.js';
import type { Plan, PlanItem, Route } from './plan.js';
import { tracksOf } from './tracks.js';

export interface PlacedItem {
  readonly id: string;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedRoute {
  readonly id: string;
  readonly points: readonly Point[];
  readonly joinsAt?: number;
}

export interface Routed {
  readonly items: ReadonlyMap<string, PlacedItem>;
  readonly routes: readonly PlacedRoute[];
  readonly bottom: number;
}

interface Row {
  readonly height: number;
  readonly labels: boolean;
}

export function routePlan(plan: Plan, grid: Grid): Routed {
  const rows = rowsOf(plan.items);
  const hops = hopsOf(plan, grid);
  const gaps = chooseTracks(rows, [...hops.values()].flat());
  const tops = topsOf(rows, gaps);
  const itemAt = (item: PlanItem): PlacedItem => {
    const { id, width, height, layer } = item;
    return { id, width, height, x: (grid.items.get(id)?.x ?? 0) - width / 2, y: tops[layer] ?? 0 };
  };
  const items = new Map(plan.items.map((item) => [item.id, itemAt(item)]));
  const trackY = (hop: Hop) => {
    const gap = gaps[hop.gap];
    const top = (tops[hop.gap] ?? 0) + (rows[hop.gap]?.height ?? 0);
    return gap === undefined ? top : top + gap.firstTrack + (hop.track ?? 0) * SIZE.edges.trackGap;
  };
  return {
    items,
    routes: plan.routes.map((route) => corners(route, items, hops, trackY)),
    bottom: (tops.at(-1) ?? 0) + (rows.at(-1)?.height ?? 0),
  };
}

function rowsOf(items: readonly PlanItem[]): readonly Row[] {
  const rows: Row[] = [];
  for (const { layer, height, kind } of items) {
    rows[layer] = { height: Math.max(height, rows[layer]?.height ?? 0), labels: kind === 'label' };
  }
  return rows;
}

interface Gap {
  readonly height: number;
  /** Of the highest track, below the row above. */
  readonly firstTrack: number;
}

function chooseTracks(rows: readonly Row[], hops: readonly Hop[]): readonly Gap[] {
  const { rowGap, labelRowGap, run, trackGap } = SIZE.edges;
  const hopsAt = groupBy(hops, ({ gap }) => gap);
  return rows.slice(1).map((below, index): Gap => {
    const inGap = hopsAt.get(index) ?? [];
    const { tracks, count } = tracksOf(inGap);
    inGap.forEach((hop, at) => (hop.track = tracks[at] ?? null));
    // Above labels there is no arrow head, so the lines need less room there.
    const least = below.labels ? labelRowGap : rowGap;
    const used = Math.max(0, count - 1) * trackGap;
    const height = count === 0 ? least : Math.max(least, used + 2 * run);
    return { height, firstTrack: (height - used) / 2 };
  });
}

function topsOf(rows: readonly Row[], gaps: readonly Gap[]): readonly number[] {
  let y = 0;
  return rows.map(({ height }, index) => {
    const top = y;
    y += height + (gaps[index]?.height ?? 0);
    return top;
  });
}

function corners(
  { edge, pieces, sharedFrom }: Route,
  items: ReadonlyMap<string, PlacedItem>,
  hops: Hops,
  trackY: (hop: Hop) => number,
): PlacedRoute {
  const points: Point[] = [];
  let join: Point | undefined;
  pieces.forEach((piece, index) => {
    const from = items.get(piece.from);
    const to = items.get(piece.to);
    const own = hops.get(piece) ?? [];
    const first = own[0];
    const last = own.at(-1);
    if (from === undefined || to === undefined || first === undefined || last === undefined) return;
    const begin = { x: first.from, y: from.y + from.height };
    // The pieces of an edge meet in a join, and at the two borders of a label.
    const before = points.at(-1);
    const isSame = before?.x === begin.x && before.y === begin.y;
    if (!isSame) points.push(begin);
    if (index === sharedFrom) join = isSame ? before : begin;
    for (const hop of own) {
      if (hop.track !== null) points.push({ x: hop.from, y: trackY(hop) }, { x: hop.to, y: trackY(hop) });
    }
    points.push({ x: last.to, y: to.y });
  });
  const kept = withoutStraightPoints(points, join);
  return join === undefined
    ? { id: edge.id, points: kept }
    : { id: edge.id, points: kept, joinsAt: kept.indexOf(join) };
}

/** Leaves out points on straight lines, but for the one where another line is joined. */
function withoutStraightPoints(points: readonly Point[], keep: Point | undefined): readonly Point[] {
  const kept: Point[] = [];
  points.forEach((point, index) => {
    const before = kept.at(-1);
    const after = points[index + 1];
    if (point !== keep && before !== undefined && after !== undefined && onOneLine(before, point, after)) return;
    kept.push(point);
  });
  return kept;
}

function onOneLine(a: Point, b: Point, c: Point): boolean {
  return (a.x === b.x && b.x === c.x) || (a.y === b.y && b.y === c.y);
}
