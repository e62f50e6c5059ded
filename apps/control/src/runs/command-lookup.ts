/** The recorded answer to a command id (spec 04: an id that is not known yet reads "not known yet", never "rejected"). */
import type { CommandId } from '@graphrun/domain';
import type { CommandResult } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { QueryStore } from '@graphrun/store';

export async function findCommandResult(
  query: QueryStore,
  partitions: number,
  principal: string,
  commandId: CommandId,
): Promise<CommandResult> {
  // Results lie in the partition of their run, which an id does not tell: ask each. Only the asker's own are found.
  const found = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => query.result({ partition, principal, commandId })),
  );
  const stored = found.find((result) => result !== null);
  if (stored === undefined) {
    throw new GraphrunError(
      'NotFound',
      `The command ${commandId} is not known yet: it has not been applied so far, or its result is older than 24 h. Ask again, or send the same request again with this Idempotency-Key.`,
      { details: { command_id: commandId, outcome: 'unknown' } },
    );
  }
  return (JSON.parse(stored.result) as { readonly result: CommandResult }).result; // written by the owner, see StoredAnswer
}
