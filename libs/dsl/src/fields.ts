/**
 * Reading the fields of a map against a table: unknown, misplaced and missing fields are found in one place, for
 * documents, nodes and everything inside them.
 */
import { byteLength } from './canonical.js';
import type { Reporter } from './diagnostic.js';
import { formatDuration, parseDuration } from './duration.js';
import { isName } from './names.js';
import { describeTree, type MapTree, type Member, type Span, type Tree } from './source/tree.js';
import { closest, didYouMean } from './suggest.js';
import { SYNTAX, type Syntax } from './syntax.js';

/** One field of a map, for the compiler and for the JSON Schema that editors use. */
export interface FieldRule {
  readonly use: 'required' | 'optional';
  readonly syntax: Syntax;
  /** What the field means, in a sentence for whoever writes a document. */
  readonly about: string;
}

export type FieldTable = { readonly [field: string]: FieldRule };

export function required(syntax: Syntax, about: string): FieldRule {
  return { use: 'required', syntax, about };
}

export function optional(syntax: Syntax, about: string): FieldRule {
  return { use: 'optional', syntax, about };
}

export interface FieldPlace {
  /** What the map is, for messages: `an activity node`. */
  readonly what: string;
  /** Where a missing field is complained about: the key of the map. */
  readonly anchor: Span;
  /** Where a field that is unknown here belongs, if anywhere: `"output" belongs to a complete node`. */
  readonly elsewhere?: (field: string) => string | null;
}

/**
 * The members of a map, after complaints about its field names. Missing and broken fields read as undefined. A field that
 * is misspelt counts as there and broken: what it should have said is not missing as well.
 */
export class Fields {
  readonly #map: MapTree;
  readonly #misspelt = new Map<string, Member>();
  readonly reporter: Reporter;
  readonly anchor: Span;

  constructor(map: MapTree, table: FieldTable, place: FieldPlace, reporter: Reporter) {
    this.#map = map;
    this.reporter = reporter;
    this.anchor = place.anchor;
    const known = Object.keys(table);
    for (const { key, keySpan } of map.members.values()) {
      if (!Object.hasOwn(table, key)) this.#unknown(key, keySpan, known, place);
    }
    for (const field of known) {
      if (table[field]?.use !== 'required' || this.has(field)) continue;
      reporter.error('GR1102', place.anchor, `${place.what} needs the field "${field}"`);
    }
  }

