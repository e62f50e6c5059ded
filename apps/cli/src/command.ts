/** What every command shares: where it writes, how it reaches the server, and how its exit code is told. */
import { Command, Option } from 'commander';
import { parseDuration } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import { ApiClient } from './client/api-client.js';
import type { Interrupts } from './interrupts.js';
import { Terminal } from './terminal.js';
import type { Streams } from './terminal.js';

/** One invocation of the program. */
export interface Invocation {
  readonly streams: Streams;
  readonly interrupts: Interrupts;
  /** Told by the command that ran. */
  exitCode: number;
  /** Set as soon as the options are known, so that errors are written in the right form. */
  terminal: Terminal;
}

export interface CommonOptions {
  readonly json?: boolean;
}

export interface OnlineOptions extends CommonOptions {
  readonly server?: string;
  readonly token?: string;
  readonly retryFor: number;
}

/** A command with `--json`. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description).option('--json', 'print exactly one JSON document on stdout');
}

/** A command that talks to a server. */
export function onlineCommand(name: string, description: string): Command {
  return command(name, description)
    .option('--server <url>', 'the server (or GRAPHRUN_SERVER; default http://127.0.0.1:7070)')
    .option('--token <token>', 'the API key (or GRAPHRUN_TOKEN)')
    .addOption(
      new Option('--retry-for <duration>', 'how long faults of the transport are retried')
        .argParser(duration)
        .default(10_000, '10s'),
    );
}

/** Runs the action with its terminal; its result is the exit code. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the options are what the command has declared
export function action<Options extends CommonOptions>(
  invocation: Invocation,
  run: (options: Options, terminal: Terminal, args: readonly string[]) => Promise<number>,
): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const self = parameters.at(-1) as Command; // commander passes the command itself last
    const options = self.opts<Options>();
    invocation.terminal = new Terminal(invocation.streams, options.json === true);
    invocation.exitCode = await run(options, invocation.terminal, self.args);
  };
}

export function apiClient(invocation: Invocation, options: OnlineOptions): ApiClient {
  const { env } = invocation.streams;
  let told = false;
  return new ApiClient({
    server: options.server ?? env['GRAPHRUN_SERVER'] ?? 'http://127.0.0.1:7070',
    token: options.token ?? env['GRAPHRUN_TOKEN'] ?? null,
    retryForMs: options.retryFor,
    onRetry(reason) {
      if (!told) invocation.terminal.note(`${reason} Trying again …`);
      told = true;
    },
  });
}

/** Parsers of option values; what they throw ends with exit code 2. */
export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === null)
    throw new GraphrunError('InvalidArgument', `${text} is not a duration; write something like 500ms, 30s or 5m.`);
  return ms;
}

export function positiveInteger(text: string): number {
  const value = /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new GraphrunError('InvalidArgument', `${text} is not a positive integer.`);
  return value;
}

export function portNumber(text: string): number {
  const value = /^(0|[1-9][0-9]{0,4})$/.test(text) ? Number(text) : NaN;
  if (!(value <= 65_535)) throw new GraphrunError('InvalidArgument', `${text} is not a port; use 0 to 65535.`);
  return value;
}

/** An argument that may be given by position or by option, but must be given. */
export function argument(args: readonly string[], option: string | undefined, what: string): string {
  const [positional] = args;
  if (positional !== undefined && option !== undefined && positional !== option) {
    throw new GraphrunError('InvalidArgument', `${what} is given twice: ${positional} and ${option}.`);
  }
  const value = positional ?? option;
  if (value === undefined) throw new GraphrunError('InvalidArgument', `${what} is missing; see --help.`);
  return value;
}
