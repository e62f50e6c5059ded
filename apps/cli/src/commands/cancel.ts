/** `graphrun cancel`: asks a run to end; it ends when its work has settled. */
import type { Command } from 'commander';
import { GraphrunError } from '@graphrun/protocol';
import { action, apiClient, argument, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';

interface CancelOptions extends OnlineOptions {
  readonly run?: string;
  readonly reason?: string;
  readonly commandId?: string;
}

export function cancelCommand(invocation: Invocation): Command {
  return onlineCommand('cancel', 'cancel a run')
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .option('--reason <text>', 'why; stands in the history')
    .option('--command-id <id>', 'Idempotency-Key: repeat a cancel whose outcome is unknown')
    .action(
      action<CancelOptions>(invocation, async (options, terminal, args) => {
        const run = argument(args, options.run, 'The id of the run');
        if (options.reason === undefined)
          throw new GraphrunError('InvalidArgument', 'A cancel needs --reason: it stands in the history.');
        const api = apiClient(invocation, options);
        const accepted = await api.call<{ readonly run: string }>({
          method: 'POST',
          path: `/v1/runs/${encodeURIComponent(run)}/cancel`,
          body: { reason: options.reason },
          commandId: options.commandId ?? api.newCommandId(),
        });
        terminal.answer(accepted, () => [
          `run ${accepted.run} is asked to end; graphrun explain ${accepted.run} says what it still waits for`,
        ]);
        return EXIT.ok;
      }),
    );
}
