/** A plan taken apart: every item, and every line in every layer it runs through, is a stop; links join neighbouring layers. */
import type { EdgeField } from '../words/edge-words.js';
import type { Plan, PlanItem } from './plan.js';

/** A place in a layer: an item of the plan, or a line on its way through. */
export interface Stop {
  readonly layer: number;
  readonly width: number;
  readonly kind: PlanItem['kind'] | 'line';
  /** Centre, px. */
  x: number;
}

/** Part of a line, from a stop to one in the next layer. */
export interface Link {
  readonly from: Stop;
  readonly to: Stop;
  readonly field: EdgeField;
}

export interface Grid {
  readonly items: ReadonlyMap<string, Stop>;
  /** By piece, from its first item to its last, both included; the ends are the very stops of `items`. */
  readonly lines: ReadonlyMap<string, readonly Stop[]>;
  /** In the order of the plan. */
  readonly links: readonly Link[];
}

export function gridOf(plan: Plan): Grid {
  const items = new Map(
    plan.items.map(({ id, layer, width, kind }): [string, Stop] => [id, { layer, width, kind, x: 0 }]),
  );
  const fields = new Map(plan.routes.flatMap(({ edge, pieces }) => pieces.map(({ id }) => [id, edge.field])));
  const lines = new Map<string, readonly Stop[]>();
  const links: Link[] = [];
  for (const { id, from, to } of plan.pieces) {
    const first = items.get(from);
    const last = items.get(to);
    if (first === undefined || last === undefined) throw new RangeError(`the line ${id} has no end`);
    const between = Array.from({ length: last.layer - first.layer - 1 }, (_, index): Stop => ({
      layer: first.layer + 1 + index,
      width: 0,
      kind: 'line',
      x: 0,
    }));
    const stops = [first, ...between, last];
    lines.set(id, stops);
    const field = fields.get(id) ?? 'next';
    stops.slice(1).forEach((stop, index) => links.push({ from: stops[index] ?? stop, to: stop, field }));
  }
  return { items, lines, links };
}
