/** `graphrun watch`: shows what a run does until it ends; a run that continues as another one is followed. */
import type { Command } from 'commander';
import type { EventView, RunView } from '@graphrun/domain';
import type { ApiClient } from '../client/api-client.js';
import { action, apiClient, argument, onlineCommand } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { exitCodeOfRun } from '../exit-codes.js';
import { aborted } from '../interrupts.js';
import { text } from '../progress/fields.js';
import { Progress } from '../progress/progress.js';
import { runDocument, runLines } from '../run-text.js';
import { readHistory } from './history.js';

/** How long to wait before looking for news: soon after there were some, less often while nothing happens. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

const ENDS: ReadonlySet<EventView['kind']> = new Set([
  'run_succeeded',
  'run_failed',
  'run_cancelled',
  'run_continued',
  'run_terminated',
]);

export function watchCommand(invocation: Invocation): Command {
  return onlineCommand('watch', 'show what a run does until it ends')
    .argument('[run]', 'id of the run')
    .option('--run <id>', 'id of the run')
    .action(
      action<OnlineOptions & { readonly run?: string }>(invocation, async (options, terminal, args) => {
        let run = argument(args, options.run, 'The id of the run');
        const api = apiClient(invocation, options);
        const interrupted = invocation.interrupts.claim();
        const progress = new Progress(terminal);
        // The lines are what was asked for; beside a document they are only for somebody who looks.
        const show = terminal.json && !terminal.interactive ? () => undefined : progress.show.bind(progress);
        for (;;) {
          const end = await follow(api, run, show, interrupted);
          if (end?.kind !== 'run_continued') break;
          run = text(end, 'successor');
        }
        const view = await api.call<RunView>({ method: 'GET', path: `/v1/runs/${encodeURIComponent(run)}` });
        terminal.answer(runDocument(view), () => runLines(view, terminal));
        return exitCodeOfRun(view.status);
      }),
    );
}

/** Shows the events of a run as they come. Returns its last one, null when a person has seen enough. */
async function follow(
  api: ApiClient,
  run: string,
  show: (event: EventView) => void,
  interrupted: AbortSignal,
): Promise<EventView | null> {
  let nextSeq = 1;
  let pauseMs = SHORTEST_PAUSE_MS;
  const stopped = aborted(interrupted);
  while (!interrupted.aborted) {
    const { events } = await readHistory(api, run, nextSeq, Infinity);
    for (const event of events) show(event);
    const last = events.at(-1);
    if (last !== undefined && ENDS.has(last.kind)) return last;
    nextSeq = (last?.seq ?? nextSeq - 1) + 1;
    pauseMs = last === undefined ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : SHORTEST_PAUSE_MS;
    await pause(pauseMs, stopped);
  }
  return null;
}

async function pause(ms: number, stopped: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), stopped]);
  clearTimeout(timer);
}
