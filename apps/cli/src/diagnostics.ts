/** Diagnostics as they stand in JSON (spec 05 "CLI"), and as lines with the source and a caret. */
import type { DiagnosticView } from '@graphrun/control';
import { renderDiagnostic } from '@graphrun/dsl';

export function diagnosticLines(diagnostics: readonly DiagnosticView[], source: string): readonly string[] {
  return diagnostics.map(({ end_line, end_column, ...rest }) =>
    renderDiagnostic({ ...rest, endLine: end_line, endColumn: end_column }, source),
  );
}
