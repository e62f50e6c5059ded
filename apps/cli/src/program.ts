/** The command line as a whole: commands, errors, exit codes. */
import { Command, CommanderError } from 'commander';
import { GraphrunError } from '@graphrun/protocol';
import type { Invocation } from './command.js';
import { cancelCommand } from './commands/cancel.js';
import { codegenCommand } from './commands/codegen.js';
import { devCommand } from './commands/dev.js';
import { abandonCommand, terminateCommand } from './commands/end-run.js';
import { explainCommand } from './commands/explain.js';
import { graphCommand } from './commands/graph.js';
import { historyCommand } from './commands/history.js';
import { inspectCommand } from './commands/inspect.js';
import { listCommand } from './commands/list.js';
import { pauseCommand, resumeCommand } from './commands/pause.js';
import { publishCommand } from './commands/publish.js';
import { reopenCommand } from './commands/reopen.js';
import { replayCommand } from './commands/replay.js';
import { resolveCommand } from './commands/resolve.js';
import { runCommand } from './commands/run.js';
import { schemaCommand } from './commands/schema.js';
import { signalCommand } from './commands/signal.js';
import { startCommand } from './commands/start.js';
import { validateCommand } from './commands/validate.js';
import { watchCommand } from './commands/watch.js';
import { workerCommand } from './commands/worker.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import type { Interrupts } from './interrupts.js';
import { Terminal } from './terminal.js';
import type { Streams } from './terminal.js';

export const VERSION = '0.1.0';

const COMMANDS = [
  devCommand,
  runCommand,
  validateCommand,
  publishCommand,
  startCommand,
  inspectCommand,
  explainCommand,
  listCommand,
  historyCommand,
  replayCommand,
  graphCommand,
  codegenCommand,
  schemaCommand,
  watchCommand,
  signalCommand,
  cancelCommand,
  pauseCommand,
  resumeCommand,
  resolveCommand,
  abandonCommand,
  terminateCommand,
  reopenCommand,
  workerCommand,
];

/** Runs one command line (without node and script) and returns its exit code. Never throws, never prints a stack. */
export async function runCli(argv: readonly string[], streams: Streams, interrupts: Interrupts): Promise<number> {
  const invocation: Invocation = {
    streams,
    interrupts,
    exitCode: EXIT.ok,
    // Until a command has read its options: errors of usage are written in the form that was asked for.
    terminal: new Terminal(streams, argv.includes('--json')),
  };
  const program = new Command('graphrun')
    .description('Durable workflows on NATS JetStream and PostgreSQL, or in one process.')
    .version(VERSION)
    .enablePositionalOptions(); // so that `start --version 2` is the workflow's version
  for (const make of COMMANDS) program.addCommand(make(invocation));
  prepare(program, streams);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    return report(error, invocation);
  }
}

/** Commander must neither exit nor write by itself, in no subcommand. */
function prepare(command: Command, streams: Streams): void {
  command.exitOverride().showHelpAfterError(false);
  command.configureOutput({
    writeOut: (text) => streams.stdout.write(text),
    writeErr: () => undefined, // errors are written once, by `report`
  });
  for (const child of command.commands) prepare(child, streams);
}

function report(error: unknown, invocation: Invocation): number {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok; // --help, --version
  const known = usageError(error);
  const message =
    known instanceof GraphrunError
      ? known.message
      : `Internal error: ${known instanceof Error ? known.message : String(known)}`;
  const code = known instanceof GraphrunError ? known.code : 'Internal';
  const details = known instanceof GraphrunError ? known.details : {};
  if (invocation.terminal.json) invocation.terminal.answer({ error: { code, message, ...details } }, () => []);
  invocation.terminal.note(`${invocation.terminal.style('red', 'error:')} ${message}`);
  for (const issue of issuesOf(details)) invocation.terminal.note(`  ${issue}`);
  return exitCodeOf(known);
}

function usageError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.code === 'commander.help')
    return new GraphrunError('InvalidArgument', 'No command was given; see graphrun --help.');
  // A suggestion comes on a line of its own.
  const sentence = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new GraphrunError('InvalidArgument', `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}; see --help.`);
}

/** The list of issues that a problem document may bring along, beyond the one its sentence names. */
function issuesOf(details: Readonly<Record<string, unknown>>): readonly string[] {
  const { errors } = details;
  if (!Array.isArray(errors) || errors.length < 2) return [];
  return (errors as readonly Readonly<Record<string, unknown>>[]).map(({ pointer, message }) =>
    [pointer, message].filter((part) => typeof part === 'string').join(' '),
  );
}
