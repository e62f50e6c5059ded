/** The box of a node that holds no region: as wide as its texts need, all of a picture at least equally wide. */
import type { Annotation, Node } from '@graphrun/dsl';
import type { Box, TextLine } from '../diagram.js';
import { even, SIZE } from '../style.js';
import { cleanText } from '../text/clean.js';
import { annotationLines } from '../words/annotation-words.js';
import { nodeSmallPrint, nodeWords } from '../words/node-words.js';
import { block, blockSize } from './text-block.js';
import type { Paragraph } from './text-block.js';

/** Lines of one text before it is cut. */
const NAME_LINES = 2;
const DETAIL_LINES = 4;
const ANNOTATION_LINES = 3;

export function card(id: string, key: string, node: Node, annotation: Annotation | undefined): Box {
  const { minWidth, maxTextWidth, padding, icon, iconGap } = SIZE.card;
  const paragraphs = nodeParagraphs(key, node, annotation);
  const text = blockSize(paragraphs, maxTextWidth);
  const left = padding + icon + iconGap;
  const width = Math.max(minWidth, even(left + text.width + padding + 4));
  const height = Math.max(icon, Math.ceil(text.height)) + 2 * padding;
  const lines = block(paragraphs, maxTextWidth, { x: left, y: (height - text.height) / 2 });
  return {
    id,
    key,
    kind: node.kind,
    x: 0,
    y: 0,
    width,
    height,
    lines,
    fullText: fullText(key, node, annotation),
    frames: [],
  };
}

/** The end of an edge that is not drawn to its target. */
export function linkCard(id: string, key: string): Box {
  const { padding } = SIZE.link;
  const text: readonly Paragraph[] = [{ role: 'detail', text: `to ${cleanText(key)}`, maxLines: 1 }];
  const { width, height } = blockSize(text, SIZE.card.maxTextWidth);
  const lines: readonly TextLine[] = block(text, SIZE.card.maxTextWidth, { x: padding + 4, y: padding / 2 });
  return {
    id,
    key,
    kind: 'link',
    x: 0,
    y: 0,
    width: even(width + 2 * padding + 8),
    height: Math.ceil(height) + padding,
    lines,
    fullText: [`goes on with ${cleanText(key)}`],
    frames: [],
  };
}

/** Key, what the node does, and what the document says about it for people. */
export function nodeParagraphs(key: string, node: Node, annotation: Annotation | undefined): readonly Paragraph[] {
  return [
    { role: 'name', text: cleanText(key), maxLines: NAME_LINES },
    ...nodeWords(node).map(({ role, text }): Paragraph => ({ role, text, maxLines: DETAIL_LINES })),
    ...annotationParagraphs(annotation),
  ];
}

export function annotationParagraphs(annotation: Annotation | undefined): readonly Paragraph[] {
  return annotationLines(annotation).map((line) => ({ ...line, maxLines: ANNOTATION_LINES }));
}

export function fullText(key: string, node: Node, annotation: Annotation | undefined): readonly string[] {
  return [
    `${cleanText(key)} (${node.kind})`,
    ...nodeWords(node).map(({ text }) => text),
    ...nodeSmallPrint(node),
    ...annotationLines(annotation).map(({ text }) => text),
  ];
}
