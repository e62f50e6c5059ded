/**
 * Where a command writes. With `--json` stdout gets exactly one JSON document and everything else goes to stderr; colour
 * and progress only where a person watches.
 */
import type { Writable } from 'node:stream';

export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const STYLES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

export class Terminal {
  #documents = 0;

  constructor(
    private readonly streams: Streams,
    /** The answer is one JSON document. */
    readonly json: boolean,
  ) {}

  /** Whether somebody watches the progress. */
  get interactive(): boolean {
    return this.#person.isTTY === true;
  }

  /** Text for people: on stdout, or on stderr when stdout is for JSON. */
  line(text: string): void {
    this.#person.write(`${text}\n`);
  }

  /** What is not part of the answer: warnings, progress, hints. */
  note(text: string): void {
    this.streams.stderr.write(`${text}\n`);
  }

  /** The answer of the command: the document with `--json`, the text otherwise. */
  answer(document: unknown, text: () => readonly string[]): void {
    if (!this.json) {
      for (const line of text()) this.line(line);
      return;
    }
    if (this.#documents > 0) return; // exactly one document, the first answer
    this.#documents += 1;
    this.streams.stdout.write(`${JSON.stringify(document)}\n`);
  }

  style(style: Style, text: string): string {
    if (!this.interactive || this.streams.env['NO_COLOR'] !== undefined || this.streams.env['TERM'] === 'dumb')
      return text;
    const [on, off] = STYLES[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  }

  get #person(): Streams['stdout'] {
    return this.json ? this.streams.stderr : this.streams.stdout;
  }
}
