/** `graphrun list`: runs, newest first. */
import type { Command } from 'commander';
import { action, apiClient, onlineCommand, positiveInteger } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { statusText } from '../run-text.js';

interface ListOptions extends OnlineOptions {
  readonly workflow?: string;
  readonly version?: number;
  readonly status?: string;
  readonly startKey?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly counts?: boolean;
}

interface RunList {
  readonly runs: readonly {
    readonly run: string;
    readonly workflow: string;
    readonly version: number;
    readonly status: string;
    readonly start_key: string | null;
    readonly created_at: number;
  }[];
  readonly cursor: string | null;
  readonly counts?: Readonly<Record<string, number>>;
}

export function listCommand(invocation: Invocation): Command {
  return onlineCommand('list', 'list runs, newest first')
    .option('--workflow <name>')
    .option('--version <n>', 'version of the workflow', positiveInteger)
    .option(
      '--status <list>',
      'comma-separated: active, stopping, blocked, succeeded, failed, cancelled, continued, terminated',
    )
    .option('--start-key <key>')
    .option('--created-after <time>', 'RFC 3339 time or UTC milliseconds')
    .option('--created-before <time>', 'RFC 3339 time or UTC milliseconds')
    .option('--limit <n>', 'runs of a page', positiveInteger, 50)
    .option('--cursor <cursor>', 'the cursor of the page before')
    .option('--counts', 'count all matching runs by status')
    .action(
      action<ListOptions>(invocation, async (options, terminal) => {
        const list = await apiClient(invocation, options).call<RunList>({
          method: 'GET',
          path: '/v1/runs',
          query: {
            workflow: options.workflow,
            version: options.version,
            status: options.status,
            start_key: options.startKey,
            created_after: options.createdAfter,
            created_before: options.createdBefore,
            limit: options.limit,
            cursor: options.cursor,
            counts: options.counts === true ? 'true' : undefined,
          },
        });
        terminal.answer(list, () => [
          ...list.runs.map(
            ({ run, workflow, version, status, start_key, created_at }) =>
              `${run}  ${new Date(created_at).toISOString()}  ${statusText(status, terminal)}  ${workflow} version ${version}${start_key === null ? '' : `  key ${start_key}`}`,
          ),
          ...(list.counts === undefined
            ? []
            : [
                Object.entries(list.counts)
                  .map(([status, count]) => `${status} ${count}`)
                  .join('  '),
              ]),
          ...(list.cursor === null ? [] : [`more with --cursor ${list.cursor}`]),
        ]);
        return EXIT.ok;
      }),
    );
}
