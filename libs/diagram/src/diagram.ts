/**
 * A drawn definition: boxes and lines with their places, and nothing that depends on colours or on a page. All lengths
 * are px; positions are absolute, from the top left corner of the picture, x to the right and y down.
 *
 * Ids are JSON pointers into the `Definition` (`/root/nodes/pay`, `/root/nodes/route/cases/0/body`), so that whoever
 * shows a run can find the box of each node and the frame of each scope.
 */
import type { NodeKind } from '@graphrun/dsl';
import type { EdgeField } from './words/edge-words.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

/** What a text is for; it decides size, weight and colour. */
export type TextRole =
  'picture' | 'name' | 'title' | 'detail' | 'undo' | 'lock' | 'error' | 'description' | 'labels' | 'label';

/** One line of text. Its width is measured, and the box around it has room for it. */
export interface TextLine {
  readonly role: TextRole;
  readonly text: string;
  /** Left edge. */
  readonly x: number;
  /** Base line. */
  readonly y: number;
  readonly width: number;
}

/** A node, or with kind `link` the end of an edge whose target is too far away to draw a line to it. */
export interface Box extends Rect {
  readonly id: string;
  /** The node's key; of a link, the key of the node it leads to. */
  readonly key: string;
  readonly kind: NodeKind | 'link';
  readonly lines: readonly TextLine[];
  /** All that is known of the node, one sentence or list a line; nothing in it is cut. */
  readonly fullText: readonly string[];
  /** The regions that a container holds, in the order of the document. */
  readonly frames: readonly Frame[];
}

/** A region: the whole workflow, or one body of a container. */
export interface Frame extends Rect {
  readonly id: string;
  /** Whether a border is drawn: cases and branches have one, the only body of a container needs none. */
  readonly outlined: boolean;
  readonly lines: readonly TextLine[];
  readonly fullText: readonly string[];
  /** Where the region begins. */
  readonly start: Rect;
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
}

export interface EdgeLabel extends Rect {
  readonly lines: readonly TextLine[];
  readonly fullText: string;
}

export interface Edge {
  readonly id: string;
  /** Id of the box it leaves, or of the frame for the edge from the start marker. */
  readonly from: string;
  /** Id of the box it leads to, also where a link stands for it. */
  readonly to: string;
  readonly field: EdgeField;
  /** Corners, from the lower border of one box to the upper border of the other; every piece is horizontal or vertical. */
  readonly points: readonly Point[];
  /** Index of the point from which it runs on the line of another edge to the same box; absent where it never does. */
  readonly joinsAt?: number;
  readonly label?: EdgeLabel;
}

export interface Diagram {
  readonly width: number;
  readonly height: number;
  /** Name and version of the workflow. */
  readonly title: string;
  /** The picture in words, for those who do not see it. */
  readonly summary: string;
  readonly lines: readonly TextLine[];
  readonly root: Frame;
}
