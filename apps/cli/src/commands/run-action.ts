/** What the commands on a run have in common: which run, under which command id, with which reason, on which state. */
import type { Command } from 'commander';
import type { RunView } from '@graphrun/domain';
import { GraphrunError } from '@graphrun/protocol';
import type { ApiClient } from '../client/api-client.js';
import { apiClient, argument, onlineCommand, positiveInteger } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';

export interface RunActionOptions extends OnlineOptions {
  readonly run?: string;
  readonly commandId?: string;
}

export interface OperatorOptions extends RunActionOptions {
  readonly reason?: string;
  readonly expectedSeq?: number;
  readonly yes?: boolean;
}

/** The receipt of a command on a run. */
export interface Accepted {
  readonly run: string;
  readonly workflow_id: string;
  readonly accepted: true;
  readonly event_id?: string;
}

export function runActionCommand(name: string, description: string): Command {
  return onlineCommand(name, description)
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .option('--command-id <id>', `Idempotency-Key: repeat a ${name} whose outcome is unknown`);
}

/** What an operator does: with a reason, on a state of the run that somebody has seen. */
export function operatorCommand(name: string, description: string): Command {
  return runActionCommand(name, description)
    .option('--reason <text>', 'why; stands in the history')
    .option('--expected-seq <n>', 'refuse when the run has gone on since this event', positiveInteger);
}

/** What cannot be taken back. */
export function dangerousCommand(name: string, description: string): Command {
  return operatorCommand(name, description).option('--yes', 'I mean it');
}

export function reasonOf(what: string, { reason }: OperatorOptions): string {
  if (reason !== undefined) return reason;
  throw new GraphrunError('InvalidArgument', `${what} needs --reason: it stands in the history.`);
}

/** Reads the reason of something dangerous. Throws `InvalidArgument` unless both --reason and --yes are given. */
export function confirmedReasonOf(what: string, options: OperatorOptions): string {
  const reason = reasonOf(what, options);
  if (options.yes === true) return reason;
  throw new GraphrunError('InvalidArgument', `${what} cannot be taken back; say that you mean it with --yes.`);
}

/** The state that the command is decided on: the one that is given, or the one that the run has now. */
export async function decidedOn(api: ApiClient, run: string, options: OperatorOptions): Promise<number> {
  if (options.expectedSeq !== undefined) return options.expectedSeq;
  if (options.commandId !== undefined) {
    throw new GraphrunError(
      'InvalidArgument',
      '--command-id repeats a command as it was sent; give the --expected-seq that it was sent with.',
    );
  }
  const { seq } = await api.call<RunView>({ method: 'GET', path: `/v1/runs/${encodeURIComponent(run)}` });
  return seq;
}

type FindBody = (api: ApiClient, run: string) => Promise<object>;

export interface RunAction {
  readonly path: string;
  /** What is sent, or how it is found out. */
  readonly body: object | FindBody;
  /** Lines for people. */
  readonly said: (accepted: Accepted) => readonly string[];
}

/** Sends the command and answers with its receipt. */
export async function sendAction(
  invocation: Invocation,
  options: RunActionOptions,
  args: readonly string[],
  { path, body, said }: RunAction,
): Promise<number> {
  const run = argument(args, options.run, 'The id of the run');
  const api = apiClient(invocation, options);
  const content = typeof body === 'function' ? await (body as FindBody)(api, run) : body;
  const accepted = await api.call<Accepted>({
    method: 'POST',
    path: `/v1/runs/${encodeURIComponent(run)}/${path}`,
    body: content,
    commandId: options.commandId ?? api.newCommandId(),
  });
  invocation.terminal.answer(accepted, () => said(accepted));
  return EXIT.ok;
}
