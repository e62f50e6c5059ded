/** Who owns what, and commands that go to a partition of choice. */
import type { CommandId } from '@graphrun/domain';
import { partitionOf, workflowIdFor } from '@graphrun/protocol';
import type { PartitionAnswer } from './api-shapes.js';
import type { Api } from './api.js';

export async function partitionsOf(api: Api, owner: string): Promise<readonly PartitionAnswer[]> {
  const { partitions } = await api.get<{ readonly partitions: readonly PartitionAnswer[] }>('/v1/partitions');
  return partitions.filter((partition) => partition.owner === owner);
}

/** A start key whose runs of `workflow` live in the partition. */
export function startKeyIn(partition: number, partitions: number, workflow: string, prefix: string): string {
  for (let number = 0; ; number += 1) {
    const startKey = `${prefix}-${partition}-${number}`;
    const identity = { namespace: 'default', workflow, startKey, principal: '', commandId: '' as CommandId };
    if (partitionOf(workflowIdFor(identity), partitions) === partition) return startKey;
  }
}
