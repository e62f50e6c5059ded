/**
 * Compiles every example of `docs/language.md` and `docs/diagnostics.md`. The info strings of their code blocks:
 *
 * - `json catalog`: the catalog that all examples use
 * - `yaml workflow`: a complete document that compiles
 * - `yaml base`: the document that parts are put into
 * - `yaml|json good in <place>`, `yaml|json bad <code> in <place>`: a part, and what the compiler must say. Places are
 *   `document` and the nodes of the base document (fields that take the place of those of the same name), its `nodes` (all of
 *   them), its `whole` (but for the first three lines), the `when` of a case, one `schema` of a catalog, and a whole `catalog`
 * - `text`: output, which other tests compare
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseCatalog } from './catalog/parse.js';
import { DIAGNOSTIC_CODES } from './codes.js';
import { compileYaml } from './compile.js';
import { renderDiagnostic } from './diagnostic.js';
import { catalogOf, compile } from './testing/order-catalog.js';

interface Block {
  readonly info: string;
  readonly text: string;
  readonly line: number;
  /** The heading above it. */
  readonly heading: string;
}

const read = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const LANGUAGE = blocksOf(read('language.md'));
const DIAGNOSTICS = blocksOf(read('diagnostics.md'));

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: { info: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (open === null) {
      if (line.startsWith('#')) heading = line;
      if (fence !== null) open = { info: fence[1] ?? '', line: index + 1, lines: [] };
    } else if (fence === null) open.lines.push(line);
    else {
      blocks.push({ info: open.info, text: `${open.lines.join('\n')}\n`, line: open.line, heading });
      open = null;
    }
  }
  return blocks;
}

function only(blocks: readonly Block[], info: string): string {
  const [block, ...others] = blocks.filter((candidate) => candidate.info === info);
  if (block === undefined || others.length > 0) throw new Error(`There must be exactly one block "${info}"`);
  return block.text;
}

const catalog = catalogOf(only(LANGUAGE, 'json catalog'));
const base = only(DIAGNOSTICS, 'yaml base');

/** `<3 times x#\n>` becomes three lines, each with its number. */
function expand(text: string): string {
  return text.replace(/<(\d+) times (.*?)>(?!\])/g, (_match, count: string, piece: string) =>
    Array.from({ length: Number(count) }, (_, index) =>
      piece.replaceAll('#', String(index)).replaceAll('\\n', '\n'),
    ).join(''),
  );
}

/** The lines of a field and everything below it; what stands before the first field has no name. */
interface Part {
  readonly field: string;
  readonly lines: readonly string[];
}

function partsOf(text: string): readonly Part[] {
  const parts: { field: string; lines: string[] }[] = [];
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    const field = /^([\w.]+):/.exec(line)?.[1];
    const last = parts.at(-1);
    if (field === undefined && last !== undefined) last.lines.push(line);
    else parts.push({ field: field ?? '', lines: [line] });
  }
  return parts;
}

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('');
const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');
const outdent = (text: string): string => text.replace(/^ {2}/gm, '');

/** The fields of `original`, with those of `text` in the place of its own of the same name, and behind them the others. */
function withFields(original: string, text: string): string {
  const given = partsOf(text);
  const replaced = partsOf(original).flatMap((part) => {
    const same = given.filter(({ field }) => field === part.field);
    return same.length === 0 ? [part] : same;
  });
  return textOf([...replaced, ...given.filter((part) => !replaced.includes(part))]);
}

/** What lies below a field, moved to the margin. */
function below(text: string, name: string): string {
  const part = partsOf(text).find(({ field }) => field === name);
  if (part === undefined) throw new Error(`The base document has no "${name}"`);
  return outdent(textOf([{ field: name, lines: part.lines.slice(1) }]));
}

/** Nodes in the place of those of the base document, with a condition that decides between two equal bodies. */
function choiceOf(condition: string): string {
  const schemas = 'input_schema: order/v1, output_schema: reservation/v1';
  const body = `{${schemas}, start: done, nodes: {done: {kind: fail, error: {code: a, message: b}}}}`;
  return `nodes:
  reserve:
    kind: choose
    input: {from: workflow.input}
    default: ${body}
    next: done
    cases:
      - name: first
        body: ${body}
        when:
${indent(indent(indent(indent(indent(condition)))))}  done: {kind: complete, output: {from: nodes.reserve.output}}
`;
}

