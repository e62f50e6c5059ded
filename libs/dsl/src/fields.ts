/**
 * Reading the fields of a map against a table: unknown, misplaced, missing and not yet supported fields are found in one
 * place, for documents, nodes and everything inside them.
 */
import type { Reporter } from './diagnostic.js';
import { formatDuration, parseDuration } from './duration.js';
import { isName } from './names.js';
import { describeTree, type MapTree, type Member, type Span, type Tree } from './source/tree.js';
import { didYouMean } from './suggest.js';

/** `later` fields belong to the language but not to this version of the compiler. */
export type FieldUse = 'required' | 'optional' | 'later';
export type FieldTable = { readonly [field: string]: FieldUse };

export interface FieldPlace {
  /** What the map is, for messages: `an activity node`. */
  readonly what: string;
  /** Where a missing field is complained about: the key of the map. */
  readonly anchor: Span;
  /** Where a field that is unknown here belongs, if anywhere: `"output" belongs to a complete node`. */
  readonly elsewhere?: (field: string) => string | null;
}

/** The members of a map, after complaints about its field names. Missing and broken fields read as undefined. */
export class Fields {
  readonly #map: MapTree;
  readonly reporter: Reporter;
  readonly anchor: Span;

  constructor(map: MapTree, table: FieldTable, place: FieldPlace, reporter: Reporter) {
    this.#map = map;
    this.reporter = reporter;
    this.anchor = place.anchor;
    const known = Object.keys(table);
    for (const { key, keySpan } of map.members.values()) {
      const use = Object.hasOwn(table, key) ? table[key] : undefined;
      if (use === 'later') {
        reporter.error('GR1105', keySpan, `the field "${key}" of ${place.what} is not supported yet`);
      } else if (use === undefined) this.#unknown(key, keySpan, known, place);
    }
    for (const field of known) {
      if (table[field] !== 'required' || map.members.has(field)) continue;
      reporter.error('GR1102', place.anchor, `${place.what} needs the field "${field}"`);
    }
  }

  #unknown(key: string, span: Span, known: readonly string[], place: FieldPlace): void {
    const elsewhere = place.elsewhere?.(key) ?? null;
    if (elsewhere !== null) {
      this.reporter.error('GR1104', span, `${place.what} has no field "${key}"; ${elsewhere}`);
      return;
    }
    const hint = didYouMean(key, known) ?? `its fields are ${known.join(', ')}`;
    this.reporter.error('GR1101', span, `${place.what} has no field "${shorten(key)}"`, hint);
  }

  get(field: string): Member | undefined {
    return this.#map.members.get(field);
  }

  has(field: string): boolean {
    return this.#map.members.has(field);
  }

  tree(field: string): Tree | undefined {
    const tree = this.#map.members.get(field)?.value;
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
    if (tree?.kind === 'scalar' && typeof tree.value === 'number') {
      const hint = `write the unit, as in "${tree.value}s" or "${tree.value}ms"`;
      this.reporter.error('GR1109', tree.span, `"${field}" is a duration; this is a number`, hint);
      return undefined;
    }
    const found = this.string(field);
    if (found === undefined) return undefined;
    const durationMs = parseDuration(found.text);
    if (durationMs === null) {
      const message = `"${shorten(found.text)}" is not a duration; write a positive integer and ms, s, m, h or d, as in "30s"`;
      this.reporter.error('GR1109', found.span, message);
      return undefined;
    }
    if (durationMs >= minMs && durationMs <= maxMs) return durationMs;
    const range = `${formatDuration(minMs)} to ${formatDuration(maxMs)}`;
    this.reporter.error('GR1110', found.span, `"${field}" is a duration from ${range}; this is ${found.text}`);
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

  /** Checks `description` and `labels`, which people and pictures use and nothing else. */
  checkAnnotations(): void {
    this.string('description');
    for (const member of this.map('labels')?.map.members.values() ?? []) {
      const { value } = member;
      if (value.kind === 'broken' || (value.kind === 'scalar' && value.value !== null)) continue;
      const message = `the label "${shorten(member.key)}" is a string, number or boolean; this is ${describeTree(value)}`;
      this.reporter.error('GR1103', value.span, message);
    }
  }

  #wrong(field: string, tree: Tree, expected: string): void {
    this.reporter.error('GR1103', tree.span, `"${field}" is ${expected}; this is ${describeTree(tree)}`);
  }
}

/** Fields that may stand on documents, nodes, branches and cases, and are dropped from the normal form. */
export const ANNOTATIONS = { description: 'optional', labels: 'optional' } as const satisfies FieldTable;

/** Keeps messages about absurdly long words readable. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
