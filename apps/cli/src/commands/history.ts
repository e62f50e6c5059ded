/** `graphrun history`: the events of a run. */
import type { Command } from 'commander';
import type { EventView } from '@graphrun/domain';
import type { ApiClient } from '../client/api-client.js';
import { action, apiClient, argument, onlineCommand, positiveInteger } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { eventLine } from '../run-text.js';

interface HistoryOptions extends OnlineOptions {
  readonly run?: string;
  readonly fromSeq: number;
  readonly limit?: number;
}

export interface HistoryPage {
  readonly run: string;
  readonly retained_from: number;
  readonly events: readonly EventView[];
  readonly next_seq: number | null;
}

const LARGEST_PAGE = 1000;

export function historyCommand(invocation: Invocation): Command {
  return onlineCommand('history', 'show the events of a run')
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .option('--from-seq <n>', 'first sequence to show', positiveInteger, 1)
    .option('--limit <n>', 'most events to show (default: all)', positiveInteger)
    .action(
      action<HistoryOptions>(invocation, async (options, terminal, args) => {
        const run = argument(args, options.run, 'The id of the run');
        const history = await readHistory(
          apiClient(invocation, options),
          run,
          options.fromSeq,
          options.limit ?? Infinity,
        );
        terminal.answer(history, () => history.events.map((event) => eventLine(event, terminal)));
        return EXIT.ok;
      }),
    );
}

/** All pages from `fromSeq` on, at most `limit` events. */
export async function readHistory(api: ApiClient, run: string, fromSeq: number, limit: number) {
  const events: EventView[] = [];
  let seq: number | null = fromSeq;
  let retainedFrom = 1;
  let id = run;
  while (seq !== null && events.length < limit) {
    const page: HistoryPage = await api.call<HistoryPage>({
      method: 'GET',
      path: `/v1/runs/${encodeURIComponent(run)}/history`,
      query: { from_seq: seq, limit: Math.min(limit - events.length, LARGEST_PAGE) },
    });
    id = page.run;
    retainedFrom = page.retained_from;
    events.push(...page.events);
    seq = page.next_seq;
  }
  return { run: id, retained_from: retainedFrom, events };
}
