/** Everything in a diagram, and how it lies. */
import type { Box, Diagram, Edge, Frame, Point, Rect } from '../index.js';

export function framesOf(diagram: Diagram): readonly Frame[] {
  return framesIn(diagram.root);
}

export function boxesOf(diagram: Diagram): readonly Box[] {
  return framesOf(diagram).flatMap(({ boxes }) => boxes);
}

export function edgesOf(diagram: Diagram): readonly Edge[] {
  return framesOf(diagram).flatMap(({ edges }) => edges);
}

function framesIn(frame: Frame): readonly Frame[] {
  return [frame, ...frame.boxes.flatMap(({ frames }) => frames.flatMap(framesIn))];
}

export function box(diagram: Diagram, id: string): Box {
  const found = boxesOf(diagram).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no box ${id}`);
  return found;
}

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function inside(inner: Rect, outer: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Of each two that have a point in common. */
export function overlaps<R extends Rect>(rects: readonly R[]): readonly (readonly [R, R])[] {
  return rects.flatMap((a, index) => rects.slice(index + 1).flatMap((b) => (overlap(a, b) ? [[a, b] as const] : [])));
}

/** The pieces of a line between its corners. */
export function pieces(points: readonly Point[]): readonly (readonly [Point, Point])[] {
  return points.slice(1).map((point, index) => [points[index] ?? point, point]);
}

/** Whether a horizontal or vertical piece has a point inside of the rectangle; its border is not inside. */
export function crosses([a, b]: readonly [Point, Point], rect: Rect): boolean {
  // Millions of these for the largest definitions: comparisons, as Jest makes every use of a global such as Math slow.
  const [left, right] = a.x < b.x ? [a.x, b.x] : [b.x, a.x];
  const [top, bottom] = a.y < b.y ? [a.y, b.y] : [b.y, a.y];
  return left < rect.x + rect.width && right > rect.x && top < rect.y + rect.height && bottom > rect.y;
}

export function onPiece({ x, y }: Point, [a, b]: readonly [Point, Point]): boolean {
  return x >= Math.min(a.x, b.x) && x <= Math.max(a.x, b.x) && y >= Math.min(a.y, b.y) && y <= Math.max(a.y, b.y);
}
