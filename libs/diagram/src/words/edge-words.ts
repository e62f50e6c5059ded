/** What stands beside the edges that leave a node; a plain `next` says nothing. */
import { formatDuration } from '@graphrun/dsl';
import type { ErrorRoute, Node } from '@graphrun/dsl';
import { cleanText } from '../text/clean.js';

/** The field of the document that an edge comes from; `start` leads from the start marker to a region's first node. */
export type EdgeField = 'start' | 'next' | 'on_timeout' | 'on_error';

export interface OutEdge {
  readonly field: EdgeField;
  readonly to: string;
  readonly label: string;
}

/** The edges out of a node, in the order of the document: `next`, `on_timeout`, then `on_error`. */
export function outEdges(node: Node): readonly OutEdge[] {
  const edges: OutEdge[] = [];
  const timed = node.kind === 'wait_signal' && node.timeoutMs !== null;
  if ('next' in node) edges.push({ field: 'next', to: node.next, label: timed ? 'received' : '' });
  if (node.kind === 'wait_signal' && node.onTimeout !== undefined) {
    edges.push({ field: 'on_timeout', to: node.onTimeout, label: `after ${formatDuration(node.timeoutMs ?? 0)}` });
  }
  if ('onError' in node && node.onError !== undefined) {
    for (const route of node.onError) edges.push({ field: 'on_error', to: route.next, label: codesWords(route) });
  }
  return edges;
}

function codesWords({ codes }: ErrorRoute): string {
  return codes === 'any' ? 'any error' : codes.map(cleanText).join(', ');
}
