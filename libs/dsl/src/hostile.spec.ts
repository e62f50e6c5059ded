/** Small sources that are written to be read differently by different readers: each has exactly one answer here. */
import { describe, expect, it } from '@jest/globals';
import { parseCatalog } from './catalog/parse.js';
import { compileYaml } from './compile.js';
import { BUMP, CATALOG, documentOf } from './testing/order-catalog.js';
import { unsoundDiagnostics } from './testing/sound-diagnostics.js';
import type { Json } from './value.js';

/** Codes of the complaints, or the digest of a sound document. */
function answerTo(source: string): { readonly digest: string } | { readonly codes: readonly string[] } {
  const result = compileYaml(source, { catalog: CATALOG });
  if (result.ok) return { digest: result.artifact.digest };
  expect(unsoundDiagnostics(result.diagnostics, source)).toEqual([]);
  return { codes: result.diagnostics.map(({ code }) => code) };
}

function bump(from: string, to: string): string {
  if (!BUMP.includes(from)) throw new Error(`The example has no ${from}`);
  return BUMP.replace(from, to);
}

function renamed(key: string): string {
  return BUMP.replace('  inc:', `  ${key}:`).replace('start: inc', `start: ${key}`).replace('.inc.', `.${key}.`);
}

/** A document that returns what is written after `meta:`, where anything may stand. */
function returning(spelling: string): string {
  const nodes = `  first:\n    kind: complete\n    output: {literal: {order_id: a, amount: 1, meta: ${spelling}}}\n`;
  return documentOf({ input: 'order/v1', output: 'order/v1', nodes });
}

function valueOf(spelling: string): Json | readonly string[] {
  const result = compileYaml(returning(spelling), { catalog: CATALOG });
  if (!result.ok) return result.diagnostics.map(({ code }) => code);
  const { first } = result.artifact.definition.root.nodes;
  const output = first?.kind === 'complete' && 'literal' in first.output ? first.output.literal : null;
  return (output as { readonly meta: Json }).meta;
}

describe('a plain scalar', () => {
  it.each<[string, Json | readonly string[]]>([
    ['0x10', ['GR1006']],
    ['0o7', ['GR1006']],
    ['012', ['GR1006']],
    ['-012', ['GR1006']],
    ['.5', ['GR1006']],
    ['1.', ['GR1006']],
    ['+5', ['GR1006']],
    ['.inf', ['GR1006']],
    ['-.INF', ['GR1006']],
    ['.nan', ['GR1006']],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['-1.5e-1', -0.15],
    ['1.0', 1],
    ['-0', ['GR1007']],
    ['-0.0', ['GR1007']],
    ['1e999', ['GR1007']],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740992', ['GR1007']],
    ['99999999999999999999999', ['GR1007']],
    ['1e21', ['GR1007']],
    ['"99999999999999999999999"', '99999999999999999999999'],
    ['1_000', '1_000'],
    ['0b1', '0b1'],
    ['12:30:00', '12:30:00'],
    ['2024-01-01', '2024-01-01'],
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
    ['yes', 'yes'],
    ['No', 'No'],
    ['on', 'on'],
    ['y', 'y'],
    ['TRUE', true],
    ['tRUE', 'tRUE'],
    ['~', null],
    ['NULL', null],
    ['nil', 'nil'],
    ['=', '='],
    ['<<', '<<'],
    ["'it''s'", "it's"],
    ['"\\u00e9\\x41\\U0001F600"', 'éA😀'],
    ['"\\0"', ['GR1009']],
    ['"\\ud800"', ['GR1009']],
    ['"\\ud83d\\ude00"', '😀'],
    ['é', 'é'],
    ['e\u0301', 'e\u0301'],
    ['\u202eabc', '\u202eabc'],
    ['{a: 1, a: 2}', ['GR1005']],
    ['{a: 1, "a": 2}', ['GR1005']],
    ['[{b: {c: 1, c: 1}}]', ['GR1005']],
    ['{é: 1, e\u0301: 2}', { é: 1, 'e\u0301': 2 }],
    ['{1: 1}', ['GR1010']],
    ['{null: 1}', ['GR1010']],
    ['{"1": 1, "null": 2}', { 1: 1, null: 2 }],
    ['{__proto__: {x: 1}, constructor: 2}', JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as Json],
    ['{? [a] : 1}', ['GR1010']],
    ['{<<: {a: 1}}', ['GR1004']],
    ['!!str 1', ['GR1004']],
    ['&a 1', ['GR1004']],
    ['{a: &a [x, x], b: &b [*a, *a], c: [*b, *b]}', Array<string>(6).fill('GR1004')],
    ['[a, b', ['GR1001', 'GR1001']],
    [`${'['.repeat(31)}${']'.repeat(31)}`, nested(31)],
    [`${'['.repeat(32)}${']'.repeat(32)}`, ['GR1307']],
    [`${'['.repeat(300)}${']'.repeat(300)}`, ['GR1008']],
  ])('%s is what it is', (spelling, expected) => {
    expect(valueOf(spelling)).toEqual(expected);
  });
});

