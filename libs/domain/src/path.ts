/** Where something is in a run, as a person reads it: `nodes.each[17].nodes.pay`, `nodes.both.left.nodes.wait`. */
import type { Container, Run, Scope } from './state.js';
import { aroundOf, containerOf, nodeOf } from './status.js';

/** Path of a node in a scope; `nodes.<key>` in the root. A scope that was forgotten leaves only the node. */
export function pathOf(run: Run, scope: Scope | null, node: string): string {
  const inside = scope === null ? '' : scopePath(run, scope);
  return inside === '' ? `nodes.${node}` : `${inside}.nodes.${node}`;
}

/** Path of a scope; empty for the root. */
export function scopePath(run: Run, scope: Scope): string {
  const container = containerOf(run, scope);
  if (container === null || scope.owner === null) return '';
  const around = pathOf(run, aroundOf(run, container), container.node);
  return around + slotName(run, container, scope.owner.slot);
}

function slotName(run: Run, container: Container, slot: number): string {
  const node = nodeOf(run, container);
  switch (node.kind) {
    case 'choose':
      return `.${node.cases[slot]?.name ?? 'default'}`;
    case 'parallel':
      return `.${node.branches[slot]?.name ?? slot}`;
    case 'saga':
      return '';
    default:
      return `[${slot}]`;
  }
}
