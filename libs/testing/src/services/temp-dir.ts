import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/*
 * Temporary directories are removed by a shell that reads their names from a pipe: the pipe ends when this process is
 * gone, in whatever way. (Jest gives tests a copy of `process` whose "exit" event never comes, and `kill -9` of a test
 * process has none at all.)
 */
const JANITOR_SCRIPT = `
while IFS= read -r dir; do set -- "$@" "$dir"; done
[ "$#" -eq 0 ] || rm -rf -- "$@"
`;

let janitor: ChildProcessByStdio<Writable, null, null> | undefined;

/** A new empty directory below the system's temporary directory; it is removed when this process is gone. */
export async function tempDir(label = 'test'): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `graphrun-${label}-`));
  janitor ??= startJanitor();
  janitor.stdin.write(`${dir}\n`);
  return dir;
}

/** Removes a directory of `tempDir` early; a directory that is gone already is no error. */
export async function removeDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function startJanitor(): ChildProcessByStdio<Writable, null, null> {
  const shell = spawn('/bin/sh', ['-c', JANITOR_SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without listeners, a janitor killed by somebody would crash the test for want of tidiness.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  // The pipe is a socket, though its type says only "writable": it must not keep the process alive either.
  (shell.stdin as Socket).unref();
  return shell;
}
