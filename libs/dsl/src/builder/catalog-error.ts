import type { DiagnosticCode } from '../codes.js';
import { Reporter, type Diagnostic } from '../diagnostic.js';
import { escapeToken } from '../pointer.js';
import { readJson } from '../source/json.js';
import { LineIndex } from '../source/position.js';
import type { Tree } from '../source/tree.js';

/** One thing that is wrong with a catalog or a schema that was declared in code. */
export interface CatalogIssue {
  /** JSON pointer into the catalog document, or into the JSON Schema when it is about one schema. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
  /** As in `docs/diagnostics.md`; absent when the schema could not become JSON Schema at all. */
  readonly code?: DiagnosticCode;
}

/**
 * A catalog or a schema in code that the language refuses (spec 01 "Catalog"), with all that is wrong. Thrown by the call
 * that declares it; the message names each place.
 */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly issues: readonly CatalogIssue[];

  /** `what` is the subject of the message: `the schema "order/v1"`, or `the catalog`. */
  constructor(what: string, issues: readonly CatalogIssue[], options?: ErrorOptions) {
    super(messageOf(what, issues), options);
    this.issues = issues;
  }
}

function messageOf(what: string, issues: readonly CatalogIssue[]): string {
  const lines = issues.map(({ pointer, message, code }) =>
    [pointer === '' ? [] : [`${pointer}:`], code ?? [], message].flat().join(' '),
  );
  return lines.length === 1 ? `${what} is refused: ${lines[0]}` : [`${what} is refused:`, ...lines].join('\n  ');
}

/** Diagnostics of `text`, which is JSON, by pointer: who declares a catalog in code has never seen its lines. */
export function issuesOf(diagnostics: readonly Diagnostic[], text: string): readonly CatalogIssue[] {
  const lines = new LineIndex(text);
  const pointers = new Map<string, string>();
  const note = (offset: number, pointer: string): void => {
    const { line, column } = lines.position(offset);
    pointers.set(`${line}:${column}`, pointer);
  };
  const tree = readJson(text, new Reporter());
  if (tree !== null) notePlaces(tree, '', note);
  return diagnostics.map(({ code, message, hint, line, column }) => ({
    pointer: pointers.get(`${line}:${column}`) ?? '',
    message: hint === undefined ? message : `${message}; ${hint}`,
    code,
  }));
}

/** Every place that a complaint can point at: values, and keys for what is missing or wrong as a whole. */
function notePlaces(tree: Tree, pointer: string, note: (offset: number, pointer: string) => void): void {
  note(tree.span.start, pointer);
  if (tree.kind === 'list') {
    for (const [index, item] of tree.items.entries()) notePlaces(item, `${pointer}/${index}`, note);
  } else if (tree.kind === 'map') {
    for (const { key, keySpan, value } of tree.members.values()) {
      const inner = `${pointer}/${escapeToken(key)}`;
      notePlaces(value, inner, note);
      note(keySpan.start, inner);
    }
  }
}
