/** The file of the ledger: JSON lines, each on disk before anybody learns of it. */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { LedgerLine } from '@graphrun/testing';

export class Journal {
  readonly #fd: number;

  private constructor(
    fd: number,
    /** What was there when it was opened. */
    readonly lines: readonly LedgerLine[],
  ) {
    this.#fd = fd;
  }

  /** Opens the file, or makes it. A last line that a death cut short was never told to anybody, and is removed. */
  static open(file: string): Journal {
    const fd = openSync(file, 'a+');
    const bytes = readFileSync(file);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    if (whole.length < bytes.length) ftruncateSync(fd, whole.length);
    const lines = whole.toString('utf8').split('\n').slice(0, -1);
    return new Journal(
      fd,
      lines.map((line) => JSON.parse(line) as LedgerLine),
    );
  }

  append(line: LedgerLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    fdatasyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
