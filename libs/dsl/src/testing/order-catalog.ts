/** A small catalog and documents that the tests of this package share. */
import type { Catalog } from '../catalog/catalog.js';
import { parseCatalog } from '../catalog/parse.js';
import type { CompileResult } from '../compile.js';
import { compileYaml } from '../compile.js';
import type { Artifact } from '../ir.js';
import { assertAccepted } from './editor-schema.js';

export const ORDER_CATALOG = JSON.stringify(
  {
    format: 'graphrun.catalog/v1',
    schemas: {
      'counter/v1': {
        type: 'object',
        required: ['value'],
        additionalProperties: false,
        properties: { value: { type: 'integer' } },
      },
      'order/v1': {
        type: 'object',
        required: ['order_id', 'amount'],
        additionalProperties: false,
        properties: {
          order_id: { type: 'string' },
          amount: { type: 'integer' },
          rate: { type: 'number' },
          note: { type: ['string', 'null'] },
          address: { type: 'object', additionalProperties: false, properties: { city: { type: 'string' } } },
          lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
          meta: {},
        },
      },
      'reservation/v1': {
        type: 'object',
        required: ['reservation_id'],
        additionalProperties: false,
        properties: { reservation_id: { type: 'string' }, amount: { type: 'integer' } },
      },
      // The same JSON as order/v1 must not make it the same schema.
      'twin/v1': {
        type: 'object',
        required: ['value'],
        additionalProperties: false,
        properties: { value: { type: 'integer' } },
      },
    },
    activities: [
      activity('counter.increment', 'counter/v1', 'counter/v1', { effects: 'pure' }),
      activity('inventory.reserve', 'order/v1', 'reservation/v1', {
        error_codes: [
          { code: 'busy', retryable: true },
          { code: 'sold_out', retryable: false },
        ],
      }),
      activity('math.add', { tuple: ['integer/v1', 'number/v1'] }, 'integer/v1', { effects: 'pure' }),
      activity('math.sum', { array: 'integer/v1' }, 'integer/v1', { effects: 'pure' }),
      activity('text.split', 'string/v1', { array: 'string/v1' }, { effects: 'pure' }),
    ],
    reconcilers: [],
  },
  null,
  2,
);

function activity(name: string, input: unknown, output: unknown, more: object): object {
  const common = { version: 1, execution: 'async', effects: 'external', recovery: 'RetrySafe', error_codes: [] };
  return { name, ...common, input_schema: input, output_schema: output, ...more };
}

/** The catalog of a text that must be sound. */
export function catalogOf(text: string): Catalog {
  const result = parseCatalog(text);
  if (!result.ok) throw new Error(result.diagnostics.map((found) => `${found.code} ${found.message}`).join('\n'));
  assertAccepted('catalog', text);
  return result.catalog;
}

export const CATALOG: Catalog = catalogOf(ORDER_CATALOG);

/** The counter example, complete. */
export const BUMP = `dsl: graphrun/v1
id: bump
version: 1
input_schema: counter/v1
output_schema: counter/v1
start: inc
nodes:
  inc:
    kind: activity
    activity: {name: counter.increment, version: 1}
    input: {from: workflow.input}
    next: done
  done:
    kind: complete
    output: {from: nodes.inc.output}
`;

export interface DocumentParts {
  readonly input?: string;
  readonly output?: string;
  readonly start?: string;
  /** YAML lines of the nodes, indented by two spaces. */
  readonly nodes: string;
  /** Further lines of the document. */
  readonly header?: string;
}

/** A document around some nodes. The nodes begin on line 8. */
export function documentOf(parts: DocumentParts): string {
  const { input = 'counter/v1', output = 'counter/v1', start = 'first', nodes, header = '' } = parts;
  return `dsl: graphrun/v1\nid: test\nversion: 1\ninput_schema: ${input}\noutput_schema: ${output}\nstart: ${start}\nnodes:\n${nodes}${header}`;
}

/** Compiles a document. What compiles must also pass the schema for editors, so every test proves a little of that. */
export function compile(source: string, catalog: Catalog = CATALOG): CompileResult {
  const result = compileYaml(source, { catalog, file: 'test.yaml' });
  if (result.ok) assertAccepted('workflow', source, result.warnings);
  return result;
}

/** The artifact of a document that must be sound. */
export function artifactOf(source: string, catalog: Catalog = CATALOG): Artifact {
  const result = compile(source, catalog);
  if (!result.ok)
    throw new Error(result.diagnostics.map((found) => `${found.line}: ${found.code} ${found.message}`).join('\n'));
  return result.artifact;
}

/** What a document is refused for, as `line:column code`. */
export function faultsOf(source: string, catalog: Catalog = CATALOG): readonly string[] {
  const result = compile(source, catalog);
  return result.ok ? [] : result.diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
}