  #unknown(key: string, span: Span, known: readonly string[], place: FieldPlace): void {
    const elsewhere = place.elsewhere?.(key) ?? null;
    if (elsewhere !== null) {
      this.reporter.error('GR1104', span, `${place.what} has no field "${key}"; ${elsewhere}`);
      return;
    }
    const meant = closest(key, known);
    const fields = known.length === 1 ? 'its only field is' : 'its fields are';
    const hint = meant === null ? `${fields} ${known.join(', ')}` : `did you mean "${meant}"?`;
    this.reporter.error('GR1101', span, `${place.what} has no field "${shorten(key)}"`, hint);
    if (meant !== null) this.#misspelt.set(meant, { key, keySpan: span, value: { kind: 'broken', span } });
  }

  get(field: string): Member | undefined {
    return this.#map.members.get(field) ?? this.#misspelt.get(field);
  }

  has(field: string): boolean {
    return this.get(field) !== undefined;
  }

  tree(field: string): Tree | undefined {
    const tree = this.get(field)?.value;
    return tree?.kind === 'broken' ? undefined : tree;
  }

  string(field: string): { readonly text: string; readonly span: Span } | undefined {
    const tree = this.tree(field);
    if (tree === undefined) return undefined;
    if (tree.kind === 'scalar' && typeof tree.value === 'string') return { text: tree.value, span: tree.span };
    this.#wrong(field, tree, 'a string');
    return undefined;
  }

  name(field: string): string | undefined {
    const found = this.string(field);
    if (found === undefined) return undefined;
    if (isName(found.text)) return found.text;
    const message = `"${shorten(found.text)}" is not a name: 1 to 64 letters, digits, "_", "." and "-"`;
    this.reporter.error('GR1106', found.span, message);
    return undefined;
  }

  number(field: string): { readonly value: number; readonly span: Span } | undefined {
    const tree = this.tree(field);
    if (tree === undefined) return undefined;
    if (tree.kind === 'scalar' && typeof tree.value === 'number') return { value: tree.value, span: tree.span };
    this.#wrong(field, tree, 'a number');
    return undefined;
  }

  integer(field: string, min: number, max: number): number | undefined {
    const found = this.number(field);
    if (found === undefined) return undefined;
    if (Number.isInteger(found.value) && found.value >= min && found.value <= max) return found.value;
    const range = max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
    this.reporter.error('GR1110', found.span, `"${field}" is ${range}; this is ${found.value}`);
    return undefined;
  }

  /** Milliseconds of a duration within a range. */
  durationMs(field: string, minMs: number, maxMs: number): number | undefined {
    const tree = this.tree(field);
    return tree === undefined ? undefined : this.durationOf(tree, field, minMs, maxMs);
  }

  /** Milliseconds of a duration that is written in `tree`, which belongs to `field`. */
  durationOf(tree: Tree, field: string, minMs: number, maxMs: number): number | undefined {
    if (tree.kind === 'scalar' && typeof tree.value === 'number') {
      const hint = `write the unit, as in "${tree.value}s" or "${tree.value}ms"`;
      this.reporter.error('GR1109', tree.span, `"${field}" is a duration; this is a number`, hint);
      return undefined;
    }
    if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
      this.#wrong(field, tree, 'a duration, as in "30s"');
      return undefined;
    }
    const text = tree.value;
    const durationMs = parseDuration(text);
    if (durationMs === null) {
      const message = `"${shorten(text)}" is not a duration; write a positive integer and ms, s, m, h or d, as in "30s"`;
      this.reporter.error('GR1109', tree.span, message);
      return undefined;
    }
    if (durationMs >= minMs && durationMs <= maxMs) return durationMs;
    const range = `${formatDuration(minMs)} to ${formatDuration(maxMs)}`;
    this.reporter.error('GR1110', tree.span, `"${field}" is a duration from ${range}; this is ${text}`);
    return undefined;
  }

  map(field: string): { readonly map: MapTree; readonly keySpan: Span } | undefined {
    const member = this.get(field);
    const tree = this.tree(field);
    if (member === undefined || tree === undefined) return undefined;
    if (tree.kind === 'map') return { map: tree, keySpan: member.keySpan };
    this.#wrong(field, tree, 'a map');
    return undefined;
  }

  list(field: string): readonly Tree[] | undefined {
    const tree = this.tree(field);
    if (tree === undefined) return undefined;
    if (tree.kind === 'list') return tree.items;
    this.#wrong(field, tree, 'a list');
    return undefined;
  }

  /** One of a few words. */
  choice<Choice extends string>(field: string, choices: readonly Choice[]): Choice | undefined {
    const found = this.string(field);
    const choice = choices.find((candidate) => candidate === found?.text);
    if (found === undefined || choice !== undefined) return choice;
    const listed = choices.map((candidate) => `"${candidate}"`).join(' or ');
    const message = `"${field}" is ${listed}; this is "${shorten(found.text)}"`;
    this.reporter.error('GR1110', found.span, message, () => didYouMean(found.text, choices));
    return undefined;
  }

  /** A text of at most so many bytes; a longer one is complained about and undefined. */
  text(field: string, maxBytes: number): string | undefined {
    const found = this.string(field);
    if (found === undefined || byteLength(found.text) <= maxBytes) return found?.text;
    const message = `"${field}" has at most ${maxBytes} bytes; this has ${byteLength(found.text)}`;
    this.reporter.error('GR1112', found.span, message);
    return undefined;
  }

  #wrong(field: string, tree: Tree, expected: string): void {
    this.reporter.error('GR1103', tree.span, `"${field}" is ${expected}; this is ${describeTree(tree)}`);
  }
}

/** Fields that may stand on documents, nodes, branches and cases, and are dropped from the normal form. */
export const ANNOTATIONS = {
  description: optional(SYNTAX.text, 'What it is for, for people: shown in pictures and in the console.'),
  labels: optional(SYNTAX.labels, 'Labels for people and tools, as name and value.'),
} as const satisfies FieldTable;

/** Keeps messages about absurdly long words readable. */
export function shorten(text: string, chars = 80): string {
  return text.length > chars ? `${text.slice(0, chars - 3)}...` : text;
}
