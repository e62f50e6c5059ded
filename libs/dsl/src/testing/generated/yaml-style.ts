/**
 * A document as YAML in any style: order of keys, block and flow, quotes, comments, blank lines, indentation, line ends.
 * All of it means the same; what the compiler makes of it must be the same.
 */
import { isArray, isObject } from '../../canonical.js';
import type { Json } from '../../value.js';
import type { Picks } from './picks.js';

/** YAML 1.2 that reads as the document. */
export function styleYaml(document: Json, picks: Picks): string {
  const writer = new StyledWriter(picks);
  const [mark, end, lineEnd] = [picks.of(['', '\ufeff']), picks.once(5), picks.of(['\n', '\n', '\r\n'])];
  const start = picks.of(['', '---\n', '%YAML 1.2\n---\n', '# a comment first\n\n']);
  const text = `${mark}${start}${writer.block(document, 0)}${end ? '...\n' : ''}`;
  return text.replaceAll('\n', lineEnd);
}

class StyledWriter {
  readonly #picks: Picks;
  readonly #step: number;

  constructor(picks: Picks) {
    this.#picks = picks;
    this.#step = picks.of([2, 4, 1, 3, 7]);
  }

  /** Lines of a value in block style, each ended; collections at the given indentation. */
  block(value: Json, indent: number): string {
    const picks = this.#picks;
    if (isObject(value) && Object.keys(value).length > 0) {
      return picks
        .shuffle(Object.entries(value))
        .map(([key, member]) => `${this.#filler(indent)}${' '.repeat(indent)}${this.#entry(key, member, indent)}`)
        .join('');
    }
    if (isArray(value) && value.length > 0) {
      const items = value.map((item) => `${this.#filler(indent)}${' '.repeat(indent)}-${this.#after(item, indent)}`);
      return items.join('');
    }
    return `${' '.repeat(indent)}${this.#flow(value, indent)}\n`;
  }

  #entry(key: string, member: Json, indent: number): string {
    if (this.#picks.once(24)) return `? ${this.#text(key)}\n${' '.repeat(indent)}:${this.#after(member, indent)}`;
    const space = this.#picks.once(10) ? ' ' : '';
    return `${this.#text(key)}${space}:${this.#after(member, indent)}`;
  }

  /** What follows a colon or a dash. */
  #after(value: Json, indent: number): string {
    const picks = this.#picks;
    const isCollection = value !== null && typeof value === 'object' && Object.keys(value).length > 0;
    if (isCollection && !picks.once(3)) {
      return `${this.#comment()}\n${this.block(value, indent + this.#step)}`;
    }
    if (typeof value === 'string' && picks.once(12)) return this.#folded(value, indent);
    const gap = picks.of([' ', ' ', '   ', `\n${' '.repeat(indent + this.#step)}`]);
    return `${gap}${this.#flow(value, indent)}${this.#comment()}\n`;
  }

  /** A literal block, for text that one can hold. */
  #folded(text: string, indent: number): string {
    const lines = text.split('\n');
    if (!lines.every((line) => /^[!-~][ -~]*$/.test(line))) return ` ${this.#text(text)}\n`;
    const inner = ' '.repeat(indent + this.#step);
    return ` |-\n${lines.map((line) => `${inner}${line}\n`).join('')}`;
  }

  #flow(value: Json, indent: number): string {
    const picks = this.#picks;
    if (isArray(value))
      return this.#brackets(
        '[',
        ']',
        value.map((item) => this.#flow(item, indent)),
        indent,
      );
    if (isObject(value)) {
      const entries = picks.shuffle(Object.entries(value));
      const members = entries.map(([key, member]) => `${this.#text(key)}: ${this.#flow(member, indent)}`);
      return this.#brackets('{', '}', members, indent);
    }
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'string') return this.#text(value);
    return value === null ? picks.of(['null', '~', 'Null']) : picks.of([String(value), String(value).toUpperCase()]);
  }

  #brackets(open: string, close: string, items: readonly string[], indent: number): string {
    const picks = this.#picks;
    const line = `\n${' '.repeat(indent + this.#step + 1)}`;
    const gap = picks.of(['', ' ', line]);
    const trailing = items.length > 0 && picks.once(6) ? ',' : '';
    return `${open}${gap}${items.join(`,${picks.of([' ', '  ', line])}`)}${trailing}${gap === line ? line : gap}${close}`;
  }

  #number(value: number): string {
    const plain = JSON.stringify(value);
    if (!Number.isInteger(value) || plain.includes('e')) return plain;
    const zeros = /0+$/.exec(plain)?.[0].length ?? 0;
    const scientific = value !== 0 && zeros > 0 ? `${plain.slice(0, -zeros)}e${zeros}` : plain;
    return this.#picks.of([plain, plain, `${plain}.0`, scientific]);
  }

  #text(text: string): string {
    const json = JSON.stringify(text);
    const single = /^[ -~]*$/.test(text) ? `'${text.replaceAll("'", "''")}'` : json;
    const plain = PLAIN.test(text) && !SPECIAL.test(text) ? text : single;
    return this.#picks.of([plain, json, single]);
  }

  /** Lines before an entry that mean nothing. */
  #filler(indent: number): string {
    if (!this.#picks.once(12)) return '';
    return this.#picks.of(['\n', `${' '.repeat(indent)}# {not: [this}\n`, '# at the margin: 1\n']);
  }

  #comment(): string {
    return this.#picks.once(8) ? this.#picks.of([' # comment: [', '  ']) : '';
  }
}

const PLAIN = /^[A-Za-z_/.][A-Za-z0-9_./-]*$/;
/** What YAML would read as something else than text, or as a directive's end. */
const SPECIAL = /^(?:true|false|null|~|\.inf|\.nan|\.[0-9].*|[.]{3})$/i;
