/** A handler that blocks its thread until a file says that it may go on, as a synchronous library would. */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const LOOK_MS = 5;
/** A deadline against hangs. */
const LONGEST_MS = 60_000;

/** The directory where test and handler leave each other files. */
export interface Files {
  readonly dir: string;
}

export function block({ dir }: Files): Files {
  appendFileSync(join(dir, 'entered'), 'entered\n');
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let waitedMs = 0; !existsSync(join(dir, 'go')) && waitedMs < LONGEST_MS; waitedMs += LOOK_MS) {
    Atomics.wait(cell, 0, 0, LOOK_MS);
  }
  appendFileSync(join(dir, 'effects'), 'done\n');
  return { dir };
}

export function unblock({ dir }: Files): null {
  appendFileSync(join(dir, 'effects'), 'undone\n');
  return null;
}
