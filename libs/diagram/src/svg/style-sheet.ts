/** The style sheet inside the picture: rules for one palette, and for `auto` a second set where the viewer prefers dark. */
import type { TextRole } from '../diagram.js';
import { TEXT } from '../style.js';
import { DARK, LIGHT } from './palette.js';
import type { Hue, Palette } from './palette.js';

export const THEMES = ['auto', 'light', 'dark'] as const;
/** `auto` is light, or dark where the viewer prefers that. */
export type Theme = (typeof THEMES)[number];

/** Every class begins with `gr-`, so that a picture inside of a page does not touch the page. */
export function styleSheet(theme: Theme): string {
  const colours = theme === 'dark' ? colourRules(DARK) : colourRules(LIGHT);
  const dark = theme === 'auto' ? `@media (prefers-color-scheme:dark){${colourRules(DARK)}}` : '';
  return shapeRules() + colours + dark;
}

function shapeRules(): string {
  const texts = (Object.keys(TEXT) as TextRole[]).map(
    (role) => `.gr-t-${role}{font-size:${TEXT[role].size}px${TEXT[role].bold ? ';font-weight:bold' : ''}}`,
  );
  return [
    '.gr-text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif;white-space:pre}',
    ...texts,
    '.gr-t-description{font-style:italic}',
    '.gr-card,.gr-lane,.gr-note{stroke-width:1}',
    '.gr-box{stroke-width:1.5}',
    '.gr-end{stroke-width:2}',
    '.gr-icon,.gr-mark{fill:none;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}',
    '.gr-edge{fill:none;stroke-width:1.5;stroke-linejoin:round}',
    '.gr-edge.gr-on_timeout{stroke-dasharray:2 4;stroke-linecap:round;stroke-width:1.8}',
    '.gr-edge.gr-on_error{stroke-dasharray:6 4}',
  ].join('');
}

function colourRules(palette: Palette): string {
  const { page, card, border, ink, muted, line, hues } = palette;
  const fail = hues.fail.strong;
  const wait = hues.wait.strong;
  return [
    `.gr-page{fill:${page}}`,
    `.gr-text{fill:${ink}}`,
    `.gr-t-detail,.gr-t-description,.gr-t-labels{fill:${muted}}`,
    `.gr-t-undo,.gr-t-lock{fill:${hues.saga.strong}}`,
    `.gr-mark{stroke:${hues.saga.strong}}`,
    `.gr-t-error{fill:${fail}}`,
    `.gr-card{fill:${card};stroke:${border}}`,
    `.gr-lane{fill:${page};stroke:${border}}`,
    `.gr-icon{stroke:${card}}`,
    `.gr-start{fill:${ink}}`,
    ...(Object.keys(hues) as Hue[]).map(
      (hue) =>
        `.gr-box.gr-h-${hue}{fill:${hues[hue].soft};stroke:${hues[hue].strong}}.gr-chip.gr-h-${hue}{fill:${hues[hue].strong}}`,
    ),
    `.gr-edge{stroke:${line}}.gr-head{fill:${line}}.gr-note{fill:${card};stroke:${line}}`,
    `.gr-edge.gr-on_error,.gr-note.gr-on_error{stroke:${fail}}.gr-head.gr-on_error,.gr-text.gr-on_error{fill:${fail}}`,
    `.gr-edge.gr-on_timeout,.gr-note.gr-on_timeout{stroke:${wait}}.gr-head.gr-on_timeout,.gr-text.gr-on_timeout{fill:${wait}}`,
  ].join('');
}
