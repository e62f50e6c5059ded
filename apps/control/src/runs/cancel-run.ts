/** Cancelling runs: an intent that the owner records; the run ends when its work has settled. */
import type { CommandId, RunId } from '@graphrun/domain';
import { partitionOfRun } from '@graphrun/protocol';
import type { CommandGateway } from '../gateway/command-gateway.js';
import { accepted } from './start-run.js';

export async function cancelRun(
  gateway: CommandGateway,
  partitions: number,
  request: { readonly principal: string; readonly commandId: CommandId; readonly run: RunId; readonly reason: string },
): Promise<{ readonly run: string; readonly workflow_id: string; readonly accepted: true }> {
  const { principal, commandId, run, reason } = request;
  const result = await gateway.submit(principal, partitionOfRun(run, partitions), {
    kind: 'cancel',
    id: commandId,
    run,
    reason,
  });
  const receipt = accepted(result, commandId);
  return { run: receipt.run, workflow_id: receipt.workflowId, accepted: true };
}
