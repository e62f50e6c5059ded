/** Commands on a run that is there: signals, cancel, and what operators do. The answer is a receipt of the commit. */
import type { CommandId, RunId } from '@graphrun/domain';
import { partitionOfRun } from '@graphrun/protocol';
import type { RunRequest } from '@graphrun/protocol';
import type { CommandGateway } from '../gateway/command-gateway.js';
import { accepted } from './start-run.js';

type Action<Request> = Request extends unknown ? Omit<Request, 'id' | 'notAfter' | 'replyTo' | 'run'> : never;
/** What is asked of a run, whoever asks and whatever the command is called. */
export type RunAction = Action<RunRequest>;

export interface CommandOnRun {
  readonly principal: string;
  readonly commandId: CommandId;
  readonly run: RunId;
  readonly action: RunAction;
}

/** The receipt as the API shows it. */
export interface AcceptedView {
  readonly run: string;
  readonly workflow_id: string;
  readonly accepted: true;
  /** Of a signal: the identity under which it was accepted. */
  readonly event_id?: string;
}

export class RunCommander {
  constructor(
    private readonly gateway: CommandGateway,
    private readonly partitions: number,
  ) {}

  /** Throws what the gateway throws, and the owner's rejection as GraphrunError. */
  async send({ principal, commandId, run, action }: CommandOnRun): Promise<AcceptedView> {
    const command = { ...action, id: commandId, run };
    const result = await this.gateway.submit(principal, partitionOfRun(run, this.partitions), command);
    const receipt = accepted(result, commandId);
    return {
      run: receipt.run,
      workflow_id: receipt.workflowId,
      accepted: true,
      ...(action.kind === 'signal' && { event_id: action.event }),
    };
  }
}
