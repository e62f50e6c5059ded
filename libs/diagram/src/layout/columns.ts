/** The x of every stop: blocks as far left as they can be, and then moved to where their lines want them. */
import { SIZE } from '../style.js';
import { blocksOf, weightOf } from './blocks.js';
import type { Block } from './blocks.js';
import type { Grid, Link, Stop } from './grid.js';

/** Rounds of moving; each one alternates its direction. Pictures do not change after fewer. */
const ROUNDS = 8;

/** Sets the x of all stops of the grid, whole px. */
export function placeColumns(grid: Grid, layers: readonly (readonly Stop[])[]): void {
  const blocks = blocksOf(layers, grid.links);
  const owner = new Map(blocks.flatMap((block) => block.stops.map((stop): [Stop, Block] => [stop, block])));
  const sides = sidesOf(layers);
  const order = leftToRight(blocks, sides, owner);
  for (const block of order) moveTo(block, Math.max(0, limit(block, sides, 'left')));
  const wishes = wishesOf(blocks, grid.links, owner);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const block of round % 2 === 0 ? order.toReversed() : order) {
      const wanted = weightedMedian(wishes.get(block) ?? []);
      if (wanted === null) continue;
      const low = limit(block, sides, 'left');
      const high = limit(block, sides, 'right');
      moveTo(block, Math.max(low, Math.min(high, wanted)));
    }
  }
  for (const block of blocks) moveTo(block, Math.round(xOf(block)));
}

interface Sides {
  readonly left?: Stop;
  readonly right?: Stop;
}

function sidesOf(layers: readonly (readonly Stop[])[]): ReadonlyMap<Stop, Sides> {
  const sides = new Map<Stop, Sides>();
  for (const layer of layers) {
    layer.forEach((stop, index) => {
      const left = layer[index - 1];
      const right = layer[index + 1];
      sides.set(stop, { ...(left !== undefined && { left }), ...(right !== undefined && { right }) });
    });
  }
  return sides;
}

/** Every block after all that have a stop to the left of one of its stops. */
function leftToRight(
  blocks: readonly Block[],
  sides: ReadonlyMap<Stop, Sides>,
  owner: ReadonlyMap<Stop, Block>,
): readonly Block[] {
  const waiting = new Map(
    blocks.map((block) => [block, block.stops.filter((stop) => sides.get(stop)?.left !== undefined).length]),
  );
  const ready = blocks.filter((block) => waiting.get(block) === 0);
  for (const block of ready) {
    for (const stop of block.stops) {
      const right = sides.get(stop)?.right;
      const other = right === undefined ? undefined : owner.get(right);
      if (other === undefined) continue;
      const left = (waiting.get(other) ?? 0) - 1;
      waiting.set(other, left);
      if (left === 0) ready.push(other);
    }
  }
  return ready;
}

function limit(block: Block, sides: ReadonlyMap<Stop, Sides>, side: 'left' | 'right'): number {
  let nearest = side === 'left' ? -Infinity : Infinity;
  for (const stop of block.stops) {
    const other = sides.get(stop)?.[side];
    if (other === undefined) continue;
    const apart = (stop.width + other.width) / 2 + gapBetween(stop, other);
    nearest = side === 'left' ? Math.max(nearest, other.x + apart) : Math.min(nearest, other.x - apart);
  }
  return nearest;
}

function gapBetween(a: Stop, b: Stop): number {
  const { nodeGap, lineGap } = SIZE.edges;
  return a.kind === 'box' && b.kind === 'box' ? nodeGap : lineGap;
}

function moveTo(block: Block, x: number): void {
  for (const stop of block.stops) stop.x = x;
}

function xOf({ stops: [first] }: Block): number {
  return first?.x ?? 0;
}

interface Wish {
  readonly own: Stop;
  readonly other: Stop;
  readonly weight: number;
}

/** What a block's links to other blocks ask of it. */
function wishesOf(
  blocks: readonly Block[],
  links: readonly Link[],
  owner: ReadonlyMap<Stop, Block>,
): ReadonlyMap<Block, readonly Wish[]> {
  const wishes = new Map(blocks.map((block): [Block, Wish[]] => [block, []]));
  const add = (own: Stop, other: Stop, weight: number) => {
    const block = owner.get(own);
    if (block !== undefined && block !== owner.get(other)) wishes.get(block)?.push({ own, other, weight });
  };
  for (const link of links) {
    add(link.from, link.to, weightOf(link) + 0.5);
    add(link.to, link.from, weightOf(link));
  }
  return wishes;
}

/** Where the lengths of all horizontal pieces, times their weights, are least; null where nothing is asked. */
function weightedMedian(wishes: readonly Wish[]): number | null {
  const sorted = wishes.map((wish) => ({ x: nearestStraight(wish), weight: wish.weight })).sort((a, b) => a.x - b.x);
  let rest = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  for (const { x, weight } of sorted) {
    rest -= weight;
    if (rest <= 0) return x;
  }
  return null;
}

/** The x nearest to where the block is that makes the link straight. */
function nearestStraight({ own, other }: Wish): number {
  const reach = reachOf(own) + reachOf(other);
  return Math.max(other.x - reach, Math.min(other.x + reach, own.x));
}

/** How far from its centre a line can meet a stop: to its corners at a box, not at all elsewhere. */
function reachOf({ kind, width }: Stop): number {
  return kind === 'box' ? Math.max(0, width / 2 - SIZE.edges.portInset) : 0;
}
