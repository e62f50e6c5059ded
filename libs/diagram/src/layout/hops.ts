/** Pieces of lines between two rows that follow each other, and where they meet the borders of boxes. */
import type { Grid } from './grid.js';
import { groupBy } from './group-by.js';
import type { Piece, Plan } from './plan.js';
import { portsAt } from './ports.js';

export interface Hop {
  /** Columns at the upper and at the lower end, px. */
  from: number;
  to: number;
  /** Number of the row above. */
  readonly gap: number;
  /** Equal for lines that may run into one. */
  readonly bundle: string;
  /** Where it changes its column, 0 the highest; null where it does not. */
  track: number | null;
}

export type Hops = ReadonlyMap<Piece, readonly Hop[]>;

export function hopsOf(plan: Plan, grid: Grid): Hops {
  const bundles = new Map(
    plan.routes.flatMap(({ edge, pieces }) => pieces.map((piece) => [piece, `${edge.field} ${edge.to}`])),
  );
  const hops = new Map(
    plan.pieces.map((piece): [Piece, readonly Hop[]] => {
      const stops = grid.lines.get(piece.id) ?? [];
      const bundle = bundles.get(piece) ?? '';
      return [
        piece,
        stops.slice(1).map((stop, index): Hop => {
          const above = stops[index] ?? stop;
          return { from: above.x, to: stop.x, gap: above.layer, bundle, track: null };
        }),
      ];
    }),
  );
  // Where lines leave first, and then where they arrive: a line that can be straight is.
  choosePorts('from', plan, grid, hops);
  choosePorts('to', plan, grid, hops);
  return hops;
}

function choosePorts(end: 'from' | 'to', plan: Plan, grid: Grid, hops: Hops): void {
  const other = end === 'from' ? 'to' : 'from';
  const isMain = new Set(
    plan.routes.filter(({ edge }) => edge.field === 'next' || edge.field === 'start').flatMap(({ pieces }) => pieces),
  );
  const piecesAt = groupBy(plan.pieces, (piece) => piece[end]);
  for (const { id, kind, width } of plan.items) {
    if (kind !== 'box') continue;
    const ends = (piecesAt.get(id) ?? []).flatMap((piece) => {
      const hop = end === 'from' ? hops.get(piece)?.[0] : hops.get(piece)?.at(-1);
      return hop === undefined ? [] : [{ hop, pinned: isMain.has(piece) }];
    });
    const wishes = ends.map(({ hop, pinned }) => ({ x: hop[other], pinned }));
    portsAt(grid.items.get(id)?.x ?? 0, width, wishes).forEach((x, index) => {
      const hop = ends[index]?.hop;
      if (hop !== undefined) hop[end] = x;
    });
  }
}
