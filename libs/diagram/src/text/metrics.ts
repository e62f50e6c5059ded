/**
 * Widths of text without a font at hand. The tables are the advance widths of Helvetica, in thousandths of the font size;
 * Arial and Liberation Sans have the same ones by design. What a viewer draws with another font is squeezed into the
 * measured width by the SVG, so nothing is ever clipped.
 */
export interface Font {
  /** px */
  readonly size: number;
  readonly bold: boolean;
}

/** U+0020 to U+007E. */
const REGULAR = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
] as const;
const BOLD = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
  556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
  280, 389, 584,
] as const;

const PUNCTUATION: Readonly<Record<string, number>> = {
  '\u00b7': 333,
  '\u2013': 556,
  '\u2026': 1000,
  '\u201c': 500,
  '\u201d': 500,
};
/** Of a character that the tables do not know: as wide as CJK and emoji are. */
const UNKNOWN = 1000;
const LATIN = /^[\u00c0-\u024f]$/u;
const MARK = /^\p{M}$/u;

/** Whether every character's width is known, so that the sum is exact in the fonts above. */
export function isMeasured(text: string): boolean {
  return Array.from(text).every((character) => widthOf(character, REGULAR) !== null);
}

/** Width of one line, px; too wide rather than too narrow where a character is not known. */
export function textWidth(text: string, font: Font): number {
  const table = font.bold ? BOLD : REGULAR;
  let thousandths = 0;
  for (const character of text) thousandths += widthOf(character, table) ?? UNKNOWN;
  return (thousandths * font.size) / 1000;
}

function widthOf(character: string, table: readonly number[]): number | null {
  const known = table[(character.codePointAt(0) ?? 0) - 0x20] ?? PUNCTUATION[character];
  if (known !== undefined) return known;
  if (MARK.test(character)) return 0;
  // A letter with a diacritic is as wide as the letter.
  const base = LATIN.test(character) ? character.normalize('NFD').charAt(0) : character;
  return base === character ? null : (table[(base.codePointAt(0) ?? 0) - 0x20] ?? null);
}
