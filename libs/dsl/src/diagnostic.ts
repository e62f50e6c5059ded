/** Complaints about a source: collected all at once, ordered by position, rendered with the line and a caret. */
import type { DiagnosticCode } from './codes.js';
import { LineIndex } from './source/position.js';
import type { Span } from './source/tree.js';

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning';
  /** One sentence: what is wrong, and where it is not obvious, what to do. */
  readonly message: string;
  readonly file: string;
  /** Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** What was probably meant. */
  readonly hint?: string;
}

/** Diagnostics reported for one source; what comes after is counted only. */
const MAX_DIAGNOSTICS = 1_000;
/** Hints that are searched for: with more errors than this, the time goes into reading the first ones. */
const MAX_SEARCHES = 50;

interface Entry {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning';
  readonly span: Span;
  readonly message: string;
  readonly hint: string | undefined;
}

/** What was probably meant. A search among many candidates is given as a function, called for the first errors only. */
export type Hint = string | null | undefined | (() => string | null);

/** Collects the complaints of one compilation. */
export class Reporter {
  readonly #entries: Entry[] = [];
  /** What was said already: a region that several bodies use is read for each of them. */
  readonly #said = new Set<string>();
  #errors = 0;
  #dropped = 0;
  #searches = 0;

  get errorCount(): number {
    return this.#errors;
  }

  error(code: DiagnosticCode, span: Span, message: string, hint?: Hint): void {
    this.#errors += 1;
    this.#add('error', code, span, message, hint);
  }

  warning(code: DiagnosticCode, span: Span, message: string, hint?: Hint): void {
    this.#add('warning', code, span, message, hint);
  }

  #add(severity: Entry['severity'], code: DiagnosticCode, span: Span, message: string, hint: Hint): void {
    const saying = `${code} ${span.start} ${span.end} ${message}`;
    if (this.#said.has(saying)) return;
    this.#said.add(saying);
    if (this.#entries.length >= MAX_DIAGNOSTICS) {
      this.#dropped += 1;
      return;
    }
    this.#entries.push({ code, severity, span, message, hint: this.#resolve(hint) ?? undefined });
  }

  #resolve(hint: Hint): string | null | undefined {
    if (typeof hint !== 'function') return hint;
    this.#searches += 1;
    return this.#searches <= MAX_SEARCHES ? hint() : null;
  }

  /** All diagnostics, by position. */
  diagnostics(source: string, file: string): Diagnostic[] {
    const lines = new LineIndex(source);
    const entries = this.#entries.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    if (this.#dropped > 0) {
      const span = { start: source.length, end: source.length };
      const message = `${this.#dropped} more errors are not shown; repair the ones above first`;
      entries.push({ code: 'GR1000', severity: 'error', span, message, hint: undefined });
    }
    return entries.map((entry) => {
      const start = Math.min(entry.span.start, source.length);
      const from = lines.position(start);
      // A place is on one line: what goes on below is found from where it begins.
      const to = lines.position(Math.max(start, Math.min(entry.span.end, lines.lineEnd(start))));
      return {
        code: entry.code,
        severity: entry.severity,
        message: entry.message,
        file,
        line: from.line,
        column: from.column,
        endLine: to.line,
        endColumn: to.column,
        ...(entry.hint === undefined ? {} : { hint: entry.hint }),
      };
    });
  }
}

/**
 * `file:line:column code message`, the source line and a caret line below it:
 *
 *     order.yaml:12:11 GR1201 there is no node "shp"; did you mean "ship"?
 *        12 |     next: shp
 *           |           ^^^
 */
export function renderDiagnostic(diagnostic: Diagnostic, source: string): string {
  const { code, severity, message, hint, file, line, column } = diagnostic;
  const label = severity === 'warning' ? `warning ${code}` : code;
  const head = `${file}:${line}:${column} ${label} ${message}${hint === undefined ? '' : `; ${hint}`}`;
  const text = lineOf(source, line);
  const last = diagnostic.endLine === line ? diagnostic.endColumn - 1 : text.length;
  // A window keeps a line of many thousand characters readable.
  const from = column > MAX_SHOWN_COLUMNS ? column - 1 - MAX_SHOWN_COLUMNS / 2 : 0;
  const shown = text.slice(from, from + MAX_SHOWN_COLUMNS);
  const carets = Math.max(1, Math.min(last, from + shown.length) - (column - 1));
  const number = String(line).padStart(5);
  // Tabs stay tabs, so that the caret stands below its character whatever their width.
  const indent = text.slice(from, column - 1).replace(/[^\t]/g, ' ');
  return `${head}\n${number} | ${shown}\n${' '.repeat(number.length)} | ${indent}${'^'.repeat(carets)}`;
}

const MAX_SHOWN_COLUMNS = 160;

function lineOf(source: string, line: number): string {
  let start = 0;
  for (let number = 1; number < line; number += 1) start = source.indexOf('\n', start) + 1;
  const end = source.indexOf('\n', start);
  return source.slice(start, end === -1 ? source.length : end).replace(/\r$/, '');
}
