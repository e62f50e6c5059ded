/** `graphrun inspect`: the state of a run. */
import type { Command } from 'commander';
import type { RunView } from '@graphrun/domain';
import { action, apiClient, argument, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { detailLines } from '../run-details.js';
import { runDocument, runLines } from '../run-text.js';

export function inspectCommand(invocation: Invocation): Command {
  return onlineCommand('inspect', 'show the state of a run')
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .action(
      action<OnlineOptions & { readonly run?: string }>(invocation, async (options, terminal, args) => {
        const run = argument(args, options.run, 'The id of the run');
        const view = await apiClient(invocation, options).call<RunView>({
          method: 'GET',
          path: `/v1/runs/${encodeURIComponent(run)}`,
        });
        terminal.answer(runDocument(view), () => [...runLines(view, terminal), ...detailLines(view, terminal)]);
        return EXIT.ok;
      }),
    );
}
