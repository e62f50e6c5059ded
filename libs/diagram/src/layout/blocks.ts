/**
 * Stops that stand exactly under each other. Links are taken by their weight: a line through many layers is straight
 * before all else, then the main way, then the rest; a link that would cross one that was taken before is left out. What
 * the taken links join is one block with one x (the idea of Brandes and Koepf, with weights of our own).
 */
import type { Link, Stop } from './grid.js';

export interface Block {
  readonly stops: readonly Stop[];
}

export function blocksOf(layers: readonly (readonly Stop[])[], links: readonly Link[]): readonly Block[] {
  const places = new Map(layers.flatMap((layer) => layer.map((stop, index): [Stop, number] => [stop, index])));
  const place = (stop: Stop) => places.get(stop) ?? 0;
  const down = new Map<Stop, Stop>();
  const up = new Map<Stop, Stop>();
  const taken = new Map<number, Link[]>();
  for (const link of links.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const { from, to } = link;
    if (down.has(from) || up.has(to)) continue;
    const others = taken.get(from.layer) ?? [];
    if (others.some((other) => place(other.from) < place(from) !== place(other.to) < place(to))) continue;
    taken.set(from.layer, [...others, link]);
    down.set(from, to);
    up.set(to, from);
  }
  return layers
    .flat()
    .filter((stop) => !up.has(stop))
    .map((top) => ({ stops: chainFrom(top, down) }));
}

/** How much it matters that a link is straight. */
export function weightOf({ from, to, field }: Link): number {
  const isInner = from.kind !== 'box' && to.kind !== 'box' && from.kind !== 'label' && to.kind !== 'label';
  const isMain = field === 'next' || field === 'start';
  if (isInner) return isMain ? 12 : 10;
  if (isMain) return 8;
  return from.kind === 'label' || from.kind === 'line' || from.kind === 'join' ? 2 : 1;
}

function chainFrom(top: Stop, down: ReadonlyMap<Stop, Stop>): readonly Stop[] {
  const stops: Stop[] = [];
  for (let stop: Stop | undefined = top; stop !== undefined; stop = down.get(stop)) stops.push(stop);
  return stops;
}
