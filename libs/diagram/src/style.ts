/** Sizes of everything that is drawn, px. */
import type { TextRole } from './diagram.js';
import type { Font } from './text/metrics.js';

interface TextStyle extends Font {
  readonly lineHeight: number;
}

export const TEXT: Readonly<Record<TextRole, TextStyle>> = {
  picture: { size: 18, bold: true, lineHeight: 24 },
  name: { size: 13, bold: true, lineHeight: 17 },
  title: { size: 12, bold: true, lineHeight: 16 },
  detail: { size: 12, bold: false, lineHeight: 16 },
  undo: { size: 12, bold: false, lineHeight: 17 },
  lock: { size: 12, bold: false, lineHeight: 17 },
  error: { size: 12, bold: true, lineHeight: 16 },
  description: { size: 12, bold: false, lineHeight: 16 },
  labels: { size: 11, bold: false, lineHeight: 15 },
  label: { size: 11, bold: false, lineHeight: 14 },
};

export const SIZE = {
  /** Around the whole picture. */
  margin: 24,
  /** A box of a node that holds no region. */
  card: { minWidth: 168, maxTextWidth: 250, padding: 10, icon: 24, iconGap: 10 },
  container: { padding: 16, headerGap: 12, minTextWidth: 280, icon: 24, iconGap: 10 },
  /** The border around a case or a branch. */
  lane: { padding: 14, gap: 14, titleGap: 8, maxTextWidth: 260, maxRowWidth: 1240 },
  start: 12,
  link: { padding: 8 },
  label: { maxTextWidth: 170, paddingX: 5, paddingY: 2 },
  /** The small icon before "undone by" and "irreversible". */
  lineIcon: 16,
  edges: {
    /** Between two nodes side by side. */
    nodeGap: 36,
    /** Between a line and what is beside it. */
    lineGap: 22,
    /** Height of a gap between two rows that lines cross straight. */
    rowGap: 30,
    /** The same around a row of labels. */
    labelRowGap: 16,
    /** Between two horizontal pieces in one gap. */
    trackGap: 10,
    /** Straight piece before an arrow head, and after a border. */
    run: 13,
    /** Between two lines at one border. */
    portGap: 18,
    /** From a corner of a box to the nearest line, and to the nearest one where many lines need the room. */
    portInset: 18,
    portEdge: 10,
  },
} as const;

/** Up to an even number: what is centred then stands at a whole px. */
export function even(length: number): number {
  return 2 * Math.ceil(length / 2);
}
