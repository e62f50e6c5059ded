/**
 * What a run does next without anybody else. A pure question to the state, so that live state, replay and checkpoint
 * agree on whether more is due: nothing about it is remembered outside of events.
 */
import type { ActivationId } from './ids.js';
import type { Leaf, Run, Scope } from './state.js';
import { contractOf, isTerminal, stopOf } from './status.js';

export type Transition =
  /** A scope reaches its next node. */
  | { readonly kind: 'enter'; readonly scope: Scope; readonly node: string }
  /** The run stops and this leaf needs no waiting for. */
  | { readonly kind: 'withdraw'; readonly leaf: Leaf }
  /** The run stops, and what an external effect of this leaf has become is unknown. */
  | { readonly kind: 'intervene'; readonly leaf: Leaf }
  /** Everything is settled: the stopping run ends. */
  | { readonly kind: 'end' };

export function nextTransition(run: Run): Transition | null {
  if (isTerminal(run.status)) return null;
  if (stopOf(run) !== null) return nextStopTransition(run);
  if (run.status.kind === 'blocked') return null;
  for (const scope of run.scopes.values()) {
    if (scope.next !== null && scope.status.kind === 'open') return { kind: 'enter', scope, node: scope.next };
  }
  return null;
}

function nextStopTransition(run: Run): Transition | null {
  for (const id of run.open) {
    const transition = settlement(run, id);
    if (transition !== null) return transition;
  }
  return run.open.size === 0 ? { kind: 'end' } : null;
}

/**
 * Spec 02 "Failure and settlement": what was never granted and what is pure ends at once. An external attempt under way
 * is waited for. An external leaf that waits for a retry after a lost attempt may have had its effect: it is never
 * retried to find out, and never called cancelled.
 */
function settlement(run: Run, id: ActivationId): Transition | null {
  const leaf = run.leaves.get(id);
  if (leaf === undefined) throw new Error(`open leaf ${id} of run ${run.id} does not exist`);
  switch (leaf.status.kind) {
    case 'ready':
    case 'retry_wait':
      return contractOf(run, leaf).effects === 'external' && leaf.losses > 0
        ? { kind: 'intervene', leaf }
        : { kind: 'withdraw', leaf };
    case 'claimed':
      return contractOf(run, leaf).effects === 'pure' ? { kind: 'withdraw', leaf } : null;
    case 'ended':
    case 'blocked':
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return null;
  }
}
