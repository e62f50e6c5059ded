/**
 * The graph of a region: where edges lead, which of them close a cycle, which nodes are never reached, and which outputs
 * and errors exist for certain at each node. All answers are over edges as written; faults found here take their edges
 * out of the graph, so that one mistake is reported once.
 */
import { GraphProofs } from './graph-proofs.js';
import type { Edge } from './nodes/node-kind.js';

export interface GraphNode {
  readonly key: string;
  readonly edges: readonly (Edge | undefined)[];
}

export interface GraphAnalysis {
  /** Edges whose target does not exist. */
  readonly dangling: readonly Edge[];
  /** Edges that close a cycle, in depth-first order. */
  readonly closing: readonly { readonly from: string; readonly edge: Edge; readonly path: readonly string[] }[];
  /** Nodes that no edge leads to from the start. Empty when some edge is unknown: it could lead anywhere. */
  readonly unreachable: readonly string[];
  /** Which outputs and errors exist for certain where. */
  readonly proofs: GraphProofs;
}

export function analyzeGraph(nodes: ReadonlyMap<string, GraphNode>, start: string): GraphAnalysis {
  const dangling: Edge[] = [];
  let certain = nodes.has(start);
  for (const node of nodes.values()) {
    for (const edge of node.edges) {
      if (edge !== undefined && nodes.has(edge.to)) continue;
      certain = false;
      if (edge !== undefined) dangling.push(edge);
    }
  }
  const walk = depthFirst(nodes, start);
  const reached = new Set(walk.order);
  return {
    dangling,
    closing: walk.closing,
    unreachable: certain ? [...nodes.keys()].filter((key) => !reached.has(key)) : [],
    proofs: new GraphProofs(nodes, walk.order, new Set(walk.closing.map(({ edge }) => edge))),
  };
}

interface Walk {
  /** Reachable nodes so that every node stands after all that lead to it, closing edges apart. */
  readonly order: readonly string[];
  readonly closing: GraphAnalysis['closing'];
}

/** Depth first from the start, edges in their order. Iterative: a chain may be as long as a definition. */
function depthFirst(nodes: ReadonlyMap<string, GraphNode>, start: string): Walk {
  const finished: string[] = [];
  const closing: { from: string; edge: Edge; path: readonly string[] }[] = [];
  const seen = new Set<string>();
  const open = new Map<string, number>();
  const enter = (key: string): void => {
    seen.add(key);
    open.set(key, 0);
    stack.push(key);
  };
  const stack: string[] = [];
  if (nodes.has(start)) enter(start);
  for (let key = stack.at(-1); key !== undefined; key = stack.at(-1)) {
    const next = open.get(key) ?? 0;
    const edges = nodes.get(key)?.edges ?? [];
    if (next >= edges.length) {
      stack.pop();
      open.delete(key);
      finished.push(key);
      continue;
    }
    open.set(key, next + 1);
    const edge = edges[next];
    if (edge === undefined || !nodes.has(edge.to)) continue;
    if (open.has(edge.to)) closing.push({ from: key, edge, path: stack.slice(stack.indexOf(edge.to)) });
    else if (!seen.has(edge.to)) enter(edge.to);
  }
  return { order: finished.toReversed(), closing };
}
