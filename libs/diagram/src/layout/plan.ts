/**
 * A region as a graph in layers, ready to be placed: boxes stand in layers, and labels of edges in layers of their own
 * between. Edges of one kind that come from afar to the same box run together: each joins a trunk that leads there, so
 * a workflow where every step can fail has one line to the handler and not one for each step.
 */
import type { EdgeField } from '../words/edge-words.js';
import { groupBy } from './group-by.js';

export interface PlanItem {
  readonly id: string;
  /** From 0, top down. In a plan there is something in every layer. */
  readonly layer: number;
  readonly width: number;
  readonly height: number;
  /** Boxes (start marker and links too) end lines; lines run through labels and joins. */
  readonly kind: 'box' | 'label' | 'join';
}

/** A line between two items, without anything on it. */
export interface Piece {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** An edge as the pieces it consists of. */
export interface Route {
  readonly edge: PlannedEdge;
  readonly pieces: readonly Piece[];
  /** Index of the piece from which it shares the way of another edge. */
  readonly sharedFrom?: number;
}

export interface PlannedEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly field: EdgeField;
  readonly labelSize?: { readonly width: number; readonly height: number };
}

export interface Plan {
  readonly items: readonly PlanItem[];
  readonly pieces: readonly Piece[];
  readonly routes: readonly Route[];
}

/** Size of the link that stands for an edge to the box with this id. */
export type LinkSize = (edge: PlannedEdge) => { readonly width: number; readonly height: number };

/**
 * Rows that lines may cross in one region, all lines together. What is beyond is unreadable (a line of some hundred
 * rows) and slow to place, so the longest lines become links.
 */
const CROSSED_LAYERS = 2400;

/** Ids of boxes are JSON pointers and begin with a slash; these do not. */
export const labelId = (edge: PlannedEdge) => `label ${edge.id}`;
export const linkId = (edge: PlannedEdge) => `link ${edge.id}`;

/** Boxes come with even layers; the plan has the layers that are used, numbered anew. */
export function planRegion(boxes: readonly PlanItem[], edges: readonly PlannedEdge[], linkSize: LinkSize): Plan {
  const layers = new Map(boxes.map(({ id, layer }) => [id, layer]));
  const layerOf = (id: string) => layers.get(id) ?? 0;
  const plan = new Planner(boxes, layerOf, linkSize);
  const bundles = bundlesOf(edges, layerOf);
  const linked = linkedBundles(bundles, layerOf);
  for (const bundle of bundles) {
    if (linked.has(bundle)) bundle.edges.forEach((edge) => plan.link(edge));
    else if (bundle.edges.length > 1) plan.trunk(bundle.edges);
    else bundle.edges.forEach((edge) => plan.direct(edge));
  }
  return plan.finish(edges);
}

/** Edges that run together: more than one only where all are long. */
interface Bundle {
  readonly edges: readonly PlannedEdge[];
}

function bundlesOf(edges: readonly PlannedEdge[], layerOf: (id: string) => number): readonly Bundle[] {
  const isLong = ({ from, to }: PlannedEdge) => layerOf(to) - layerOf(from) > 2;
  const bundles = groupBy(edges, (edge) => (isLong(edge) ? `${edge.field} ${edge.to}` : ` ${edge.id}`));
  return [...bundles.values()].map((bundle) => ({
    edges: bundle.toSorted((a, b) => layerOf(a.from) - layerOf(b.from)),
  }));
}

/** The longest bundles, as many as must go for the rest to stay within `CROSSED_LAYERS`. */
function linkedBundles(bundles: readonly Bundle[], layerOf: (id: string) => number): ReadonlySet<Bundle> {
  const crossed = ({ edges: [first] }: Bundle) =>
    first === undefined ? 0 : Math.max(0, layerOf(first.to) - layerOf(first.from) - 2);
  let total = bundles.reduce((sum, bundle) => sum + crossed(bundle), 0);
  const linked = new Set<Bundle>();
  for (const bundle of bundles.toSorted((a, b) => crossed(b) - crossed(a))) {
    if (total <= CROSSED_LAYERS) break;
    linked.add(bundle);
    total -= crossed(bundle);
  }
  return linked;
}

class Planner {
  readonly #items: PlanItem[];
  readonly #routes = new Map<string, Route>();

  constructor(
    boxes: readonly PlanItem[],
    private readonly layerOf: (id: string) => number,
    private readonly linkSize: LinkSize,
  ) {
    this.#items = [...boxes];
  }

  direct(edge: PlannedEdge): void {
    this.#routes.set(edge.id, { edge, pieces: this.#way(edge, edge.to) });
  }

  link(edge: PlannedEdge): void {
    const id = linkId(edge);
    this.#items.push({ id, layer: this.layerOf(edge.from) + 2, ...this.linkSize(edge), kind: 'box' });
    this.#routes.set(edge.id, { edge, pieces: this.#way(edge, id) });
  }

  /** The first edge is the trunk; every other joins it in the row below its own box. */
  trunk(edges: readonly PlannedEdge[]): void {
    const [first, ...joining] = edges;
    if (first === undefined) return;
    const joins = [...new Set(joining.map(({ from }) => this.layerOf(from) + 2))];
    const ids = joins.map((layer) => `join ${layer} ${first.id}`);
    joins.forEach((layer, index) => {
      this.#items.push({ id: ids[index] ?? '', layer, width: 0, height: 0, kind: 'join' });
    });
    const stations = [...ids, first.to];
    const opening = this.#way(first, stations[0] ?? first.to);
    const trunk = ids.map((from, index) => this.#piece(from, stations[index + 1] ?? first.to));
    this.#routes.set(first.id, { edge: first, pieces: [...opening, ...trunk] });
    for (const edge of joining) {
      const at = joins.indexOf(this.layerOf(edge.from) + 2);
      const own = this.#way(edge, ids[at] ?? edge.to);
      this.#routes.set(edge.id, { edge, pieces: [...own, ...trunk.slice(at)], sharedFrom: own.length });
    }
  }

  finish(edges: readonly PlannedEdge[]): Plan {
    const used = [...new Set(this.#items.map(({ layer }) => layer))].sort((a, b) => a - b);
    const numbers = new Map(used.map((layer, index) => [layer, index]));
    const routes = edges.flatMap(({ id }) => this.#routes.get(id) ?? []);
    return {
      items: this.#items.map((item) => ({ ...item, layer: numbers.get(item.layer) ?? 0 })),
      // In the order of the edges, whatever runs together: what leaves a box first stands left of what leaves it later.
      pieces: [...new Set(routes.flatMap(({ pieces }) => pieces))],
      routes,
    };
  }

  /** From the edge's box to an item, through the edge's label if it has one. */
  #way(edge: PlannedEdge, to: string): readonly Piece[] {
    if (edge.labelSize === undefined) return [this.#piece(edge.from, to, edge.id)];
    const label = labelId(edge);
    this.#items.push({ id: label, layer: this.layerOf(edge.from) + 1, ...edge.labelSize, kind: 'label' });
    return [this.#piece(edge.from, label, edge.id), this.#piece(label, to, edge.id)];
  }

  #piece(from: string, to: string, edge = ''): Piece {
    return { id: `${from} > ${to} ${edge}`, from, to };
  }
}
