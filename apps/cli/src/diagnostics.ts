/** Diagnostics as they stand in JSON (spec 05 "CLI"), and as lines with the source and a caret. */
import type { Diagnostic } from '@graphrun/dsl';
import { renderDiagnostic } from '@graphrun/dsl';

export interface DiagnosticView {
  readonly code: Diagnostic['code'];
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  readonly severity: Diagnostic['severity'];
}

export interface ValidationView {
  readonly valid: boolean;
  readonly digest: string | null;
  readonly diagnostics: readonly DiagnosticView[];
}

export function diagnosticLines(diagnostics: readonly DiagnosticView[], source: string): readonly string[] {
  return diagnostics.map(({ end_line, end_column, ...rest }) =>
    renderDiagnostic({ ...rest, endLine: end_line, endColumn: end_column }, source),
  );
}
