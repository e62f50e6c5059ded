/**
 * Whose turn it is to be undone (spec 03 "Sagas"). A stopping tree is the largest closed part of a run around a saga. In it
 * nothing is undone while forward work may still happen; then one obligation after the other, those of the saga that was
 * opened last first, in each saga from the end of what it owes.
 */
import { roleOf, type ActivationId } from './ids.js';
import type { Container, Run, Scope } from './state.js';
import { aroundOf, containerOf } from './status.js';

export type CompensationTurn =
  /** Forward work, another saga, or a compensation under way comes first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'compensate'; readonly forward: ActivationId }
  /** Nothing is left to undo. */
  | { readonly kind: 'done' };

const WAIT: CompensationTurn = { kind: 'wait' };

export function compensationTurn(run: Run, saga: Container): CompensationTurn {
  const forward = nextOwed(run, saga);
  if (forward === null) return { kind: 'done' };
  const status = run.obligations.get(forward)?.status.kind;
  if (status !== 'open') return WAIT;
  const tree = new Tree(run, stoppingRoot(run, saga));
  if (tree.hasForwardWork || tree.compensating || tree.lastOwing !== saga.id) return WAIT;
  return { kind: 'compensate', forward };
}

/** What a saga has to undo next, from the end of what it owes; null when nothing is left. */
function nextOwed(run: Run, { work }: Container): ActivationId | null {
  if (work.kind !== 'saga') return null;
  for (let index = work.obligations.length - 1; index >= 0; index--) {
    const forward = work.obligations[index];
    const status = forward === undefined ? undefined : run.obligations.get(forward)?.status.kind;
    if (forward === undefined || status === undefined) continue;
    if (status !== 'compensated' && status !== 'irreversible' && status !== 'abandoned') return forward;
  }
  return null;
}

/** The outermost closed container around a saga, or the root scope when the whole run stops. */
function stoppingRoot(run: Run, saga: Container): Container | Scope {
  let top = saga;
  for (;;) {
    const around = aroundOf(run, top);
    if (around.status.kind === 'open') return top;
    const container = containerOf(run, around);
    if (container === null) return around;
    top = container;
  }
}

/** What is in a stopping tree, looked through once. */
class Tree {
  hasForwardWork = false;
  compensating = false;
  /** The saga among those that owe something that was opened last. */
  lastOwing: ActivationId | null = null;
  #lastNumber = 0;

  constructor(
    private readonly run: Run,
    root: Container | Scope,
  ) {
    if ('bodies' in root) this.#container(root);
    else this.#scope(root);
  }

  #container(container: Container): void {
    this.#owing(container);
    for (const id of container.bodies) {
      const body = this.run.scopes.get(id);
      if (body !== undefined) this.#scope(body);
    }
  }

  #scope(scope: Scope): void {
    if (scope.current !== null && 'wait' in scope.current) this.hasForwardWork = true;
    for (const id of scope.activations) {
      if (this.run.open.has(id) && roleOf(id) === 'forward') this.hasForwardWork = true;
      const container = this.run.containers.get(id);
      if (container !== undefined) this.#container(container);
    }
  }

  #owing(container: Container): void {
    if (container.work.kind !== 'saga' || container.status.kind === 'failed' || container.status.kind === 'cancelled')
      return;
    const { obligations } = container.work;
    this.compensating ||= obligations.some((forward) => {
      const status = this.run.obligations.get(forward)?.status.kind;
      return status === 'compensating' || status === 'blocked_execution';
    });
    const number = Number(container.id.slice(1));
    if (nextOwed(this.run, container) === null || number <= this.#lastNumber) return;
    this.#lastNumber = number;
    this.lastOwing = container.id;
  }
}
