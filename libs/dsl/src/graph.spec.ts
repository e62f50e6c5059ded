import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyzeGraph, type GraphNode } from './graph.js';
import type { Edge } from './nodes/node-kind.js';

const edge = (to: string, success = true): Edge => ({
  to,
  proves: success ? 'output' : null,
  span: { start: 0, end: 0 },
});

function graph(edges: Readonly<Record<string, readonly (Edge | undefined)[]>>): ReadonlyMap<string, GraphNode> {
  return new Map(Object.entries(edges).map(([key, list]) => [key, { key, edges: list }]));
}

/** Keys of the nodes whose output exists for certain at `reader`. */
function certain(nodes: ReadonlyMap<string, GraphNode>, reader: string): readonly string[] {
  const { proofs } = analyzeGraph(nodes, 'a');
  return [...nodes.keys()].filter((key) => proofs.proven(reader, key, 'output')).toSorted();
}

/** What each path from the start to `reader` proves, found by walking all of them. */
function pathsTo(nodes: ReadonlyMap<string, GraphNode>, reader: string): readonly ReadonlySet<string>[] {
  const found: ReadonlySet<string>[] = [];
  const walk = (key: string, proven: ReadonlySet<string>): void => {
    if (key === reader) found.push(proven);
    for (const { to, proves } of (nodes.get(key)?.edges ?? []).filter((known) => known !== undefined)) {
      walk(to, proves === null ? proven : new Set([...proven, `${proves}:${key}`]));
    }
  };
  walk('a', new Set());
  return found;
}

describe('guaranteed success', () => {
  it('grows along a chain', () => {
    const nodes = graph({ a: [edge('b')], b: [edge('c')], c: [] });
    expect(certain(nodes, 'a')).toEqual([]);
    expect(certain(nodes, 'b')).toEqual(['a']);
    expect(certain(nodes, 'c')).toEqual(['a', 'b']);
  });

  it('is lost where a path goes around', () => {
    const nodes = graph({ a: [edge('b'), edge('c', false)], b: [edge('d')], c: [edge('d')], d: [] });
    expect(certain(nodes, 'c')).toEqual([]);
    expect(certain(nodes, 'd')).toEqual([]);
  });

  it('depends on the edge, not only on the node', () => {
    const nodes = graph({ a: [edge('b', true), edge('b', false)], b: [] });
    expect(certain(nodes, 'b')).toEqual([]);
    expect(certain(graph({ a: [edge('b', true), edge('c', false)], b: [], c: [] }), 'b')).toEqual(['a']);
  });

  it('is kept where all paths have it', () => {
    const nodes = graph({ a: [edge('b')], b: [edge('c'), edge('d', false)], c: [edge('e')], d: [edge('e')], e: [] });
    expect(certain(nodes, 'e')).toEqual(['a']);
  });

  it('does not depend on the order in which paths are found', () => {
    // The long way is found first, the short one later.
    const nodes = graph({ a: [edge('b'), edge('d', false)], b: [edge('c')], c: [edge('d')], d: [edge('e')], e: [] });
    expect(certain(nodes, 'e')).toEqual(['d']);
  });

  it('is not known of a node that is never entered', () => {
    expect(analyzeGraph(graph({ a: [], b: [] }), 'a').proofs.proven('b', 'a', 'output')).toBeUndefined();
  });

  it('is told apart from a guaranteed failure', () => {
    const failed: Edge = { ...edge('c'), proves: 'error' };
    const { proofs } = analyzeGraph(graph({ a: [edge('b'), failed], b: [], c: [] }), 'a');
    expect(proofs.proven('c', 'a', 'error')).toBe(true);
    expect(proofs.proven('c', 'a', 'output')).toBe(false);
    expect(proofs.proven('b', 'a', 'error')).toBe(false);
  });

  it('is what every path says, in any graph', () => {
    const edges = fc.array(fc.record({ by: fc.nat({ max: 4 }), proof: fc.constantFrom('output', 'error', null) }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(edges, { minLength: 2, maxLength: 9 }), (lists) => {
        const name = (index: number): string => (index === 0 ? 'a' : `n${index}`);
        const nodes = graph(
          Object.fromEntries(
            lists.map((list, index) => [
              name(index),
              index === lists.length - 1
                ? []
                : list.map(({ by, proof }) => ({
                    ...edge(name(Math.min(lists.length - 1, index + 1 + by))),
                    proves: proof,
                  })),
            ]),
          ),
        );
        const { proofs } = analyzeGraph(nodes, 'a');
        for (const reader of nodes.keys()) {
          const paths = pathsTo(nodes, reader);
          for (const key of nodes.keys()) {
            for (const proof of ['output', 'error'] as const) {
              const expected = paths.length === 0 ? undefined : paths.every((path) => path.has(`${proof}:${key}`));
              expect(proofs.proven(reader, key, proof)).toBe(expected);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('faults of a graph', () => {
  it('are cycles at the edge that closes them in depth-first order', () => {
    const back = edge('a');
    const found = analyzeGraph(graph({ a: [edge('b')], b: [back, edge('c', false)], c: [edge('b')] }), 'a');
    expect(found.closing.map(({ from, edge: of }) => `${from}->${of.to}`)).toEqual(['b->a', 'c->b']);
    expect(found.closing[0]?.edge).toBe(back);
    expect(found.closing[0]?.path).toEqual(['a', 'b']);
  });

  it('are not diamonds', () => {
    expect(analyzeGraph(graph({ a: [edge('b'), edge('c')], b: [edge('c')], c: [] }), 'a').closing).toEqual([]);
  });

  it('are nodes that no edge leads to', () => {
    expect(analyzeGraph(graph({ a: [], b: [edge('c')], c: [] }), 'a').unreachable).toEqual(['b', 'c']);
  });

  it('are not the nodes behind an edge that is broken itself', () => {
    const missing = analyzeGraph(graph({ a: [edge('x')], b: [] }), 'a');
    expect(missing.dangling.map(({ to }) => to)).toEqual(['x']);
    expect(missing.unreachable).toEqual([]);
    expect(analyzeGraph(graph({ a: [undefined], b: [] }), 'a').unreachable).toEqual([]);
    expect(analyzeGraph(graph({ a: [] }), 'nowhere').unreachable).toEqual([]);
  });

  it('are found in a chain as long as a definition may be and longer', () => {
    const chain: Record<string, Edge[]> = {};
    for (let index = 0; index < 5_000; index += 1) chain[index === 0 ? 'a' : `n${index}`] = [edge(`n${index + 1}`)];
    chain['n5000'] = [edge('a')];
    expect(analyzeGraph(graph(chain), 'a').closing).toHaveLength(1);
  });
});
