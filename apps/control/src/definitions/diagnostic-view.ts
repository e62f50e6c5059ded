/** Diagnostics in JSON (spec 05 "CLI"). */
import type { Diagnostic } from '@graphrun/dsl';

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

export function diagnosticView(diagnostic: Diagnostic): DiagnosticView {
  const { code, message, hint, file, line, column, endLine, endColumn, severity } = diagnostic;
  return {
    code,
    message: hint === undefined ? message : `${message}; ${hint}`,
    file,
    line,
    column,
    end_line: endLine,
    end_column: endColumn,
    severity,
  };
}
