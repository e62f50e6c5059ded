/**
 * What a run does next without anybody else. A pure question to the state, so that live state, replay and checkpoint
 * agree on whether more is due: nothing about it is remembered outside of events.
 *
 * Forward work first, then what settles. A paused run does nothing by itself; a blocked one only settles and undoes.
 */
import type { ActivationId, WaitId } from './ids.js';
import { askedBy, roleOf } from './ids.js';
import type { Container, Leaf, Run, Scope } from './state.js';
import { contractOf, isTerminal, nodeOf, stopOf } from './status.js';
import { compensationTurn } from './stopping-tree.js';

export type Transition =
  /** A scope reaches its next node. */
  | { readonly kind: 'enter'; readonly scope: Scope; readonly node: string }
  /** A container opens its next body, or has its result. */
  | { readonly kind: 'open_body'; readonly container: Container; readonly slot: number }
  | { readonly kind: 'check_loop'; readonly container: Container }
  | { readonly kind: 'complete_container'; readonly container: Container }
  /** Something around this leaf is closed and it needs no waiting for. */
  | { readonly kind: 'withdraw'; readonly leaf: Leaf }
  /** The same, and what an external effect of this leaf has become is unknown. */
  | { readonly kind: 'seek_outcome'; readonly leaf: Leaf }
  | { readonly kind: 'cancel_wait'; readonly wait: WaitId }
  /** Everything in the scope is settled. */
  | { readonly kind: 'close_scope'; readonly scope: Scope }
  | { readonly kind: 'start_abort'; readonly container: Container }
  /** It is this obligation's turn to be undone. */
  | { readonly kind: 'compensate'; readonly forward: ActivationId }
  | { readonly kind: 'close_container'; readonly container: Container }
  /** Everything is settled and undone: the stopping run ends. */
  | { readonly kind: 'end' };

export function nextTransition(run: Run): Transition | null {
  if (isTerminal(run.status) || run.paused !== null) return null;
  return needlessProbe(run) ?? (run.status.kind === 'active' ? nextForward(run) : null) ?? nextSettling(run);
}

/**
 * A probe whose question was answered in another way, by a late report or by a person. It goes first: the scope that goes on
 * may complete, and everything of it is forgotten then.
 */
function needlessProbe(run: Run): Transition | null {
  for (const id of run.open) {
    if (roleOf(id) !== 'reconciliation' || run.leaves.get(askedBy(id))?.status.kind === 'reconciling') continue;
    const leaf = run.leaves.get(id);
    if (leaf === undefined) throw new Error(`open leaf ${id} of run ${run.id} does not exist`);
    return { kind: 'withdraw', leaf };
  }
  return null;
}

function nextForward(run: Run): Transition | null {
  for (const scope of run.scopes.values()) {
    if (scope.next !== null && scope.status.kind === 'open') return { kind: 'enter', scope, node: scope.next };
  }
  for (const container of run.containers.values()) {
    if (container.status.kind !== 'open') continue;
    const transition = nextOf(run, container);
    if (transition !== null) return transition;
  }
  return null;
}

/** How an open container goes on. */
function nextOf(run: Run, container: Container): Transition | null {
  const { work, bodies } = container;
  switch (work.kind) {
    case 'choose':
      if (work.result !== null) return { kind: 'complete_container', container };
      return bodies.size > 0 ? null : { kind: 'open_body', container, slot: work.chosen ?? -1 };
    case 'saga':
      if (work.result !== null) return { kind: 'complete_container', container };
      return bodies.size > 0 ? null : { kind: 'open_body', container, slot: 0 };
    case 'loop':
      return bodies.size > 0 ? null : { kind: 'check_loop', container };
    case 'parallel':
      if (work.opened < work.inputs.length) return { kind: 'open_body', container, slot: work.opened };
      return work.results.size === work.inputs.length ? { kind: 'complete_container', container } : null;
    case 'foreach': {
      const { value: items } = work.items;
      const count = Array.isArray(items) ? items.length : 0;
      if (work.results.size === count) return { kind: 'complete_container', container };
      const room = bodies.size < windowOf(run, container);
      return work.opened < count && room ? { kind: 'open_body', container, slot: work.opened } : null;
    }
  }
}

// ------------------------------------------------------------------------------------------------------ settling

/** What is closed settles from the inside out: leaves and waits, then scopes, then the containers around them. */
function nextSettling(run: Run): Transition | null {
  for (const id of run.open) {
    const transition = settlement(run, id);
    if (transition !== null) return transition;
  }
  for (const id of run.pending) {
    const wait = run.waits.get(id);
    if (wait !== undefined && run.scopes.get(wait.scope)?.status.kind === 'settling') {
      return { kind: 'cancel_wait', wait: id };
    }
  }
  for (const scope of run.scopes.values()) {
    if (scope.status.kind === 'settling' && scope.current === null) return closing(run, scope);
  }
  for (const container of run.containers.values()) {
    const transition = container.status.kind === 'settling' ? closingOf(run, container) : null;
    if (transition !== null) return transition;
  }
  return null;
}

/**
 * Spec 02 "Failure and settlement": what was never granted and what is pure ends at once. An external attempt under way
 * is waited for. An external leaf that waits for a retry after a lost attempt may have had its effect: it is never
 * retried to find out, and never called cancelled.
 */
function settlement(run: Run, id: ActivationId): Transition | null {
  const leaf = run.leaves.get(id);
  if (leaf === undefined) throw new Error(`open leaf ${id} of run ${run.id} does not exist`);
  if (roleOf(id) !== 'forward' || run.scopes.get(leaf.scope)?.status.kind !== 'settling') return null;
  switch (leaf.status.kind) {
    case 'ready':
    case 'retry_wait':
      return contractOf(run, leaf).effects === 'external' && leaf.losses.length > 0
        ? { kind: 'seek_outcome', leaf }
        : { kind: 'withdraw', leaf };
    case 'claimed':
      return contractOf(run, leaf).effects === 'pure' ? { kind: 'withdraw', leaf } : null;
    default:
      return null;
  }
}

/** The root ends with the run. */
function closing(run: Run, scope: Scope): Transition | null {
  if (scope.owner !== null) return { kind: 'close_scope', scope };
  return stopOf(run) === null ? null : { kind: 'end' };
}

/** A container ends when its bodies have; a saga when it has undone what it owes, and its turn comes only then. */
function closingOf(run: Run, container: Container): Transition | null {
  for (const id of container.bodies) {
    const status = run.scopes.get(id)?.status.kind;
    if (status === 'open' || status === 'settling') return null;
  }
  if (container.work.kind !== 'saga') return { kind: 'close_container', container };
  const turn = compensationTurn(run, container);
  switch (turn.kind) {
    case 'wait':
      return null;
    case 'compensate':
      if (!container.work.aborting) return { kind: 'start_abort', container };
      return { kind: 'compensate', forward: turn.forward };
    case 'done':
      return { kind: 'close_container', container };
  }
}

/** How many bodies of a foreach are under way at once. */
export function windowOf(run: Run, container: Container): number {
  const node = nodeOf(run, container);
  return node.kind === 'foreach' ? node.maxConcurrency : 1;
}
