/**
 * Compiles every example of `docs/language.md` and `docs/diagnostics.md`. The info strings of their code blocks:
 *
 * - `json catalog`: the catalog that all examples use
 * - `yaml workflow`: a complete document that compiles
 * - `yaml base`: the document that parts are put into
 * - `yaml|json good in <place>`, `yaml|json bad <code> in <place>`: a part, and what the compiler must say. Places are
 *   `document`, `nodes`, `reserve`, `done` and `whole` (all but the first three lines) of the base document, `schema`, and
 *   `catalog`.
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

const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

/** The base document with a part in the place of the fields it names. */
function place(part: string, where: string): string {
  const text = expand(part);
  const [header, nodes] = base.split('nodes:\n');
  if (header === undefined || nodes === undefined) throw new Error('The base document has no nodes');
  if (where === 'whole') return `${header.split('\n').slice(0, 3).join('\n')}\n${text}`;
  if (where === 'nodes') return `${header}nodes:\n${indent(text, '  ')}`;
  if (where === 'document') return `${replaceFields(header, text, '')}nodes:\n${nodes}${addedFields(header, text)}`;
  const [reserve, done] = nodes.split('  done:\n');
  if (reserve === undefined || done === undefined) throw new Error('The base document has no node "done"');
  const added = (node: string): string =>
    indent(replaceFields(node, text, '    ') + addedFields(node, text, '    '), '');
  return where === 'reserve'
    ? `${header}nodes:\n${added(reserve)}  done:\n${done}`
    : `${header}nodes:\n${reserve}  done:\n${added(done)}`;
}

const fieldsOf = (text: string): readonly string[] => [...text.matchAll(/^(\w+):/gm)].map((match) => match[1] ?? '');

/** The lines of `original`, those whose field the part names replaced by the part's. */
function replaceFields(original: string, part: string, by: string): string {
  return original
    .split('\n')
    .map((line) => {
      const field = fieldsOf(line.slice(by.length))[0];
      const replacement =
        field === undefined ? undefined : part.split('\n').find((candidate) => candidate.startsWith(`${field}:`));
      return replacement === undefined || !line.startsWith(by) ? line : by + replacement;
    })
    .join('\n');
}

/** The lines of the part that replace nothing. */
function addedFields(original: string, part: string, by = ''): string {
  const known = new Set(fieldsOf(original.replaceAll(new RegExp(`^${by}`, 'gm'), '')));
  const lines = part.split('\n').filter((line) => line !== '' && !known.has(fieldsOf(line)[0] ?? ''));
  return lines.map((line) => `${by}${line}\n`).join('');
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
    const known =
      /^(json catalog|yaml workflow|yaml base|text|(yaml|json) (good|bad GR\d{4}) in (document|nodes|reserve|done|whole|schema|catalog))$/;
    expect(EXAMPLES.map(([, { info }]) => info).filter((info) => !known.test(info))).toEqual([]);
  });

  it.each(examples(/^yaml (workflow|base)$|^(yaml|json) good /))('has a sound example: %s', (_name, block) => {
    expect(judge(block)).toEqual([]);
  });

  it.each(examples(/ bad /))('has a broken example: %s', (_name, block) => {
    const code = / bad (GR\d{4})/.exec(block.info)?.[1];
    const found = judge(block);
    expect(found.at(-1)).toBe(code);
    if (code !== 'GR1000' && code !== 'GR1203') expect(found).toEqual([code]);
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
