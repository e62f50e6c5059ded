/** The line of an edge: its corners rounded, and short enough at the end for the head. */
import type { Edge, Point } from '../diagram.js';
import { px } from './escape.js';

const CORNER = 8;
const HEAD_LENGTH = 8;
const HEAD_HALF_WIDTH = 4;

/** Path data. Where the edge joins another one its line ends there, and the other one's goes on. */
export function linePath({ points, joinsAt }: Edge): string {
  const drawn = joinsAt === undefined ? shortened(points) : points.slice(0, joinsAt + 1);
  const parts = drawn.map((point, index) => {
    const before = drawn[index - 1];
    const after = drawn[index + 1];
    if (before === undefined) return `M${at(point)}`;
    if (after === undefined) return `L${at(point)}`;
    const into = toward(point, before);
    const out = toward(point, after);
    return `L${at(into)}Q${at(point)} ${at(out)}`;
  });
  return parts.join('');
}

/** Path data of the head, which points down to the border that the edge ends at. */
export function headPath({ points }: Edge): string {
  const tip = points.at(-1) ?? { x: 0, y: 0 };
  const y = tip.y - HEAD_LENGTH;
  return `M${at(tip)}L${px(tip.x - HEAD_HALF_WIDTH)} ${px(y)}L${px(tip.x + HEAD_HALF_WIDTH)} ${px(y)}Z`;
}

function shortened(points: readonly Point[]): readonly Point[] {
  const tip = points.at(-1);
  return tip === undefined ? points : [...points.slice(0, -1), { x: tip.x, y: tip.y - HEAD_LENGTH + 1 }];
}

/** The point on the way to the next corner where the curve begins: never beyond the middle. */
function toward(corner: Point, next: Point): Point {
  const length = Math.abs(next.x - corner.x) + Math.abs(next.y - corner.y);
  const step = Math.min(CORNER, length / 2);
  return {
    x: corner.x + Math.sign(next.x - corner.x) * step,
    y: corner.y + Math.sign(next.y - corner.y) * step,
  };
}

function at({ x, y }: Point): string {
  return `${px(x)} ${px(y)}`;
}
