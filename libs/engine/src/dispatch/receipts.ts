/** Receipts of a commit, by the inboxes they go to. */
import type { Receipt } from '@graphrun/protocol';
import type { ClosedPartitionBatch } from '../processor/batch.js';

/** One message an inbox, whatever number of partitions the commit had. */
export function receiptsByInbox(parts: readonly ClosedPartitionBatch[]): ReadonlyMap<string, readonly Receipt[]> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only.after.receipts;
  const all = new Map<string, Receipt[]>();
  for (const { after } of parts) {
    for (const [address, receipts] of after.receipts) {
      const list = all.get(address);
      if (list === undefined) all.set(address, [...receipts]);
      else list.push(...receipts);
    }
  }
  return all;
}
