/** What is wrong with the picture of a definition; nothing of it may ever be. */
import { nodesOf } from '@graphrun/dsl';
import type { Definition } from '@graphrun/dsl';
import type { Box, Diagram, Edge, Frame, Rect } from '../index.js';
import { outEdges } from '../words/edge-words.js';
import { boxesOf, crosses, edgesOf, framesOf, inside, onPiece, overlap, overlaps, pieces } from './geometry.js';

export function problemsOf(definition: Definition, diagram: Diagram): readonly string[] {
  return [
    ...completeness(definition, diagram),
    ...(inside(diagram.root, { x: 0, y: 0, width: diagram.width, height: diagram.height }) ? [] : ['root is outside']),
    ...diagram.lines.filter(({ x, width }) => x + width > diagram.width).map(({ text }) => `${text} is cut off`),
    ...framesOf(diagram).flatMap((frame) => [...places(frame), ...ways(frame)]),
  ];
}

/** Every node has its box, and every edge its line. */
function completeness(definition: Definition, diagram: Diagram): readonly string[] {
  const nodes = [...nodesOf(definition)];
  const wanted = [
    ...nodes.map(({ pointer, node }) => `box ${pointer} ${node.kind}`),
    ...nodes.flatMap(({ pointer, node }) => outEdges(node).map((_, index) => `edge ${pointer}/out/${index}`)),
    ...framesOf(diagram).map(({ id }) => `edge ${id}/start`),
  ];
  const drawn = [
    ...boxesOf(diagram).flatMap(({ id, kind }) => (kind === 'link' ? [] : [`box ${id} ${kind}`])),
    ...edgesOf(diagram).map(({ id }) => `edge ${id}`),
  ];
  const missing = new Set(wanted);
  const surplus = drawn.filter((thing) => !missing.delete(thing));
  return [...[...missing].map((thing) => `${thing} is missing`), ...surplus.map((thing) => `${thing} is too much`)];
}

/** Nothing lies on anything else, and everything inside of what holds it. */
function places(frame: Frame): readonly string[] {
  const labels = labelsOf(frame);
  const things: readonly (Rect & { readonly id: string })[] = [
    { ...frame.start, id: 'start' },
    ...frame.boxes,
    ...labels,
  ];
  return [
    ...overlaps(things).map(([a, b]) => `${a.id} lies on ${b.id}`),
    ...things.filter((thing) => !inside(thing, frame)).map(({ id }) => `${id} is outside of ${frame.id}`),
    ...textProblems(frame, [frame.start, ...frame.boxes]),
    ...frame.boxes.flatMap((box) => textProblems(box, box.frames)),
    ...labels.flatMap((label) => textProblems(label, [])),
    ...frame.boxes.flatMap(({ frames, ...holder }) => [
      ...overlaps(frames).map(([a, b]) => `${a.id} lies on ${b.id}`),
      ...frames.filter((inner) => !inside(inner, holder)).map(({ id }) => `${id} is outside of ${holder.id}`),
    ]),
  ];
}

/** Text inside of what it belongs to, and beside what that holds. */
function textProblems(
  { id, lines, ...holder }: Rect & Pick<Box, 'id' | 'lines'>,
  held: readonly Rect[],
): readonly string[] {
  const rects = lines.map(({ text, x, y, width }) => ({ text, x, y: y - 9, width, height: 12 }));
  return [
    ...rects.filter((rect) => !inside(rect, holder)).map(({ text }) => `${text} does not fit into ${id}`),
    ...rects
      .filter((rect) => held.some((thing) => overlap(thing, rect)))
      .map(({ text }) => `${text} is covered in ${id}`),
  ];
}

function ways(frame: Frame): readonly string[] {
  const labels = labelsOf(frame);
  return [...frame.edges.flatMap((edge) => wayOf(edge, frame, labels)), ...sharedLines(frame)];
}

/** Two edges lie on each other only where they run together: of one kind, to the same box, from a joint on. */
function sharedLines({ edges }: Frame): readonly string[] {
  const lines = new Map<string, { id: string; bundle: string; from: number; to: number }[]>();
  for (const { id, to, field, points } of edges) {
    for (const [a, b] of pieces(points)) {
      const isVertical = a.x === b.x;
      const [from = 0, until = 0] = (isVertical ? [a.y, b.y] : [a.x, b.x]).sort((x, y) => x - y);
      const name = isVertical ? `x ${a.x}` : `y ${a.y}`;
      lines.set(name, [...(lines.get(name) ?? []), { id, bundle: `${field} ${to}`, from, to: until }]);
    }
  }
  return [...lines].flatMap(([name, onIt]) => {
    const sorted = onIt.sort((a, b) => a.from - b.from);
    return sorted.slice(1).flatMap((next, index) => {
      const before = sorted[index];
      const lies = before !== undefined && before.bundle !== next.bundle && before.to > next.from;
      return lies ? [`${before.id} and ${next.id} share ${name}`] : [];
    });
  });
}

/** From border to border, down and in right angles, through no box and through no label of another line. */
function wayOf(edge: Edge, frame: Frame, labels: ReturnType<typeof labelsOf>): readonly string[] {
  const { id, field, points, joinsAt } = edge;
  const from = field === 'start' ? frame.start : frame.boxes.find((box) => box.id === edge.from);
  const to = frame.boxes.find((box) => box.id === `link ${id}`) ?? frame.boxes.find((box) => box.id === edge.to);
  const first = points[0];
  const last = points.at(-1);
  if (from === undefined || to === undefined || first === undefined || last === undefined) return [`${id} has no ends`];
  const problems: string[] = [];
  const onBorder = ({ x }: { readonly x: number }, box: Rect) => x > box.x && x < box.x + box.width;
  if (first.y !== from.y + from.height || !onBorder(first, from)) problems.push(`${id} does not begin at its box`);
  if (last.y !== to.y || !onBorder(last, to)) problems.push(`${id} does not end at its box`);
  const others = frame.edges.filter(
    (other) => other.to === edge.to && other.field === field && other.joinsAt === undefined,
  );
  // From its joint on it is the other one's way, which is looked at there.
  const own = joinsAt === undefined ? points : points.slice(0, joinsAt + 1);
  for (const piece of pieces(own)) {
    const [a, b] = piece;
    if (!(a.x === b.x ? a.y < b.y : a.y === b.y)) problems.push(`${id} goes up or aslant`);
    for (const box of frame.boxes) if (crosses(piece, box)) problems.push(`${id} crosses ${box.id}`);
    for (const label of labels) {
      if (label.id !== id && crosses(piece, label)) problems.push(`${id} crosses the label of ${label.id}`);
    }
  }
  const shared = joinsAt === undefined ? [] : points.slice(joinsAt);
  const ways = shared.length === 0 ? [] : others.map((other) => pieces(other.points));
  const isOn = (way: (typeof ways)[number]) => shared.every((point) => way.some((piece) => onPiece(point, piece)));
  if (shared.length > 0 && !ways.some(isOn)) problems.push(`${id} joins no line`);
  return problems;
}

function labelsOf(frame: Frame): readonly (Rect & Pick<Box, 'id' | 'lines'>)[] {
  return frame.edges.flatMap(({ id, label }) => (label === undefined ? [] : [{ ...label, id }]));
}
