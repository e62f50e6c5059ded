import { describe, expect, it } from '@jest/globals';
import { analyzeGraph, type GraphNode } from './graph.js';
import type { Edge } from './nodes/node-kind.js';

const edge = (to: string, success = true): Edge => ({ to, success, span: { start: 0, end: 0 } });

function graph(edges: Readonly<Record<string, readonly (Edge | undefined)[]>>): ReadonlyMap<string, GraphNode> {
  return new Map(Object.entries(edges).map(([key, list]) => [key, { key, edges: list }]));
}

const certain = (nodes: ReadonlyMap<string, GraphNode>, key: string): readonly string[] =>
  [...(analyzeGraph(nodes, 'a').guaranteed.get(key) ?? ['nothing known'])].toSorted();

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
