/** In which row each node of a region stands: as early as the edges allow, so every edge leads down. */
import type { Region } from '@graphrun/dsl';
import { drawingOrder, targetsOf } from '../words/drawing-order.js';

/** Length of the longest way from the start to each node, in the order of `drawingOrder`. */
export function ranksOf(region: Region): ReadonlyMap<string, number> {
  const order = drawingOrder(region);
  const ranks = new Map(order.map((key) => [key, 0]));
  for (const key of order) {
    const below = (ranks.get(key) ?? 0) + 1;
    for (const to of targetsOf(region, key)) ranks.set(to, Math.max(ranks.get(to) ?? 0, below));
  }
  return ranks;
}
