import type { ApplyOutcome, PartitionWrites } from '../contract.js';
import { failureOutcome, isCertainRollback } from './apply-outcome.js';
import { applyParameters } from './apply-parameters.js';
import type { ApplySession } from './apply-session.js';

/** Commits what a batch writes for all its partitions, or nothing at all (spec 04 "The apply loop"). */
export async function apply(session: ApplySession, writes: readonly PartitionWrites[]): Promise<ApplyOutcome> {
  if (writes.length === 0) return { kind: 'committed' };
  try {
    const parameters = applyParameters(writes);
    try {
      await session.call(parameters);
    } catch (error) {
      if (!isCertainRollback(error)) throw error;
      // A deadlock victim was rolled back for certain: once more is safe, and cheaper than a takeover.
      await session.call(parameters);
    }
    return { kind: 'committed' };
  } catch (error) {
    return failureOutcome(error);
  }
}
