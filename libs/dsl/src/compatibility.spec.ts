/**
 * `docs/compatibility.md`: what is refused on purpose is refused with its code, what others pass over has the code of the
 * page, and what is beyond the original language is listed.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Catalog } from './catalog/catalog.js';
import { parseCatalog } from './catalog/parse.js';
import { EXTENSIONS } from './extensions.js';
import { sectionsOf } from './testing/markdown.js';
import { catalogOf, compile } from './testing/order-catalog.js';

const page = (name: string) => sectionsOf(readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8'));
const PAGE = page('compatibility.md');
const GUIDE_CATALOG: Catalog = catalogOf(
  page('language.md').flatMap(({ blocks }) => blocks.filter(({ info }) => info === 'json catalog'))[0]?.text ?? '',
);

const HEADER = 'dsl: graphrun/v1\nid: example\nversion: 1\n';

/** Codes of what the compiler says about an example of the page. */
function judge(info: string, text: string): readonly string[] {
  if (info.startsWith('json')) {
    const result = parseCatalog(`{"format": "graphrun.catalog/v1", "schemas": {"example/v1": ${text}}}`);
    return result.ok ? [] : result.diagnostics.map(({ code }) => code);
  }
  const result = compile(HEADER + text, GUIDE_CATALOG);
  return (result.ok ? result.warnings : result.diagnostics).map(({ code }) => code);
}

describe('what is refused on purpose', () => {
  const examples = PAGE.flatMap(({ title, blocks }) =>
    blocks.filter(({ info }) => info !== 'text').map(({ info, text }): [string, string, string] => [title, info, text]),
  );

  it.each(examples)('%s: %s', (_title, info, text) => {
    const code = / refused (GR\d{4})$/.exec(info)?.[1];
    expect([...new Set(judge(info, text))]).toEqual(code === undefined ? [] : [code]);
  });

  it('has an example of each difference, refused and as it should be', () => {
    const titles = (kind: string) => [
      ...new Set(examples.filter(([, info]) => info.includes(kind)).map(([title]) => title)),
    ];
    expect(titles('accepted')).toEqual(titles('refused'));
    expect(titles('refused')).toHaveLength(10);
  });

  it.each(['012', '0x10', '0o7', '.5', '1.', '+5', '.inf', '-0', '1_000.5e'])(
    'number %s is refused or text',
    (spelling) => {
      const text = `input_schema: unit/v1\noutput_schema: number/v1\nstart: x\nnodes: {x: {kind: complete, output: {literal: ${spelling}}}}\n`;
      const refused = { '-0': 'GR1007', '1_000.5e': 'GR1404' }[spelling] ?? 'GR1006';
      expect(judge('yaml', text)).toEqual([refused]);
    },
  );
});

// ------------------------------------------------------------------------------------------------- small documents

const BODY = 'start: a, nodes: {a: {kind: complete, output: {from: scope.input}}}';
const SCHEMAS = 'input_schema: page/v1, output_schema: page/v1';
const SWEEP = 'kind: activity, activity: {name: orders.sweep, version: 1}, input: {from: workflow.input}, next: done';

/** Fields of a document that takes and gives a page: the node `x`, and a node `done` that gives the input back. */
function withNode(x: string, header = ''): string {
  const done = 'done: {kind: complete, output: {from: workflow.input}}';
  return `input_schema: page/v1\noutput_schema: page/v1\n${header}start: x\nnodes:\n  x: {${x}}\n  ${done}\n`;
}

function loop(kind: string, fields: string, body = `{${SCHEMAS}, ${BODY}}`): string {
  return `kind: ${kind}, ${fields}, state: {from: workflow.input}, state_schema: page/v1, max_iterations: 1, body: ${body}, next: done`;
}

const repeat = (body?: string): string => loop('repeat', 'count: {literal: 1}', body);

