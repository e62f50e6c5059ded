/** `graphrun explain`: why a run does not go on, and what a person can do about it. */
import type { Command } from 'commander';
import type { RunView } from '@graphrun/domain';
import { action, apiClient, argument, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { explainLines } from '../run-text.js';

export function explainCommand(invocation: Invocation): Command {
  return onlineCommand('explain', 'say why a run does not go on')
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .action(
      action<OnlineOptions & { readonly run?: string }>(invocation, async (options, terminal, args) => {
        const id = argument(args, options.run, 'The id of the run');
        const { run, status, explain } = await apiClient(invocation, options).call<RunView>({
          method: 'GET',
          path: `/v1/runs/${encodeURIComponent(id)}`,
        });
        terminal.answer({ run, status, explain }, () => explainLines({ explain }));
        return EXIT.ok;
      }),
    );
}
