import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's root folder; commands work from anywhere. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * What a child process gets to see: the developer's own settings of Node, databases and Graphrun must not decide
 * whether a build or a test works.
 */
export function cleanEnvironment(environment = process.env) {
  const unwanted = /^(npm_|GRAPHRUN_|NATS_|PG[A-Z]+$|NODE_OPTIONS$|NODE_ENV$|DATABASE_URL$)/;
  const kept = Object.entries(environment).filter(([key]) => !unwanted.test(key));
  return { ...Object.fromEntries(kept), NX_DAEMON: 'false' };
}

/** Runs a program in the root folder with our terminal; its exit code (128 + n where a signal ended it). */
export function run(command, args, { env = cleanEnvironment() } = {}) {
  return finished(spawn(command, args, { cwd: root, stdio: 'inherit', env }));
}

/** As `run`, but keeps the output to itself. */
export async function runQuietly(command, args, { env = cleanEnvironment() } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => (output += text));
  }
  return { code: await finished(child), output };
}

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

function finished(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0)));
  });
}