describe('what the original passes over', () => {
  const rows = PAGE.find(({ title }) => title === 'What the original passes over')?.rows ?? [];

  const yaml = (x: string): readonly string[] => judge('yaml', withNode(x));
  const failing = (error: string): readonly string[] => [
    // The node `done` is unreachable then, which is not the point.
    ...judge('yaml', withNode(`kind: fail, error: {${error}}`)).filter((code) => code !== 'GR1203'),
  ];
  const catalog = (activities: string): readonly string[] => {
    const result = parseCatalog(`{"format": "graphrun.catalog/v1", "activities": [${activities}]}`);
    return result.ok ? [] : result.diagnostics.map(({ code }) => code);
  };
  const contract = (more = ''): string =>
    `{"name": "a", "version": 1, "input_schema": "unit/v1", "output_schema": "unit/v1", "execution": "async", "effects": "pure", "recovery": "Manual"${more}}`;
  const order = '{object: {order_id: {literal: a}, amount: {literal: 1}}}';
  const reserve = `kind: activity, activity: {name: inventory.reserve, version: 1}, input: ${order}, next: done`;

  const MISTAKES: readonly [string, readonly string[]][] = [
    ['a field of a contract', catalog(contract(', "owner": "me"'))],
    ['a condition on a repeat', yaml(loop('repeat', 'count: {literal: 1}, condition: {exists: {from: loop.state}}'))],
    ['a code that is not a name', failing('code: not found, message: x')],
    ['leading zeros in a duration', yaml(`${SWEEP}, timeout: "030s"`)],
    ['a delay of more than 365 days', yaml('kind: delay, duration: 366d, next: done')],
    ['a code that is listed twice', yaml(`${reserve}, retry: {errors: [inventory.busy, inventory.busy]}`)],
    ['a message of 1,025 bytes', failing(`code: x, message: ${'x'.repeat(1_025)}`)],
    ['exists of a literal', yaml(loop('while', 'condition: {exists: {from: loop.state, literal: 1}}'))],
    ['a contract that is declared twice', catalog(`${contract()}, ${contract()}`)],
  ];

  it.each(MISTAKES.map(([mistake, codes], index) => ({ mistake, codes, row: rows[index] })))(
    '$mistake is refused with the code of the page',
    ({ codes, row }) => {
      expect(codes).toEqual([/GR\d{4}/.exec(row?.[1] ?? '')?.[0]]);
    },
  );

  it('is all on the page', () => {
    expect(rows).toHaveLength(MISTAKES.length);
  });
});

describe('what is beyond the original', () => {
  const extensionsOf = (fields: string): readonly string[] => {
    const result = compile(HEADER + fields, GUIDE_CATALOG);
    return result.ok ? result.extensions : ['refused'];
  };
  const route = 'on_error: [{codes: any, next: done}]';
  const withDefault = '{from: workflow.input, path: /number, default: 1}';

  it.each<[(typeof EXTENSIONS)[number], string]>([
    ['on_error', withNode(`${SWEEP}, ${route}`)],
    ['default', withNode(`kind: delay, duration: ${withDefault}, next: done`)],
    ['regions', withNode(repeat('{use: same}'), `regions: {same: {${SCHEMAS}, ${BODY}}}\n`)],
    ['inferred_schemas', withNode(repeat(`{${BODY}}`))],
    ['description', withNode(SWEEP, 'description: ""\n')],
    ['labels', withNode(`${SWEEP}, labels: {a: b}`)],
  ])('%s is listed where it is used, and nothing else is', (extension, fields) => {
    expect(extensionsOf(fields)).toEqual([extension]);
  });

  it('is listed in a fixed order when all of it is used', () => {
    const annotated = `labels: {a: b}, description: d, ${route}, ${repeat('{use: same}')}`;
    const fields = withNode(annotated.replace('{literal: 1}', withDefault), `regions: {same: {${BODY}}}\n`);
    expect(extensionsOf(fields)).toEqual(EXTENSIONS);
  });

  it('is nothing that belongs to the language itself', () => {
    expect(extensionsOf(withNode(SWEEP))).toEqual([]);
    expect(extensionsOf(withNode(repeat()))).toEqual([]);
    const header = 'search_attributes: {page: {from: workflow.input, path: /number}}\nrun_timeout: 1d\n';
    expect(extensionsOf(withNode(`${SWEEP}, retry: {backoff: {multiplier: 1.5}}`, header))).toEqual([]);
  });

  it('stands on the page, each with what to write elsewhere, and as validate says it', () => {
    const added = PAGE.find(({ title }) => title === 'What this implementation adds');
    expect(added?.rows.map(([extension, ...cells]) => [extension?.replaceAll('`', ''), cells.length])).toEqual(
      EXTENSIONS.map((extension) => [extension, 2]),
    );
    const used = extensionsOf(
      withNode(`${loop('repeat', `count: ${withDefault}`, `{${SCHEMAS}, ${BODY}}`)}, ${route}`),
    );
    expect(added?.blocks.map(({ text }) => text)).toEqual([`uses beyond graphrun/v1: ${used.join(', ')}\n`]);
  });
});
