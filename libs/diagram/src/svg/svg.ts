/**
 * A diagram as one SVG file that needs nothing else: no scripts, no fonts, no references. Readers of the screen get a
 * title and the workflow in words; pointing at a box shows all that is known of its node.
 */
import type { Box, Diagram, Edge, Frame, TextLine } from '../diagram.js';
import { SIZE, TEXT } from '../style.js';
import { isMeasured } from '../text/metrics.js';
import { headPath, linePath } from './edge-path.js';
import { escapeXml, px } from './escape.js';
import { ICONS, LOCK_ICON, UNDO_ICON } from './icons.js';
import { hueOf } from './palette.js';
import { styleSheet } from './style-sheet.js';
import type { Theme } from './style-sheet.js';

export interface SvgOptions {
  /** `auto` follows what the viewer prefers; the default. */
  readonly theme?: Theme;
}

/** The text of the file. It ends with a line break. */
export function toSvg(diagram: Diagram, { theme = 'auto' }: SvgOptions = {}): string {
  const { width, height, title, summary, lines, root } = diagram;
  const id = `gr-${title.replace(/[^A-Za-z0-9]+/g, '-')}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escapeXml(title)}</title>`,
    `<desc id="${id}-desc">${escapeXml(summary)}</desc>`,
    `<style>${styleSheet(theme)}</style>`,
    `<rect class="gr-page" width="${px(width)}" height="${px(height)}"/>`,
    ...lines.map((line) => textElement(line)),
    ...frameElements(root),
    '</svg>',
    '',
  ].join('\n');
}

function frameElements(frame: Frame): readonly string[] {
  const { x, y, width, height } = frame.start;
  return [
    `<g data-region="${escapeXml(frame.id)}">`,
    ...titleElement(frame.fullText),
    ...(frame.outlined ? [rect('gr-lane', frame, 8)] : []),
    ...frame.lines.map((line) => textElement(line)),
    ...frame.edges.flatMap(edgeElements),
    `<circle class="gr-start" cx="${px(x + width / 2)}" cy="${px(y + height / 2)}" r="${px(width / 2)}"/>`,
    ...frame.edges.flatMap(labelElements),
    ...frame.boxes.flatMap(boxElements),
    '</g>',
  ];
}

function boxElements(box: Box): readonly string[] {
  return [
    `<g data-node="${escapeXml(box.id)}">`,
    ...titleElement(box.fullText),
    outline(box),
    ...iconElements(box),
    ...box.lines.flatMap((line) => [...markElements(line), textElement(line)]),
    ...box.frames.flatMap(frameElements),
    '</g>',
  ];
}

function outline(box: Box): string {
  const hue = `gr-h-${hueOf(box.kind)}`;
  switch (box.kind) {
    case 'complete':
    case 'fail':
    case 'continue_as_new':
      return rect(`gr-box gr-end ${hue}`, box, Math.min(22, box.height / 2));
    case 'link':
      return rect(`gr-box ${hue}`, box, box.height / 2);
    default:
      return box.frames.length > 0 ? rect(`gr-box ${hue}`, box, 10) : rect('gr-card', box, 8);
  }
}

/** The kind's icon on a coloured chip, left of the lines. */
function iconElements(box: Box): readonly string[] {
  if (box.kind === 'link') return [];
  const isContainer = box.frames.length > 0;
  const { padding, icon } = isContainer ? SIZE.container : SIZE.card;
  const x = box.x + padding;
  const y = isContainer ? box.y + padding : box.y + (box.height - icon) / 2;
  return [
    rect(`gr-chip gr-h-${hueOf(box.kind)}`, { x, y, width: icon, height: icon }, 6),
    `<path class="gr-icon" transform="translate(${px(x + (icon - 16) / 2)} ${px(y + (icon - 16) / 2)})" d="${ICONS[box.kind]}"/>`,
  ];
}

/** How an effect is undone, or that it is not, has a small icon before its first line. */
function markElements({ role, text, x, y }: TextLine): readonly string[] {
  if (role !== 'undo' && role !== 'lock') return [];
  if (!/^(undone by|irreversible:)/.test(text)) return [];
  const size = 12;
  const path = role === 'undo' ? UNDO_ICON : LOCK_ICON;
  return [
    `<path class="gr-mark" transform="translate(${px(x - SIZE.lineIcon)} ${px(y - size + 2)}) scale(0.75)" d="${path}"/>`,
  ];
}

function edgeElements(edge: Edge): readonly string[] {
  const joint = edge.joinsAt === undefined ? undefined : edge.points[edge.joinsAt];
  return [
    `<path class="gr-edge gr-${edge.field}" d="${linePath(edge)}"/>`,
    joint === undefined
      ? `<path class="gr-head gr-${edge.field}" d="${headPath(edge)}"/>`
      : `<circle class="gr-head gr-${edge.field}" cx="${px(joint.x)}" cy="${px(joint.y)}" r="2.5"/>`,
  ];
}

function labelElements({ label, field }: Edge): readonly string[] {
  if (label === undefined) return [];
  return [
    `<g>`,
    ...titleElement([label.fullText]),
    rect(`gr-note gr-${field}`, label, 7),
    ...label.lines.map((line) => textElement(line, ` gr-${field}`)),
    '</g>',
  ];
}

function titleElement(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`<title>${lines.map(escapeXml).join('\n')}</title>`];
}

/** Another font than ours is squeezed into the width that was measured. */
function textElement({ role, text, x, y, width }: TextLine, more = ''): string {
  const fitted =
    isMeasured(text) && width > TEXT[role].size ? ` textLength="${px(width)}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text class="gr-text gr-t-${role}${more}" x="${px(x)}" y="${px(y)}"${fitted}>${escapeXml(text)}</text>`;
}

function rect(
  classes: string,
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  radius: number,
): string {
  return `<rect class="${classes}" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="${px(radius)}"/>`;
}
