/** The box of a node: a card, or for a container its head and below it the regions it holds, in rows. */
import { bodiesOf } from '@graphrun/dsl';
import type { Annotations, Node, Region } from '@graphrun/dsl';
import type { Box, Frame } from '../diagram.js';
import { even, SIZE } from '../style.js';
import { annotationLines } from '../words/annotation-words.js';
import { bodyWords } from '../words/node-words.js';
import { annotationParagraphs, card, fullText, nodeParagraphs } from './card.js';
import { frameOf } from './frame.js';
import type { FrameTitle } from './frame.js';
import { moveFrame } from './move.js';
import { block, blockSize } from './text-block.js';
import type { Paragraph } from './text-block.js';

const TITLE_LINES = 2;
const WHEN_LINES = 4;

/** With its upper left corner at 0, 0. */
export function nodeBox(id: string, key: string, region: Region, annotations: Annotations): Box {
  const node = region.nodes[key];
  if (node === undefined) throw new RangeError(`there is no node ${key}`);
  const bodies = bodiesOf(node);
  if (bodies.length === 0) return card(id, key, node, annotations[id]);
  const frames = bodies.map(({ pointer, region: body }, index) =>
    frameOf(`${id}${pointer}`, body, annotations, titleOf(id, node, index, pointer, annotations)),
  );
  return container(id, key, node, frames, annotations);
}

/** Annotations of a case or branch stand at `/cases/0`, its region at `/cases/0/body`. */
function titleOf(
  id: string,
  node: Node,
  index: number,
  pointer: string,
  annotations: Annotations,
): FrameTitle | undefined {
  const words = bodyWords(node, index);
  if (words === null) return undefined;
  const annotation = annotations[`${id}${pointer.replace(/\/body$/, '')}`];
  const when: readonly Paragraph[] =
    words.when === '' ? [] : [{ role: 'detail', text: words.when, maxLines: WHEN_LINES }];
  return {
    paragraphs: [
      { role: 'title', text: words.title, maxLines: TITLE_LINES },
      ...when,
      ...annotationParagraphs(annotation),
    ],
    fullText: [words.title, words.when, ...annotationLines(annotation).map(({ text }) => text)].filter(
      (text) => text !== '',
    ),
  };
}

function container(id: string, key: string, node: Node, frames: readonly Frame[], annotations: Annotations): Box {
  const { padding, headerGap, minTextWidth, icon, iconGap } = SIZE.container;
  const rows = shelves(frames);
  const left = padding + icon + iconGap;
  const inner = Math.max(...rows.map(({ width }) => width));
  const textWidth = Math.max(minTextWidth, inner - icon - iconGap);
  const paragraphs = nodeParagraphs(key, node, annotations[id]);
  const text = blockSize(paragraphs, textWidth);
  const width = even(Math.max(inner + 2 * padding, left + text.width + padding));
  const head = padding + Math.max(icon, text.height) + headerGap;
  let top = head;
  const placed = rows.flatMap((row) => {
    const y = top;
    let x = Math.round((width - inner) / 2);
    top += row.height + SIZE.lane.gap;
    return row.frames.map((frame) => {
      const at = x;
      x += frame.width + SIZE.lane.gap;
      // Cases and branches side by side end on one line.
      return { ...moveFrame(frame, at, y), height: frame.outlined ? row.height : frame.height };
    });
  });
  return {
    id,
    key,
    kind: node.kind,
    x: 0,
    y: 0,
    width,
    height: top - SIZE.lane.gap + padding,
    lines: block(paragraphs, textWidth, { x: left, y: padding + Math.max(0, (icon - text.height) / 2) }),
    fullText: fullText(key, node, annotations[id]),
    frames: placed,
  };
}

interface Shelf {
  readonly frames: readonly Frame[];
  readonly width: number;
  readonly height: number;
}

/** Frames side by side like words in lines: in as few rows as the width allows, and these about equally long. */
function shelves(frames: readonly Frame[]): readonly Shelf[] {
  const widest = Math.max(...frames.map(({ width }) => width));
  const rows = filled(frames, Math.max(SIZE.lane.maxRowWidth, widest));
  // The least width that needs no further row; every width that can matter is that of some frames in a row.
  const lengths = frames.flatMap((_, from) =>
    frames.slice(from).map((__, to) => lengthOf(frames.slice(from, from + to + 1))),
  );
  const least = lengths
    .filter((length) => length >= widest)
    .sort((a, b) => a - b)
    .find((length) => filled(frames, length).length <= rows.length);
  return (least === undefined ? rows : filled(frames, least)).map((row) => ({
    frames: row,
    width: lengthOf(row),
    height: Math.max(...row.map(({ height }) => height)),
  }));
}

function filled(frames: readonly Frame[], width: number): readonly (readonly Frame[])[] {
  const rows: Frame[][] = [];
  for (const frame of frames) {
    const row = rows.at(-1);
    if (row === undefined || lengthOf([...row, frame]) > width) rows.push([frame]);
    else row.push(frame);
  }
  return rows;
}

function lengthOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { width }) => sum + width, 0) + Math.max(0, frames.length - 1) * SIZE.lane.gap;
}
