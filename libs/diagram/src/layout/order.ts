/**
 * The order of the stops in each layer. Walking the edges depth first, `next` before the others, puts the main way on
 * the left and what goes wrong on the right; most workflows are free of crossings that way. Where lines cross, layers are
 * sorted by the mean place of their neighbours (Sugiyama's method), and the order with the fewest crossings is kept.
 */
import type { Grid, Link, Stop } from './grid.js';
import { groupBy } from './group-by.js';

const SWEEPS = 12;

/** Layers from the top down, each from the left to the right. */
export function orderLayers(grid: Grid): readonly (readonly Stop[])[] {
  const below = groupBy(grid.links, ({ from }) => from);
  const above = groupBy(grid.links, ({ to }) => to);
  let layers = depthFirst(grid, below);
  let best = layers;
  let fewest = crossings(best, below);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    layers = sweep % 2 === 0 ? sweepDown(layers, above) : sweepUp(layers, below);
    const count = crossings(layers, below);
    if (count < fewest) [best, fewest] = [layers, count];
  }
  return best;
}

type Layers = readonly (readonly Stop[])[];
type Neighbours = ReadonlyMap<Stop, readonly Link[]>;

/** With a stack of its own: lines through hundreds of layers must not depend on the depth of the call stack. */
function depthFirst(grid: Grid, below: Neighbours): Layers {
  const layers: Stop[][] = [];
  const seen = new Set<Stop>();
  const stack = [...grid.items.values()].toReversed();
  for (let stop = stack.pop(); stop !== undefined; stop = stack.pop()) {
    if (seen.has(stop)) continue;
    seen.add(stop);
    (layers[stop.layer] ??= []).push(stop);
    stack.push(...(below.get(stop) ?? []).map(({ to }) => to).toReversed());
  }
  return layers;
}

function sweepDown(layers: Layers, above: Neighbours): Layers {
  const sorted: (readonly Stop[])[] = [];
  layers.forEach((layer, index) => {
    sorted.push(
      sortByNeighbours(layer, sorted[index - 1] ?? [], (stop) => (above.get(stop) ?? []).map(({ from }) => from)),
    );
  });
  return sorted;
}

function sweepUp(layers: Layers, below: Neighbours): Layers {
  const sorted: (readonly Stop[])[] = [];
  layers.toReversed().forEach((layer, index) => {
    sorted.push(
      sortByNeighbours(layer, sorted[index - 1] ?? [], (stop) => (below.get(stop) ?? []).map(({ to }) => to)),
    );
  });
  return sorted.reverse();
}

/** Stops without neighbours stay where they are, the others are sorted among themselves. */
function sortByNeighbours(
  layer: readonly Stop[],
  fixed: readonly Stop[],
  of: (stop: Stop) => readonly Stop[],
): readonly Stop[] {
  const places = new Map(fixed.map((stop, index) => [stop, index]));
  const means = new Map<Stop, number>();
  for (const stop of layer) {
    const found = of(stop).flatMap((neighbour) => places.get(neighbour) ?? []);
    if (found.length > 0) means.set(stop, found.reduce((sum, place) => sum + place, 0) / found.length);
  }
  const sorted = layer.filter((stop) => means.has(stop)).toSorted((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0));
  let next = 0;
  return layer.map((stop) => (means.has(stop) ? (sorted[next++] ?? stop) : stop));
}

function crossings(layers: Layers, below: Neighbours): number {
  return layers.reduce((sum, layer, index) => sum + crossingsBetween(layer, layers[index + 1] ?? [], below), 0);
}

/** Pairs of links whose ends are in opposite order, counted with a Fenwick tree over the places of the lower layer. */
function crossingsBetween(upper: readonly Stop[], lower: readonly Stop[], below: Neighbours): number {
  const places = new Map(lower.map((stop, index) => [stop, index]));
  const tree = new Array<number>(lower.length + 1).fill(0);
  let total = 0;
  let counted = 0;
  for (const stop of upper) {
    const ends = (below.get(stop) ?? []).map(({ to }) => (places.get(to) ?? 0) + 1);
    for (const end of ends) total += counted - sumTo(tree, end);
    for (const end of ends) addAt(tree, end);
    counted += ends.length;
  }
  return total;
}

function sumTo(tree: readonly number[], end: number): number {
  let sum = 0;
  for (let at = end; at > 0; at -= at & -at) sum += tree[at] ?? 0;
  return sum;
}

function addAt(tree: number[], place: number): void {
  for (let at = place; at < tree.length; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
}
