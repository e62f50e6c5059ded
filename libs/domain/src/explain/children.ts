/**
 * Which bodies a container waits for. Only the outermost containers say so: what waits inside them has a reason of its
 * own, whose path names every container on the way.
 */
import { pathOf } from '../path.js';
import type { Container, ContainerWork, Run } from '../state.js';
import type { Reason } from './reason.js';

export function explainChildren(run: Run, container: Container): Reason | null {
  const { node, work, status, since } = container;
  const scope = run.scopes.get(container.scope) ?? null;
  if (scope?.owner !== null || (status.kind !== 'open' && status.kind !== 'settling')) return null;
  const active = [...container.bodies].filter((id) => {
    const kind = run.scopes.get(id)?.status.kind;
    return kind === 'open' || kind === 'settling';
  }).length;
  if (active === 0) return null;
  const path = pathOf(run, scope, node);
  const bodies = active === 1 ? '1 body that is' : `${active} bodies that are`;
  return {
    code: 'children',
    path,
    message: `${path} ${status.kind === 'open' ? 'waits for' : 'stops, and settles'} ${bodies} under way${progressOf(work)}`,
    action: `see the other reasons, whose paths begin with ${path}, for what each of them waits for`,
    since,
  };
}

function progressOf(work: ContainerWork): string {
  switch (work.kind) {
    case 'loop':
      return `; ${work.done}${work.count === null ? '' : ` of ${work.count}`} iterations are done`;
    case 'foreach':
      return `; ${work.results.size} of ${Array.isArray(work.items.value) ? work.items.value.length : 0} items are done`;
    case 'parallel':
      return `; ${work.results.size} of ${work.inputs.length} branches are done`;
    case 'choose':
    case 'saga':
      return '';
  }
}
