/** What a run that has failed left behind, as `reopen` will open it again. */
import { positionOf, type Position } from '../position.js';
import type { Container, Leaf, Run, Scope } from '../state.js';

export interface ClosedScope {
  readonly scope: Scope;
  readonly position: Position;
}

export interface ClosedTree {
  /** Scopes that go on, from the root down. */
  readonly scopes: readonly ClosedScope[];
  /** Activities that are ready again. */
  readonly leaves: readonly Leaf[];
  /** Sagas that start their bodies anew. */
  readonly restarted: readonly Container[];
}

export function closedTree(run: Run): ClosedTree {
  const scopes: ClosedScope[] = [];
  const leaves: Leaf[] = [];
  const restarted: Container[] = [];
  const walk = (scope: Scope): void => {
    const position = positionOf(run, scope);
    scopes.push({ scope, position });
    if (position.kind === 'leaf') leaves.push(position.leaf);
    if (position.kind !== 'container') return;
    const { container } = position;
    if (isRestarted(container)) restarted.push(container);
    else for (const body of bodiesIn(run, container)) walk(body);
  };
  for (const scope of run.scopes.values()) if (scope.owner === null) walk(scope);
  return { scopes, leaves, restarted };
}

export function bodiesIn(run: Run, container: Container): Scope[] {
  return [...container.bodies].flatMap((id) => run.scopes.get(id) ?? []);
}

/** Its undoing has begun, so nothing that its body had done counts any more. */
function isRestarted({ work }: Container): boolean {
  return work.kind === 'saga' && work.aborting;
}
