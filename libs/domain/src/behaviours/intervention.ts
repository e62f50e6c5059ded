/**
 * The outcome of an external attempt is unknown and nobody may repeat it. Reconciliation, once a contract's reconciler can
 * be asked, comes before this; without it a person must say what happened.
 */
import type { Failure } from '../events.js';
import { engineFailure } from '../failures.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';

export function intervene(recorder: Recorder, leaf: Leaf): void {
  recorder.record({ kind: 'intervention_required', activation: leaf.id, reason: reasonOf(leaf) });
}

function reasonOf(leaf: Leaf): Failure {
  // The last attempt was reported as never started: what is unknown belongs to one before it.
  if (leaf.reported?.generation === leaf.last?.generation) return earlierLoss();
  switch (leaf.status.kind) {
    case 'ended':
      return leaf.status.failure;
    case 'retry_wait':
      return leaf.status.last;
    default:
      return earlierLoss();
  }
}

function earlierLoss(): Failure {
  return engineFailure('activity.lost', 'the outcome of an earlier attempt is unknown and the run is stopping');
}
