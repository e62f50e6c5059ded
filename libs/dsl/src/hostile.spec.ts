/** Whatever a source holds, the compiler answers, soon, and with places that exist. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCatalog } from './catalog/parse.js';
import { renderDiagnostic, type Diagnostic } from './diagnostic.js';
import { LIMITS } from './limits.js';
import { BUMP, compile, documentOf, ORDER_CATALOG } from './testing/order-catalog.js';

function expectSound(diagnostics: readonly Diagnostic[], source: string): void {
  expect(diagnostics.length).toBeGreaterThan(0);
  const lines = source.split('\n');
  // A cheap check for all of them: there may be a thousand, and Jest's own are slow.
  const faults = diagnostics.filter((d) => {
    const length = (lines[d.line - 1] ?? '').length;
    const ordered = d.endLine > d.line || (d.endLine === d.line && d.endColumn >= d.column);
    const placed = d.line >= 1 && d.line <= lines.length && d.column >= 1 && d.column <= length + 1;
    return !ordered || !placed || d.message === '' || d.message.length >= 400;
  });
  expect(faults).toEqual([]);
  for (const d of diagnostics.slice(0, 3)) expect(renderDiagnostic(d, source)).toContain(d.code);
}

function judge(source: string): void {
  const result = compile(source);
  if (!result.ok) expectSound(result.diagnostics, source);
}

/** Pieces that YAML, numbers and the language itself are sensitive to. */
const PIECES = [
  ...[
    '\n',
    '\n  ',
    '\n    ',
    ' ',
    '\t',
    '\r\n',
    ': ',
    ':',
    '- ',
    '? ',
    ', ',
    '[',
    ']',
    '{',
    '}',
    '#',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
  ],
  ...[
    '&a ',
    '*a',
    '!t ',
    '!!int ',
    '<<: ',
    '"',
    "'",
    '|',
    '>',
    '\\',
    '\\ud800',
    '\ud800',
    '\0',
    '\ufeff',
    '\u2028',
    '~',
    'null',
    'yes',
  ],
  ...['0x10', '1e3', '.5', '1_000', '012', '-0', '1e999', '99999999999999999999', '2024-01-01', '.nan', '😀', 'é'],
  ...[
    'kind: ',
    'activity',
    'complete',
    'fail',
    'from: ',
    'nodes.a.output',
    'workflow.input',
    'path: ',
    '/a/0',
    'literal: ',
    'object: ',
  ],
  ...[
    'array: ',
    'default: ',
    'next: ',
    'retry: ',
    'errors: ',
    'timeout: ',
    '30s',
    'nodes:',
    'start: ',
    'a:',
    'constructor',
    '__proto__: ',
  ],
];

