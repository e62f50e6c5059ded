/** Builds the offer of a leaf. */
import type { Leaf, Run } from '@graphrun/domain';
import { activityNodeOf, effectKey } from '@graphrun/domain';
import type { Offer } from '@graphrun/protocol';
import type { Partition } from '../partition.js';

export interface OfferTerms {
  readonly attempt: number;
  readonly generation: number;
  readonly strict: boolean;
  /** Deadline of a grant that is committed with the offer, or null. */
  readonly grantedUntil: number | null;
}

export function offerOf(partition: Partition, run: Run, leaf: Leaf, terms: OfferTerms): Offer {
  const node = activityNodeOf(run, leaf);
  return {
    id: partition.nextOfferId(),
    partition: partition.id,
    epoch: partition.epoch,
    run: run.id,
    activation: leaf.id,
    role: 'forward',
    activity: node.activity.name,
    version: node.activity.version,
    input: leaf.input.value,
    effectKey: effectKey(run.id, leaf.id, 'forward'),
    timeoutMs: node.timeoutMs,
    contractDigest: run.program.contractDigest(node.activity),
    ...terms,
  };
}
