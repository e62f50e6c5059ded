/** `graphrun start`: starts a run and, with `--wait`, waits for its outcome. */
import type { Command } from 'commander';
import type { ApiClient } from '../client/api-client.js';
import { action, apiClient, argument, duration, onlineCommand, positiveInteger } from '../command.js';
import type { Invocation, OnlineOptions } from '../command.js';
import { EXIT, exitCodeOfRun } from '../exit-codes.js';
import { readJson } from '../files.js';
import { runDocument, runLines } from '../run-text.js';
import type { RunDocument } from '../run-text.js';

interface StartOptions extends OnlineOptions {
  readonly workflow?: string;
  readonly version?: number;
  readonly input?: string;
  readonly startKey?: string;
  readonly wait?: number;
  readonly commandId?: string;
}

/** A request waits at most this long, so that a lost connection is noticed and repeated. */
const WAIT_SLICE_MS = 60_000;

export function startCommand(invocation: Invocation): Command {
  return onlineCommand('start', 'start a run of a published definition')
    .argument('[workflow]', 'name of the workflow')
    .option('--workflow <name>', 'name of the workflow')
    .option('--version <n>', 'version (default: the latest)', positiveInteger)
    .option('--input <file>', 'JSON file with the input (default: null)')
    .option('--start-key <key>', 'the same key and input meet the same run')
    .option('--wait <duration>', 'wait so long for the outcome; exit code 8 when the run goes on', duration)
    .option('--command-id <id>', 'Idempotency-Key: repeat a start whose outcome is unknown')
    .action(
      action<StartOptions>(invocation, async (options, terminal, args) => {
        const api = apiClient(invocation, options);
        const body = {
          workflow: argument(args, options.workflow, 'The name of the workflow'),
          input: options.input === undefined ? null : await readJson(options.input),
          ...(options.version !== undefined && { version: options.version }),
          ...(options.startKey !== undefined && { start_key: options.startKey }),
        };
        const commandId = options.commandId ?? api.newCommandId();
        const view = await startRun(api, body, commandId, options.wait ?? 0);
        terminal.answer(runDocument(view), () => runLines(view, terminal));
        return options.wait === undefined ? EXIT.ok : exitCodeOfRun(view.status);
      }),
    );
}

/** Starts and waits in slices: each repeat is the same command, so it only asks again. */
export async function startRun(api: ApiClient, body: unknown, commandId: string, waitMs: number): Promise<RunDocument> {
  const endAt = performance.now() + waitMs;
  for (;;) {
    const restMs = Math.ceil(endAt - performance.now());
    const sliceMs = Math.min(restMs, WAIT_SLICE_MS);
    const view = await api.call<RunDocument>({
      method: 'POST',
      path: '/v1/runs',
      body,
      commandId,
      ...(sliceMs > 0 && { query: { wait: `${sliceMs}ms` }, timeoutMs: sliceMs + 15_000 }),
    });
    if (restMs <= WAIT_SLICE_MS || exitCodeOfRun(view.status) !== EXIT.waitTimedOut) return view;
  }
}
