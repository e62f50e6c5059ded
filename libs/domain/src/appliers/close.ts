/**
 * Closing a part of the tree to forward work: its scopes enter no node any more, its containers open no body. What is under
 * way in it is settled by transitions of their own (spec 02 "Failure and settlement").
 */
import type { Failure } from '../events.js';
import type { Container, Run, Scope } from '../state.js';

/** Closes a scope and all below it. The failure is the scope's own; what is below has none. */
export function closeScope(run: Run, scope: Scope, failure: Failure | null): void {
  if (scope.status.kind !== 'open') return;
  scope.status = { kind: 'settling', failure };
  const container = currentContainer(run, scope);
  if (container !== null) closeContainer(run, container, null);
}

/** Closes a container and all its bodies. A failure that is there already stays: the first is the primary one. */
export function closeContainer(run: Run, container: Container, failure: Failure | null): void {
  if (container.status.kind === 'open') container.status = { kind: 'settling', failure };
  for (const id of container.bodies) {
    const body = run.scopes.get(id);
    if (body !== undefined) closeScope(run, body, null);
  }
}

/** The container a scope is at. */
export function currentContainer(run: Run, scope: Scope): Container | null {
  if (scope.current === null || !('activation' in scope.current)) return null;
  return run.containers.get(scope.current.activation) ?? null;
}
