/** Drawings of definitions: places of everything, and pictures as SVG and Mermaid. Pure, and usable in a browser. */
export type { Box, Diagram, Edge, EdgeLabel, Frame, Point, Rect, TextLine, TextRole } from './diagram.js';
export type { EdgeField } from './words/edge-words.js';
export { layout } from './layout/layout.js';
export { toSvg } from './svg/svg.js';
export type { SvgOptions } from './svg/svg.js';
export { THEMES } from './svg/style-sheet.js';
export type { Theme } from './svg/style-sheet.js';
export { toMermaid } from './mermaid/mermaid.js';
