/**
 * Labels of Mermaid flowcharts. A label stands between double quotes, and Mermaid reads it as Markdown with entity codes
 * (`#35;` is `#`). What means something to either is written as such a code, so a label shows exactly what it says.
 */
import { cleanText } from '../text/clean.js';

/** Characters of a line before it is cut. */
const LINE_CHARS = 300;

/**
 * Quotes, brackets, and what HTML, Markdown, links, KaTeX, directives and entity codes are written with. Colons too: a
 * line with the word "style", a colon and an entity code loses its last semicolon in Mermaid.
 */
const SPECIAL = /["'#&<>`*~\\[\](){}|;%$@:]/gu;
/** An underscore inside of a word is one; at its ends it would make the text slanted. */
const EMPHASIS = /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/gu;
/** A list or a heading, to Markdown. */
const LIST_MARK = /^(\s*)([-+]|\d+\.)/u;
/** Mermaid looks for formulas after it has decoded everything; a space without width keeps two signs apart. */
const FORMULA = /\$(?=\$)/gu;
const WEB_ADDRESS = /\bwww\./giu;

/** The lines of a label with their quotes. */
export function mermaidLabel(lines: readonly string[]): string {
  return `"${lines.map(mermaidText).join('<br/>')}"`;
}

/** One line, without quotes. */
export function mermaidText(text: string): string {
  const characters = Array.from(cleanText(text).trim());
  const cut =
    characters.length > LINE_CHARS ? `${characters.slice(0, LINE_CHARS - 1).join('')}\u2026` : characters.join('');
  return cut
    .replace(FORMULA, '$\u200b')
    .replace(SPECIAL, code)
    .replace(EMPHASIS, code)
    .replace(LIST_MARK, (_, space: string, mark: string) => `${space}${mark.slice(0, -1)}${code(mark.slice(-1))}`)
    .replace(WEB_ADDRESS, (found) => `${found.slice(0, -1)}${code('.')}`);
}

function code(character: string): string {
  return `#${character.codePointAt(0) ?? 0};`;
}
