/** `graphrun replay`: the state of a run after one of its events, and whether the store agrees with its events. */
import type { Command } from 'commander';
import type { RunView } from '@graphrun/domain';
import { action, apiClient, argument, onlineCommand, positiveInteger } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { detailLines } from '../run-details.js';
import { runDocument, runLines } from '../run-text.js';

interface ReplayOptions extends OnlineOptions {
  readonly run?: string;
  readonly seq?: number;
}

interface Reconstruction {
  readonly run: string;
  readonly seq: number;
  readonly last_seq: number;
  readonly agrees: boolean;
  readonly state: RunView;
}

export function replayCommand(invocation: Invocation): Command {
  return onlineCommand('replay', 'show the state that the events of a run give, up to any of them')
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .option('--seq <n>', 'the last event that counts (default: the last there is)', positiveInteger)
    .action(
      action<ReplayOptions>(invocation, async (options, terminal, args) => {
        const run = argument(args, options.run, 'The id of the run');
        const replayed = await apiClient(invocation, options).call<Reconstruction>({
          method: 'GET',
          path: `/v1/runs/${encodeURIComponent(run)}/reconstruct`,
          query: options.seq === undefined ? {} : { seq: options.seq },
        });
        const { state, ...rest } = replayed;
        terminal.answer({ ...rest, state: runDocument(state) }, () => [
          `After event ${replayed.seq} of ${replayed.last_seq}:`,
          ...runLines(state, terminal),
          ...detailLines(state, terminal),
          replayed.agrees
            ? 'The stored state agrees with the events.'
            : 'The stored state does NOT agree with the events: keep a backup of the store, and report it.',
        ]);
        return replayed.agrees ? EXIT.ok : EXIT.internal;
      }),
    );
}
