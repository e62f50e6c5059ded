import { describe, expect, it } from '@jest/globals';
import { DIAGNOSTIC_CODES } from './codes.js';
import { renderDiagnostic, type Diagnostic } from './diagnostic.js';
import { BUMP, compile } from './testing/order-catalog.js';

function rendered(source: string): readonly string[] {
  const result = compile(source);
  return result.ok ? [] : result.diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, source));
}

const at = (more: Partial<Diagnostic>): Diagnostic => ({
  code: 'GR1101',
  severity: 'error',
  message: 'm',
  file: 'f',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  ...more,
});

describe('a rendered diagnostic', () => {
  it('has the place, the code, one sentence, the line and carets under the text', () => {
    expect(rendered(BUMP.replace('next: done', 'next: dnoe'))).toEqual([
      [
        'test.yaml:12:11 GR1201 there is no node "dnoe" in this region; did you mean "done"?',
        '   12 |     next: dnoe',
        '      |           ^^^^',
      ].join('\n'),
    ]);
  });

  it('keeps tabs, so that the caret stands below its text', () => {
    expect(renderDiagnostic(at({ column: 3, endColumn: 5 }), '\tabc')).toBe(
      'f:1:3 GR1101 m\n    1 | \tabc\n      | \t ^^',
    );
  });

  it('leaves out the carriage return of a CRLF line', () => {
    expect(renderDiagnostic(at({ endColumn: 3 }), 'ab\r\ncd')).toBe('f:1:1 GR1101 m\n    1 | ab\n      | ^^');
  });

  it('ends the carets with the line when the text goes on below', () => {
    expect(renderDiagnostic(at({ column: 3, endLine: 2, endColumn: 9 }), 'ab cd\nef')).toContain('\n      |   ^^^');
  });

  it('shows one caret at the end of the source', () => {
    expect(renderDiagnostic(at({ endColumn: 1 }), '')).toBe('f:1:1 GR1101 m\n    1 | \n      | ^');
  });

  it('shows a window of a very long line', () => {
    const text = `${'x'.repeat(1000)}HERE${'y'.repeat(1000)}`;
    const lines = renderDiagnostic(at({ column: 1001, endColumn: 1005 }), text).split('\n');
    const start = lines[2]?.indexOf('^') ?? -1;
    expect(lines[1]?.slice(start, start + 4)).toBe('HERE');
    expect(lines[2]?.slice(start)).toBe('^^^^');
    expect(lines[1]?.length).toBeLessThan(200);
  });

  it('says when it is a warning', () => {
    expect(renderDiagnostic(at({ severity: 'warning' }), 'ab')).toMatch(/^f:1:1 warning GR1101 m\n/);
  });
});

describe('codes', () => {
  it('are GR and four digits, in ascending order', () => {
    const codes = Object.keys(DIAGNOSTIC_CODES);
    for (const code of codes) expect(code).toMatch(/^GR\d{4}$/);
    expect(codes).toEqual(codes.toSorted());
  });
});