describe('the compiler', () => {
  it('survives soups of sensitive pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
        judge(pieces.join(''));
      }),
      { numRuns: 400 },
    );
  });

  it('survives a good document with pieces replaced by others', () => {
    const edit = fc.tuple(fc.nat(BUMP.length), fc.nat(12), fc.constantFrom(...PIECES));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let source = BUMP;
        for (const [at, length, piece] of edits) source = source.slice(0, at) + piece + source.slice(at + length);
        judge(source);
      }),
      { numRuns: 400 },
    );
  });

  it('survives any JSON in the place of any field', () => {
    const places = ['id', 'version', 'input_schema', 'start', 'nodes', 'run_timeout', 'labels', 'signals'];
    const inner = ['kind', 'activity', 'input', 'next', 'retry', 'timeout', 'error', 'output'];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.dictionary(
        fc.constantFrom('from', 'path', 'object', 'array', 'literal', 'errors', 'backoff', 'tuple', 'name'),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...places), value),
        fc.dictionary(fc.constantFrom(...inner), value),
        (outer, node) => {
          const document = { dsl: 'graphrun/v1', start: 'a', nodes: { a: { kind: 'activity', ...node } }, ...outer };
          judge(JSON.stringify(document));
        },
      ),
      { numRuns: 400 },
    );
  });

  const size = LIMITS.yamlBytes;
  const fill = (piece: string): string => piece.repeat(Math.floor(size / piece.length));
  it.each<[string, string]>([
    ['opening brackets', fill('[')],
    ['opening braces', fill('{')],
    ['flow maps in flow maps', fill('{a: ')],
    ['lists in lists', fill('- ')],
    ['explicit keys', fill('? ')],
    ['colons', fill(': ')],
    ['closing brackets', fill(']')],
    ['empty lists side by side', fill('[]')],
    ['commas', `[${fill(',').slice(1)}`],
    ['quotes', fill('"')],
    ['documents', fill('---\n')],
    ['directives', fill('%\n')],
    ['anchors', fill('&a ')],
    ['aliases', fill('*a ')],
    ['tags', fill('!a ')],
    ['equal keys', fill('a:\n')],
    ['indentation', Array.from({ length: 700 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
    ['ten thousand keys', Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['ten thousand nodes', `nodes:\n${Array.from({ length: 10_000 }, (_, index) => `  k${index}: {}`).join('\n')}`],
    ['one long number', `a: ${'9'.repeat(size - 4)}`],
    ['one long string', `a: "${'\\n'.repeat(size / 2 - 4)}"`],
    ['one long name', `a: {from: nodes.${'a.'.repeat(100_000)}}`],
    ['references to misspelt nodes', misspelt()],
    ['spaces', fill(' ')],
    ['line ends', fill('\n')],
  ])('answers to 256 KiB of %s', (_what, source) => {
    judge(source);
  });
});

/** 500 nodes with long names that are nearly alike, and a thousand references that are nearly right. */
function misspelt(): string {
  const key = (index: number): string => `${'a'.repeat(58)}${index}`;
  const nodes = Array.from(
    { length: 500 },
    (_, index) => `  ${key(index)}: {kind: fail, error: {code: a, message: b}}\n`,
  );
  const items = Array.from({ length: 1_000 }, (_, index) => `{from: nodes.${key(index).replace('aa', 'bab')}.output}`);
  return documentOf({
    start: key(0),
    nodes: `${nodes.join('')}  last: {kind: complete, output: {array: [${items.join(', ')}]}}\n`,
  });
}

describe('the catalog reader', () => {
  it('survives a good catalog with pieces replaced by others', () => {
    const pieces = [
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\\u0000',
      '\\',
      'null',
      '1e999',
      '-0',
      '"$ref": "#"',
      '"pattern"',
      '"tuple"',
      '0x1',
      '\ufeff',
    ];
    const edit = fc.tuple(fc.nat(ORDER_CATALOG.length), fc.nat(8), fc.constantFrom(...pieces));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        let text = ORDER_CATALOG;
        for (const [at, length, piece] of edits) text = text.slice(0, at) + piece + text.slice(at + length);
        const result = parseCatalog(text);
        if (!result.ok) expectSound(result.diagnostics, text);
      }),
      { numRuns: 150 },
    );
  });

  it('survives any JSON as a schema', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'allOf',
      '$ref',
      '$defs',
      'enum',
      'const',
      'format',
      'required',
      'not',
      'additionalProperties',
      'prefixItems',
      '$id',
      'minimum',
      'dependencies',
      'unevaluatedProperties',
      'discriminator',
      'nullable',
      '$async',
    );
    const schema = fc.dictionary(
      keyword,
      fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom('object', 'string', '#/$defs/a', '#', ['a']),
        fc.dictionary(keyword, fc.jsonValue({ maxDepth: 2 })),
      ),
    );
    fc.assert(
      fc.property(schema, (value) => {
        const text = JSON.stringify({ format: 'graphrun.catalog/v1', schemas: { 'x/v1': value } });
        const result = parseCatalog(text);
        if (!result.ok) expectSound(result.diagnostics, text);
      }),
      { numRuns: 150 },
    );
  });
});
