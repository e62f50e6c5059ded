/** Builds the offer of a leaf, whatever its role. */
import type { Leaf, Run } from '@graphrun/domain';
import { assignmentOf, effectKey } from '@graphrun/domain';
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
  const { role, handler, effect, timeoutMs } = assignmentOf(run, leaf);
  return {
    id: partition.nextOfferId(),
    partition: partition.id,
    epoch: partition.epoch,
    run: run.id,
    activation: leaf.id,
    role,
    activity: handler.name,
    version: handler.version,
    input: leaf.input.value,
    effectKey: effectKey(run.id, leaf.id),
    timeoutMs,
    contractDigest: run.program.contractDigest(effect),
    ...terms,
  };
}
