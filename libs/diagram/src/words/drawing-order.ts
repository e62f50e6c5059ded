/** The order in which the nodes of a region are drawn and told. */
import type { Region } from '@graphrun/dsl';
import { outEdges } from './edge-words.js';

/**
 * The main way first: each node before those its edges lead to, and what `next` leads to right after it where that can be.
 * How the keys of `nodes` are stored does not matter. Throws RangeError where edges lead to nowhere or in a circle, which
 * the compiler refuses. With a stack of its own: a chain of 512 nodes must not depend on the depth of the call stack.
 */
export function drawingOrder(region: Region): readonly string[] {
  // What is finished last stands first, so the last edge of a node is walked first.
  const finished: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const root of [region.start, ...Object.keys(region.nodes).toSorted()]) {
    const stack = [root];
    for (let key = stack.at(-1); key !== undefined; key = stack.at(-1)) {
      if (state.get(key) === undefined) {
        state.set(key, 'open');
        for (const to of targetsOf(region, key)) {
          if (state.get(to) === 'open') throw new RangeError(`the edge from ${key} to ${to} closes a circle`);
          if (state.get(to) === undefined) stack.push(to);
        }
      } else {
        stack.pop();
        if (state.get(key) === 'open') finished.push(key);
        state.set(key, 'done');
      }
    }
  }
  return finished.toReversed();
}

export function targetsOf(region: Region, key: string): readonly string[] {
  const node = Object.hasOwn(region.nodes, key) ? region.nodes[key] : undefined;
  if (node === undefined) throw new RangeError(`there is no node ${key}`);
  return outEdges(node).map(({ to }) => to);
}
