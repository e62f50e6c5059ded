/** Things and all that is in them, somewhere else. */
import type { Box, Edge, Frame, Point } from '../diagram.js';

export function moveBox(box: Box, dx: number, dy: number): Box {
  return {
    ...moved(box, dx, dy),
    lines: moveAll(box.lines, dx, dy),
    frames: box.frames.map((frame) => moveFrame(frame, dx, dy)),
  };
}

export function moveFrame(frame: Frame, dx: number, dy: number): Frame {
  return {
    ...moved(frame, dx, dy),
    lines: moveAll(frame.lines, dx, dy),
    start: moved(frame.start, dx, dy),
    boxes: frame.boxes.map((box) => moveBox(box, dx, dy)),
    edges: frame.edges.map((edge) => moveEdge(edge, dx, dy)),
  };
}

export function moveEdge(edge: Edge, dx: number, dy: number): Edge {
  const { label } = edge;
  return {
    ...edge,
    points: moveAll(edge.points, dx, dy),
    ...(label !== undefined && { label: { ...moved(label, dx, dy), lines: moveAll(label.lines, dx, dy) } }),
  };
}

function moveAll<Place extends Point>(places: readonly Place[], dx: number, dy: number): readonly Place[] {
  return places.map((place) => moved(place, dx, dy));
}

function moved<Place extends Point>(place: Place, dx: number, dy: number): Place {
  return { ...place, x: place.x + dx, y: place.y + dy };
}
