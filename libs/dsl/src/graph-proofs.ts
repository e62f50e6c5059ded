/**
 * What is certain at a node of a graph without cycles. The output of a node exists for certain at another if every path
 * there leaves the first by an edge that proves it: if that way out dominates the other node. So one pass in topological
 * order finds the nearest place that every path to a node passes, and the chain of these places answers every question.
 * The sets of all that is certain at each node would be quadratic, and a definition has 512 nodes.
 */
import type { GraphNode } from './graph.js';
import type { Edge, Proof } from './nodes/node-kind.js';

/** A node, or one of its ways out: the edges that prove the same about it. */
interface Place {
  /** The nearest place that every path to this one passes. */
  readonly before: Place | null;
  readonly depth: number;
}

export class GraphProofs {
  readonly #nodes = new Map<string, Place>();
  readonly #exits = new Map<string, Place>();

  /** `order`: the nodes that are reached, each after all that lead to it by edges other than the `closing` ones. */
  constructor(nodes: ReadonlyMap<string, GraphNode>, order: readonly string[], closing: ReadonlySet<Edge>) {
    const [start] = order;
    if (start !== undefined) this.#nodes.set(start, { before: null, depth: 0 });
    for (const key of order) {
      const place = this.#nodes.get(key);
      if (place === undefined) continue;
      for (const edge of nodes.get(key)?.edges ?? []) {
        if (edge === undefined || closing.has(edge) || !nodes.has(edge.to)) continue;
        this.#enter(edge.to, edge.proves === null ? place : this.#exit(key, edge.proves, place));
      }
    }
  }

  /** True when the output or the error of `key` exists whenever `reader` is entered; undefined when it never is. */
  proven(reader: string, key: string, proof: Proof): boolean | undefined {
    const from = this.#nodes.get(reader);
    if (from === undefined) return undefined;
    const exit = this.#exits.get(exitName(key, proof));
    return exit !== undefined && upTo(from, exit.depth) === exit;
  }

  #exit(key: string, proof: Proof, node: Place): Place {
    const name = exitName(key, proof);
    const known = this.#exits.get(name);
    if (known !== undefined) return known;
    const exit = { before: node, depth: node.depth + 1 };
    this.#exits.set(name, exit);
    return exit;
  }

  #enter(key: string, from: Place): void {
    const known = this.#nodes.get(key)?.before;
    if (known === from) return;
    const before = known == null ? from : meeting(known, from);
    this.#nodes.set(key, { before, depth: (before?.depth ?? 0) + 1 });
  }
}

function exitName(key: string, proof: Proof): string {
  return `${proof}:${key}`;
}

/** The last place that the chains of both have in common. */
function meeting(a: Place, b: Place): Place | null {
  let left: Place | null = upTo(a, b.depth);
  let right: Place | null = upTo(b, a.depth);
  while (left !== right) {
    left = left?.before ?? null;
    right = right?.before ?? null;
  }
  return left;
}

/** The place itself, or the one before it that is no deeper than `depth`. */
function upTo(place: Place, depth: number): Place | null {
  let at: Place | null = place;
  while (at !== null && at.depth > depth) at = at.before;
  return at;
}
