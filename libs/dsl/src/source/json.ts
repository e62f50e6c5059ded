/**
 * Reads JSON into a positioned tree. `JSON.parse` would be shorter, but it forgets positions and silently drops all
 * but the last of equal keys, and a catalog deserves complaints as good as a workflow's.
 */
import type { Reporter } from '../diagnostic.js';
import { shorten } from '../fields.js';
import { numberIssue, scalarIssue } from '../value-check.js';
import { SOURCE_DEPTH, type Member, type Span, type Tree } from './tree.js';

/** The tree of a JSON text, or null after reporting the first syntax error. */
export function readJson(source: string, reporter: Reporter): Tree | null {
  const reader = new JsonReader(source, reporter);
  try {
    return reader.document();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    reporter.error(error.code, error.span, error.message);
    return null;
  }
}

class JsonFault extends Error {
  readonly code: 'GR1001' | 'GR1008';
  readonly span: Span;

  constructor(code: 'GR1001' | 'GR1008', span: Span, message: string) {
    super(message);
    this.code = code;
    this.span = span;
  }
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z0-9_+.-]+/y;
const WORDS = new Map<string, null | boolean>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

class JsonReader {
  readonly #source: string;
  readonly #reporter: Reporter;
  #at = 0;

  constructor(source: string, reporter: Reporter) {
    this.#source = source;
    this.#reporter = reporter;
    if (source.startsWith('\uFEFF')) this.#at = 1;
  }

  document(): Tree {
    const tree = this.#value(null, 0);
    this.#space();
    if (this.#at < this.#source.length) this.#fail('the JSON ends before this');
    return tree;
  }

  #value(key: Span | null, depth: number): Tree {
    this.#space();
    const start = this.#at;
    if (depth > SOURCE_DEPTH) {
      throw new JsonFault(
        'GR1008',
        { start, end: start + 1 },
        `objects and arrays are nested deeper than ${SOURCE_DEPTH} levels`,
      );
    }
    switch (this.#source[start]) {
      case '{':
        return this.#object(key, depth);
      case '[':
        return this.#array(key, depth);
      case '"':
        return this.#scalar(this.#string(), start, 'GR1009', 'the text');
      default:
        return this.#numberOrWord(start);
    }
  }

  #object(key: Span | null, depth: number): Tree {
    const open = this.#at;
    const members = new Map<string, Member>();
    this.#at += 1;
    for (let first = true; !this.#ends('}', first); first = false) {
      const start = this.#at;
      if (this.#source[start] !== '"') this.#fail('a key in double quotes is expected here');
      const text = this.#string();
      const keySpan = { start, end: this.#at };
      this.#space();
      if (this.#source[this.#at] !== ':') this.#fail('":" is expected here');
      this.#at += 1;
      const value = this.#value(keySpan, depth + 1);
      const issue = scalarIssue(text);
      if (issue !== null) this.#reporter.error('GR1009', keySpan, `the key ${issue}`);
      else if (members.has(text)) {
        this.#reporter.error('GR1005', keySpan, `the key "${shorten(text)}" is here twice; remove one`);
      } else members.set(text, { key: text, keySpan, value });
    }
    return { kind: 'map', members, span: this.#collectionSpan(open, key) };
  }

  #array(key: Span | null, depth: number): Tree {
    const open = this.#at;
    const items: Tree[] = [];
    this.#at += 1;
    for (let first = true; !this.#ends(']', first); first = false) items.push(this.#value(null, depth + 1));
    return { kind: 'list', items, span: this.#collectionSpan(open, key) };
  }

  /** Short collections are pointed at as a whole; one over several lines at its key, or its opening bracket. */
  #collectionSpan(start: number, key: Span | null): Span {
    if (!this.#source.slice(start, this.#at).includes('\n')) return { start, end: this.#at };
    return key ?? { start, end: start + 1 };
  }

  /** Moves to the next item or past the closing bracket; true at the end. */
  #ends(bracket: string, first: boolean): boolean {
    this.#space();
    const next = this.#source[this.#at];
    if (next === bracket) {
      this.#at += 1;
      return true;
    }
    if (first) return false;
    if (next !== ',') this.#fail(`"," or "${bracket}" is expected here`);
    this.#at += 1;
    this.#space();
    return false;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    // A backslash takes the next character with it, whatever it is; JSON.parse judges the escapes.
    while (end < this.#source.length && this.#source[end] !== '"') end += this.#source[end] === '\\' ? 2 : 1;
    try {
      const text = JSON.parse(this.#source.slice(start, end + 1)) as string;
      this.#at = end + 1;
      return text;
    } catch {
      return this.#fail(
        'this string does not end, or has an escape or a raw control character that JSON does not know',
      );
    }
  }

  #numberOrWord(start: number): Tree {
    const word = this.#match(WORD) ?? '';
    const span = { start, end: this.#at };
    const known = WORDS.get(word);
    if (known !== undefined) return { kind: 'scalar', value: known, span };
    NUMBER.lastIndex = 0;
    if (NUMBER.exec(word)?.[0] === word && word !== '')
      return this.#scalar(Number(word), start, 'GR1007', 'the number');
    this.#at = start;
    return this.#fail('a JSON value is expected here');
  }

  #scalar(value: string | number, start: number, code: 'GR1007' | 'GR1009', what: string): Tree {
    const span = { start, end: this.#at };
    const issue = typeof value === 'number' ? numberIssue(value) : scalarIssue(value);
    if (issue === null) return { kind: 'scalar', value, span };
    this.#reporter.error(code, span, `${what} ${issue}`);
    return { kind: 'broken', span };
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0] ?? null;
    if (text !== null) this.#at += text.length;
    return text;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #fail(message: string): never {
    const at = Math.min(this.#at, this.#source.length);
    throw new JsonFault('GR1001', { start: at, end: Math.min(at + 1, this.#source.length) }, message);
  }
}
