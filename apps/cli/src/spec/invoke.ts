/** Runs one command line in this process and collects what it writes. */
import { Writable } from 'node:stream';
import { Interrupts, runCli } from '../index.js';

export interface Invoked {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Invoking {
  readonly env?: Readonly<Record<string, string>>;
  readonly tty?: boolean;
  readonly interrupts?: Interrupts;
  /** Told of all text on stdout and stderr as it comes. */
  readonly onOutput?: (text: string) => void;
}

export async function invoke(argv: readonly string[], how: Invoking = {}): Promise<Invoked> {
  const stdout = collector(how);
  const stderr = collector(how);
  const streams = { stdout: stdout.stream, stderr: stderr.stream, env: how.env ?? {} };
  const code = await runCli(argv, streams, how.interrupts ?? new Interrupts());
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(how: Invoking) {
  const chunks: string[] = [];
  const stream: Writable & { isTTY?: boolean } = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      how.onOutput?.(chunk.toString());
      done();
    },
  });
  stream.isTTY = how.tty === true;
  return { stream, text: () => chunks.join('') };
}
