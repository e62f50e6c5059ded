/** Starting runs: the command, its receipt, and the optional wait for the outcome. */
import type { CommandId, RunId, WorkflowId } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { CommandResult, TerminalOutcome } from '@graphrun/protocol';
import { GraphrunError, partitionOf, workflowIdFor } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';
import { NAMESPACE } from '../config.js';
import type { CommandGateway } from '../gateway/command-gateway.js';
import { admittedAt } from '../gateway/outcomes.js';
import type { Outcomes, WhenGone } from '../gateway/outcomes.js';

export interface StartInput {
  readonly principal: string;
  readonly commandId: CommandId;
  readonly workflow: string;
  /** null: the latest. */
  readonly version: number | null;
  readonly startKey: string | null;
  readonly input: Json;
  /** How long to wait for the outcome, ms; 0: not at all. */
  readonly waitMs: number;
  /** Ends the wait when the client has gone. */
  readonly whenGone?: WhenGone;
}

export interface Started {
  /** The run that was started, or, after a wait, the last one that it continued as. */
  readonly run: RunId;
  readonly workflowId: WorkflowId;
  readonly workflow: string;
  readonly version: number;
  /** How it ended, when that is known; null says only that nobody told so far. */
  readonly outcome: TerminalOutcome | null;
  /** The run was admitted by this request, as far as times can tell; an older one may be in any state. */
  readonly fresh: boolean;
}

/** A run this much older than its request was admitted by an earlier one: more than clocks may differ. */
const CLOCKS_DIFFER_MS = 2500;

export class RunStarter {
  constructor(
    private readonly gateway: CommandGateway,
    private readonly outcomes: Outcomes,
    private readonly clock: WallClock,
    private readonly partitions: number,
  ) {}

  /** Throws what the gateway throws, and the owner's rejection as GraphrunError. */
  async start(input: StartInput): Promise<Started> {
    const { principal, commandId, workflow, version, startKey } = input;
    const workflowId = workflowIdFor({ namespace: NAMESPACE, workflow, startKey, principal, commandId });
    const sentAt = this.clock.now();
    const result = await this.gateway.submit(principal, partitionOf(workflowId, this.partitions), {
      kind: 'start',
      id: commandId,
      workflowId,
      namespace: NAMESPACE,
      workflow,
      version,
      startKey,
      input: input.input,
    });
    const receipt = accepted(result, commandId);
    const last = await this.outcomes.follow(receipt.run, {
      timeoutMs: input.waitMs,
      ...(input.whenGone && { whenGone: input.whenGone }),
    });
    return {
      run: last.run,
      workflowId: receipt.workflowId,
      workflow,
      version: receipt.version,
      outcome: last.outcome,
      fresh: admittedAt(receipt.run) >= sentAt - CLOCKS_DIFFER_MS && !this.outcomes.hasEnded(receipt.run),
    };
  }
}

/** The receipt of an accepted command; a rejection is thrown as the error that the owner named. */
export function accepted(result: CommandResult, commandId: CommandId): Extract<CommandResult, { ok: true }> {
  if (result.ok) return result;
  throw new GraphrunError(result.code, result.message, { details: { ...result.details, command_id: commandId } });
}
