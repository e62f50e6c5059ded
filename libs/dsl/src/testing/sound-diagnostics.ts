/** What every diagnostic must be, whatever the source is. */
import type { Diagnostic } from '../diagnostic.js';

const MAX_MESSAGE = 400;

/** What is wrong with diagnostics themselves: places that do not exist or say nothing, and messages nobody can read. */
export function unsoundDiagnostics(diagnostics: readonly Diagnostic[], source: string): readonly string[] {
  const lines = source.split('\n');
  const whole = source.replace(/^\uFEFF?[ \t\n]*/, '').trimEnd();
  const isCollection = /^[[{]/.test(whole);
  return diagnostics.flatMap((found) => {
    const { code, line, column, endLine, endColumn, message, hint = '' } = found;
    const length = (lines[line - 1] ?? '').length;
    const faults = [
      [line >= 1 && line <= lines.length && column >= 1 && column <= length + 1, 'begins outside of the source'],
      [endLine === line && endColumn >= column && endColumn <= length + 1, 'does not end on the line it begins on'],
      [!isCollection || endColumn - column < whole.length || whole.length < 2, 'is about the whole document'],
      [message !== '' && message.length + hint.length <= MAX_MESSAGE, 'has no message that can be read'],
    ] as const;
    const said = faults.filter(([fine]) => !fine).map(([, what]) => what);
    return said.map((what) => `${code} at ${line}:${column}-${endLine}:${endColumn} ${what}: ${message.slice(0, 200)}`);
  });
}