/** The base document with a part in the place of what it names. */
function place(part: string, where: string): string {
  const text = expand(part);
  const [dsl = '', id = '', version = ''] = base.split('\n');
  if (where === 'whole') return `${dsl}\n${id}\n${version}\n${text}`;
  if (where === 'document') return withFields(base, text);
  if (where === 'when') return withFields(base, choiceOf(text));
  if (where === 'nodes') return withFields(base, `nodes:\n${indent(text)}`);
  const nodes = below(base, 'nodes');
  const node = withFields(below(nodes, where), text);
  return withFields(base, `nodes:\n${indent(withFields(nodes, `${where}:\n${indent(node)}`))}`);
}

/** The codes that the compiler gives for an example. */
function judge(block: Block): readonly string[] {
  const where = / in (\w+)$/.exec(block.info)?.[1] ?? '';
  if (where === 'schema' || where === 'catalog') {
    const text = expand(block.text);
    const source = where === 'catalog' ? text : `{"format": "graphrun.catalog/v1", "schemas": {"example/v1": ${text}}}`;
    const result = parseCatalog(source);
    return result.ok ? [] : result.diagnostics.map(({ code }) => code);
  }
  const result = compile(where === '' ? block.text : place(block.text, where), catalog);
  return (result.ok ? result.warnings : result.diagnostics).map(({ code }) => code);
}

const EXAMPLES = [...LANGUAGE, ...DIAGNOSTICS].map((block): [string, Block] => [
  `${block.info} (line ${block.line})`,
  block,
]);
const examples = (pattern: RegExp): [string, Block][] => EXAMPLES.filter(([, block]) => pattern.test(block.info));

describe('the documentation of the language', () => {
  it('has only code blocks that this test knows', () => {
    const places = [
      'document',
      'nodes',
      'whole',
      'when',
      'schema',
      'catalog',
      ...partsOf(below(base, 'nodes')).map(({ field }) => field),
    ];
    const known = new RegExp(
      `^(json catalog|yaml workflow|yaml base|text|(yaml|json) (good|bad GR\\d{4}) in (${places.join('|')}))$`,
    );
    expect(EXAMPLES.map(([, { info }]) => info).filter((info) => !known.test(info))).toEqual([]);
  });

  it.each(examples(/^yaml (workflow|base)$|^(yaml|json) good /))('has a sound example: %s', (_name, block) => {
    expect(judge(block)).toEqual([]);
  });

  it.each(examples(/ bad /))('has a broken example: %s', (_name, block) => {
    const code = / bad (GR\d{4})/.exec(block.info)?.[1];
    const found = judge(block);
    // What is cut off after a thousand errors are errors as well.
    if (code === 'GR1000') expect(found.at(-1)).toBe(code);
    else expect(found).toEqual([code]);
  });

  it('has an entry with its title, a bad and a good example for every code', () => {
    const entries = Object.entries(DIAGNOSTIC_CODES).map(
      ([code, title]) => `### <a id="${code.toLowerCase()}"></a>${code}: ${title}`,
    );
    const headings = (pattern: RegExp): ReadonlySet<string> =>
      new Set(DIAGNOSTICS.filter(({ info }) => pattern.test(info)).map(({ heading }) => heading));
    expect([...headings(/ bad /)]).toEqual(entries);
    expect([...headings(/ good /)]).toEqual(entries);
  });

  it('shows a diagnostic as it is rendered', () => {
    const source = base.replace('next: done', 'next: dnoe');
    const result = compileYaml(source, { catalog, file: 'order.yaml' });
    const [diagnostic] = result.ok ? [] : result.diagnostics;
    if (diagnostic === undefined) throw new Error('The example compiles');
    expect(`${renderDiagnostic(diagnostic, source)}\n`).toBe(only(DIAGNOSTICS, 'text'));
  });
});
