/**
 * Broken sources as plain data. What is wrong is marked where it is wrong: `start: «GR1201 ink»` says that the compiler must
 * complain with that code about exactly the text between the marks. A range with several complaints lists their codes, as
 * in `«GR1405,GR1406 {}»`; a source without marks must be accepted without a word.
 */
import type { CatalogResult } from '../catalog/parse.js';
import type { CompileResult } from '../compile.js';
import type { Diagnostic } from '../diagnostic.js';

export interface Case {
  /** Reads after "a broken definition with" or "a definition with". */
  readonly what: string;
  readonly marked: string;
  readonly kind: 'document' | 'catalog';
}

/** Cases about one part of the language. */
export interface Topic {
  readonly name: string;
  readonly broken: readonly Case[];
  /** What is just allowed: the other side of the same rules. */
  readonly sound: readonly Case[];
}

type Named = readonly [what: string, marked: string];

export function topic(name: string, broken: readonly Named[], sound: readonly Named[] = []): Topic {
  return { name, broken: cases('document', broken), sound: cases('document', sound) };
}

export function catalogTopic(name: string, broken: readonly Named[], sound: readonly Named[] = []): Topic {
  return { name, broken: cases('catalog', broken), sound: cases('catalog', sound) };
}

function cases(kind: Case['kind'], named: readonly Named[]): readonly Case[] {
  return named.map(([what, marked]) => ({ what, marked, kind }));
}

/** The source without its marks, and what they say: `line:column-endColumn code`, in the order of the source. */
export interface Expected {
  readonly source: string;
  readonly faults: readonly string[];
}

const MARK = /«(GR\d{4}(?:,GR\d{4})*) |»/g;

export function expectationOf(marked: string): Expected {
  const open: { readonly codes: string; readonly start: number }[] = [];
  const found: { readonly codes: string; readonly start: number; readonly end: number }[] = [];
  let source = '';
  let read = 0;
  for (const mark of marked.matchAll(MARK)) {
    source += marked.slice(read, mark.index);
    read = mark.index + mark[0].length;
    const codes = mark[1];
    if (codes !== undefined) open.push({ codes, start: source.length });
    else {
      const opened = open.pop();
      if (opened === undefined) throw new Error(`A mark ends that never began, in:\n${marked}`);
      found.push({ ...opened, end: source.length });
    }
  }
  if (open.length > 0) throw new Error(`A mark does not end, in:\n${marked}`);
  source += marked.slice(read);
  const sorted = found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const faults = sorted.flatMap(({ codes, start, end }) =>
    codes.split(',').map((code) => fault(code, positionOf(source, start), positionOf(source, end))),
  );
  return { source, faults };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** The end names its line only where it is another one. */
function fault(code: string, from: Position, to: Position): string {
  const end = to.line === from.line ? String(to.column) : `${to.line}:${to.column}`;
  return `${from.line}:${from.column}-${end} ${code}`;
}

/** The compiler under test: the real one, or one with a rule taken out. */
export interface Compiler {
  compile(source: string): CompileResult;
  parseCatalog(source: string): CatalogResult;
}

/** What a compiler says about a source, warnings included, as `expectationOf` writes it. */
export function verdict(compiler: Compiler, kind: Case['kind'], source: string): readonly string[] {
  return diagnosticsOf(compiler, kind, source).map((found) =>
    fault(found.code, { line: found.line, column: found.column }, { line: found.endLine, column: found.endColumn }),
  );
}

function diagnosticsOf(compiler: Compiler, kind: Case['kind'], source: string): readonly Diagnostic[] {
  if (kind === 'catalog') {
    const result = compiler.parseCatalog(source);
    return result.ok ? [] : result.diagnostics;
  }
  const result = compiler.compile(source);
  return result.ok ? result.warnings : result.diagnostics;
}
