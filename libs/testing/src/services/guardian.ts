import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/*
 * A test process can die in ways that run none of its clean-up: an out-of-memory kill, `kill -9`, a crash in native
 * code. The servers it started would live on for ever. So each of them has a guardian: a shell that blocks on a pipe
 * from us. The kernel closes the pipe when we are gone, however we went, and the guardian then ends its one process by
 * id and removes its directory. It leads a session of its own, so that Ctrl-C in the terminal does not reach it first.
 */
export const GUARDIAN_SCRIPT = `
read -r word && [ "$word" = released ] && exit 0
kill -INT "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2>/dev/null
[ -z "$2" ] || rm -rf -- "$2"
`;

/** Watches one process on behalf of this one. */
export interface Guardian {
  /** The process has ended, or is meant to outlive us: nothing is left to guard. */
  release(): void;
  /** Settles when the guardian itself has ended. */
  readonly ended: Promise<void>;
}

/**
 * Ends process `pid` (SIGINT, then SIGKILL after two seconds) and removes `dir` as soon as this process is gone,
 * unless released before.
 */
export function guard(pid: number, dir?: string): Guardian {
  const shell = spawn('/bin/sh', ['-c', GUARDIAN_SCRIPT, 'guardian', String(pid), dir ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without a listener a failed spawn or a guardian killed by somebody would crash the test for want of a safety net.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()));
  shell.unref();
  // The pipe is a socket, though its type says only "writable": it must not keep the test process alive either.
  (shell.stdin as Socket).unref();
  return {
    release: () => {
      shell.stdin.end('released\n');
    },
    ended,
  };
}
