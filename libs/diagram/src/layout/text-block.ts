/** Paragraphs under each other, broken into lines. */
import type { Point, TextLine, TextRole } from '../diagram.js';
import { SIZE, TEXT } from '../style.js';
import { textWidth } from '../text/metrics.js';
import { wrapText } from '../text/wrap.js';

export interface Paragraph {
  readonly role: TextRole;
  readonly text: string;
  readonly maxLines: number;
}

/** From the base line of a line to its lower edge, as a part of the line's height. */
const DESCENT = 0.28;

/** Size of the paragraphs when they are broken at `maxWidth`. */
export function blockSize(
  paragraphs: readonly Paragraph[],
  maxWidth: number,
): { readonly width: number; readonly height: number } {
  let width = 0;
  let height = 0;
  for (const paragraph of paragraphs) {
    for (const line of linesOf(paragraph, maxWidth)) {
      width = Math.max(width, indentOf(paragraph) + textWidth(line, TEXT[paragraph.role]));
      height += TEXT[paragraph.role].lineHeight;
    }
  }
  return { width, height };
}

/** The same paragraphs as lines, with the upper left corner of the first at `origin`. */
export function block(paragraphs: readonly Paragraph[], maxWidth: number, origin: Point): readonly TextLine[] {
  const placed: TextLine[] = [];
  let { y } = origin;
  for (const paragraph of paragraphs) {
    const { role } = paragraph;
    const style = TEXT[role];
    for (const text of linesOf(paragraph, maxWidth)) {
      const base = y + style.lineHeight * (1 - DESCENT);
      placed.push({ role, text, x: origin.x + indentOf(paragraph), y: base, width: textWidth(text, style) });
      y += style.lineHeight;
    }
  }
  return placed;
}

function linesOf(paragraph: Paragraph, maxWidth: number): readonly string[] {
  return wrapText(paragraph.text, TEXT[paragraph.role], maxWidth - indentOf(paragraph), paragraph.maxLines);
}

/** Lines with a small icon begin behind it. */
function indentOf({ role }: Paragraph): number {
  return role === 'undo' || role === 'lock' ? SIZE.lineIcon : 0;
}
