#!/usr/bin/env node
/** The `graphrun` command. */
import { Interrupts } from './interrupts.js';
import { runCli } from './program.js';

/** The exit code of a process that SIGINT has ended, as shells have it. */
const INTERRUPTED = 130;

const interrupts = new Interrupts();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!interrupts.take()) process.exit(INTERRUPTED);
  });
}
// A reader that has gone (`graphrun list | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCli(
  process.argv.slice(2),
  { stdout: process.stdout, stderr: process.stderr, env: process.env },
  interrupts,
);
