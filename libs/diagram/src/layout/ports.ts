/**
 * Where lines meet a border: as near to where they come from as the border reaches, in their order, and apart. A line
 * that can be straight stays so, and the main way before all others; those that must bend anyway take what is left.
 */
import { SIZE } from '../style.js';

export interface Wish {
  /** Where the line would best meet the border, px. */
  readonly x: number;
  /** Keeps its place when others must give way. */
  readonly pinned: boolean;
}

/** The places, in the order of the wishes, on a border with this centre and width. Whole px. */
export function portsAt(centre: number, width: number, wishes: readonly Wish[]): readonly number[] {
  const { portGap, portInset, portEdge } = SIZE.edges;
  const gap = Math.min(portGap, Math.floor(width / (wishes.length + 1)));
  const reach = Math.max(0, width / 2 - portInset);
  // A line that just reaches the border is straight; one that must bend keeps its distance from the corner.
  const nearest = (x: number) =>
    Math.abs(x - centre) <= width / 2 - portEdge ? x : Math.max(centre - reach, Math.min(centre + reach, x));
  const sorted = wishes
    .map((wish, index) => ({ ...wish, index, near: nearest(wish.x) }))
    .sort((a, b) => a.near - b.near || a.x - b.x || a.index - b.index);
  const kept = keptPlaces(sorted, gap);
  const half = width / 2 - Math.min(portEdge, gap);
  const places = fitBetween(sorted, kept, gap, centre - half, centre + half) ?? spread(sorted.length, centre, half);
  const byIndex = new Map(sorted.map(({ index }, place) => [index, places[place] ?? centre]));
  return wishes.map((_, index) => Math.round(byIndex.get(index) ?? centre));
}

type Placed = Wish & { readonly near: number };

/** Those that are straight where they are, as many as stand apart. */
function keptPlaces(sorted: readonly Placed[], gap: number): ReadonlySet<Placed> {
  const kept = new Set<Placed>();
  const straight = sorted.filter(({ near, x }) => near === x);
  for (const wish of [...straight.filter(({ pinned }) => pinned), ...straight]) {
    if ([...kept].every(({ near }) => Math.abs(near - wish.near) >= gap)) kept.add(wish);
  }
  return kept;
}

/** The others between those, or null where there is no room for them. */
function fitBetween(
  sorted: readonly Placed[],
  kept: ReadonlySet<Placed>,
  gap: number,
  low: number,
  high: number,
): readonly number[] | null {
  const most: number[] = [];
  let limit = high + gap;
  for (const wish of sorted.toReversed()) {
    limit = kept.has(wish) ? wish.near : limit - gap;
    most.unshift(limit);
  }
  const places: number[] = [];
  for (const [index, wish] of sorted.entries()) {
    const least = (places.at(-1) ?? low - gap) + gap;
    const highest = most[index] ?? high;
    if (least > highest) return null;
    places.push(kept.has(wish) ? wish.near : Math.max(least, Math.min(highest, wish.near)));
  }
  return places;
}

function spread(count: number, centre: number, half: number): readonly number[] {
  if (count === 1) return [centre];
  return Array.from({ length: count }, (_, index) => centre - half + (2 * half * index) / (count - 1));
}