function nested(depth: number): Json {
  return depth === 1 ? [] : [nested(depth - 1)];
}

describe('a document', () => {
  const same = answerTo(BUMP);

  it.each([
    ['with the line ends of Windows', BUMP.replaceAll('\n', '\r\n')],
    ['with both kinds of line ends', BUMP.replace('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${BUMP}`],
    ['with the marks of a document', `---\n${BUMP}...\n`],
    ['with the version of YAML', `%YAML 1.2\n---\n${BUMP}`],
    ['with tabs between the words', bump('version: 1', 'version:\t1\t# a tab')],
    ['without a line end at its end', BUMP.trimEnd()],
    ['with comments that look like YAML', BUMP.replaceAll('\n', ' # {[a: &b *c !d\n')],
  ])('%s is the same', (_what, source) => {
    expect(answerTo(source)).toEqual(same);
  });

  it.each<[string, string, readonly string[]]>([
    ['with a tab as indentation', bump('    next: done', '\tnext: done'), ['GR1001']],
    ['with two byte order marks', `\ufeff\ufeff${BUMP}`, ['GR1101']],
    ['with the line ends of very old computers', BUMP.replaceAll('\n', '\r'), ['GR1001']],
    ['of another version of YAML', `%YAML 1.1\n---\n${BUMP}`, ['GR1004']],
    ['after another one', `--- a\n--- b\n`, ['GR1003']],
    ['with a name in Cyrillic', bump('id: bump', 'id: bumр'), ['GR1106']],
    ['with a name that ends invisibly', bump('id: bump', 'id: "bump\u200b"'), ['GR1106']],
    ['with a node key in capitals', renamed('Inc'), ['GR1106']],
    ['with a node key with an accent', renamed('incé'), ['GR1106']],
    ['that refers to a member that every object has', bump('nodes.inc.output', 'nodes.constructor.output'), ['GR1303']],
    ['that starts at a member that every object has', bump('start: inc', 'start: constructor'), ['GR1201']],
    ['with an activity that every object has', bump('counter.increment', 'constructor'), ['GR1501']],
    [
      'with a schema that every object has',
      bump('output_schema: counter/v1', 'output_schema: constructor/v1'),
      ['GR1401'],
    ],
    ['with a field that every object has', bump('version: 1\n', 'version: 1\nconstructor: 1\n'), ['GR1101']],
    ['with the key that sets a prototype', bump('version: 1\n', 'version: 1\n__proto__: {id: x}\n'), ['GR1101']],
    ['that is a number', '1', ['GR1103']],
    ['that is a list', '[]', ['GR1103']],
    ['that is null', '~', ['GR1103']],
    ['that is an empty map', '{}', Array<string>(7).fill('GR1102')],
  ])('%s is refused', (_what, source, codes) => {
    expect(answerTo(source)).toEqual({ codes });
  });
});

describe('a JSON Schema that looks endless', () => {
  const catalog = (schema: unknown): readonly string[] => {
    const text = JSON.stringify({ format: 'graphrun.catalog/v1', schemas: { 'x/v1': schema } }, null, 1);
    const result = parseCatalog(text);
    if (result.ok) return [];
    expect(unsoundDiagnostics(result.diagnostics, text)).toEqual([]);
    return result.diagnostics.map(({ code }) => code);
  };
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
  const doubling = (levels: number) =>
    Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `d${level}`,
        { allOf: [ref(`d${level + 1}`), ref(`d${level + 1}`)] },
      ]),
    );

  it.each<[string, unknown, readonly string[]]>([
    ['for referring to itself', { $ref: '#' }, ['GR1602']],
    ['for referring to itself inside', { properties: { next: { $ref: '#' } } }, ['GR1602']],
    [
      'for two parts that refer to each other',
      { ...ref('a'), $defs: { a: ref('b'), b: { not: ref('a') } } },
      ['GR1602'],
    ],
    ['for parts that double and double', { ...ref('d0'), $defs: { ...doubling(40), d40: {} } }, ['GR1605']],
    ['for a part that does not exist', ref('nowhere'), ['GR1602']],
    ['for leading out of its schemas', { $ref: '#/properties/a/const', properties: { a: { const: {} } } }, ['GR1602']],
    ['for a reference with a stray percent sign', { $ref: '#/%zz' }, ['GR1602']],
    ['for a reference to elsewhere', { $ref: 'https://example.org/schema' }, ['GR1602']],
    ['for a dynamic reference', { $dynamicRef: '#a' }, ['GR1602']],
    ['for a regular expression that takes for ever', { pattern: '^(a+)+$' }, ['GR1603']],
  ])('is refused %s', (_what, schema, codes) => {
    expect(catalog(schema)).toEqual(codes);
  });

  it('is accepted when it ends', () => {
    expect(catalog({ allOf: [ref('a'), ref('a')], $defs: { a: ref('b'), b: { type: 'string' } } })).toEqual([]);
    expect(catalog({ const: { $ref: '#' }, examples: [{ $ref: '#' }] })).toEqual([]);
  });
});
