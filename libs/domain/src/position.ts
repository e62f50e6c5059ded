/**
 * Where a scope was when it was closed. A scope that is between two nodes has its `next`. Else it was at what it entered
 * last and has not left: a wait that was cancelled, or an activity or a container without a success. What an error route has
 * taken stands before that.
 */
import type { Container, Leaf, Run, Scope, Wait } from './state.js';

export type Position =
  | { readonly kind: 'node'; readonly key: string }
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'container'; readonly container: Container }
  | { readonly kind: 'wait'; readonly wait: Wait };

/** @throws Error for a scope that was at nothing, which only completed ones are. */
export function positionOf(run: Run, scope: Scope): Position {
  if (scope.next !== null) return { kind: 'node', key: scope.next };
  for (const id of scope.waits) {
    const wait = run.waits.get(id);
    if (wait?.status.kind === 'cancelled') return { kind: 'wait', wait };
  }
  const last = [...scope.activations].at(-1);
  const container = last === undefined ? undefined : run.containers.get(last);
  if (container !== undefined) return { kind: 'container', container };
  const leaf = last === undefined ? undefined : run.leaves.get(last);
  if (leaf !== undefined) return { kind: 'leaf', leaf };
  throw new Error(`scope ${scope.id} of run ${run.id} was closed at nothing`);
}

/** The node that a scope was at, or was about to enter. */
export function nodeKeyAt(position: Position): string {
  switch (position.kind) {
    case 'node':
      return position.key;
    case 'leaf':
      return position.leaf.node;
    case 'container':
      return position.container.node;
    case 'wait':
      return position.wait.node;
  }
}
