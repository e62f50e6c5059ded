/** The whole picture: its heading, and under it the workflow's root region. */
import type { Annotations, Definition } from '@graphrun/dsl';
import type { Diagram } from '../diagram.js';
import { SIZE } from '../style.js';
import { headingLines, pictureTitle, summaryOf } from '../words/summary.js';
import { frameOf } from './frame.js';
import { moveFrame } from './move.js';
import { block, blockSize } from './text-block.js';
import type { Paragraph } from './text-block.js';

const HEADING_WIDTH = 560;
const HEADING_GAP = 20;

/**
 * Places of everything in the picture of a compiled definition. The same definition gives the same picture, in whatever
 * order its keys are stored. `annotations` are what the document says for people (descriptions and labels).
 * Throws RangeError for what the compiler refuses: edges to nowhere or in a circle.
 */
export function layout(definition: Definition, annotations: Annotations = {}): Diagram {
  const title = pictureTitle(definition);
  const heading: readonly Paragraph[] = [
    { role: 'picture', text: title, maxLines: 2 },
    ...headingLines(definition, annotations).map((line): Paragraph => ({ ...line, maxLines: 3 })),
  ];
  const text = blockSize(heading, HEADING_WIDTH);
  const root = frameOf('/root', definition.root, annotations);
  const inner = Math.max(Math.ceil(text.width), root.width);
  const top = SIZE.margin + text.height + HEADING_GAP;
  return {
    width: inner + 2 * SIZE.margin,
    height: Math.ceil(top + root.height + SIZE.margin),
    title,
    summary: summaryOf(definition, annotations),
    lines: block(heading, HEADING_WIDTH, { x: SIZE.margin, y: SIZE.margin }),
    root: moveFrame(root, SIZE.margin + Math.round((inner - root.width) / 2), top),
  };
}
