/** Breaking text into lines of a given width, and cutting what does not fit. */
import { textWidth } from './metrics.js';
import type { Font } from './metrics.js';

const ELLIPSIS = '\u2026';

/** At most `maxLines` lines, each at most `maxWidth` px wide; the last one ends with an ellipsis if text is left. */
export function wrapText(text: string, font: Font, maxWidth: number, maxLines: number): readonly string[] {
  const fits = (line: string) => textWidth(line, font) <= maxWidth;
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    if (lines.length === maxLines - 1) return [...lines, cutText(rest, font, maxWidth)];
    const line = firstLine(rest, fits);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

/** The text, or as much of its beginning as fits with an ellipsis behind it. */
export function cutText(text: string, font: Font, maxWidth: number): string {
  if (textWidth(text, font) <= maxWidth) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(kept + character + ELLIPSIS, font) > maxWidth) break;
    kept += character;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/** The longest prefix that fits and ends where a line may end: after a space, or inside of a name after one of `._-/,`. */
function firstLine(text: string, fits: (line: string) => boolean): string {
  if (fits(text)) return text;
  const longest = longestPrefix(text, fits);
  if (text.charAt(longest.length) === ' ') return longest;
  const space = longest.lastIndexOf(' ');
  // A break at a space is nicer, unless it leaves most of the line empty.
  if (space > longest.length / 3) return longest.slice(0, space + 1);
  const inside = Math.max(...['.', '_', '-', '/', ',', ' '].map((mark) => longest.lastIndexOf(mark)));
  return inside > 0 ? longest.slice(0, inside + 1) : longest;
}

/** At least one character, so that wrapping always ends. */
function longestPrefix(text: string, fits: (line: string) => boolean): string {
  let prefix = '';
  for (const character of text) {
    if (prefix !== '' && !fits(prefix + character)) break;
    prefix += character;
  }
  return prefix;
}
