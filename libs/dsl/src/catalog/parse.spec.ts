import { describe, expect, it } from '@jest/globals';
import { ORDER_CATALOG } from '../testing/order-catalog.js';
import type { Json } from '../value.js';
import { catalogFromEntries } from './catalog.js';
import { parseCatalog } from './parse.js';

const contract = (more: object = {}): object => ({
  name: 'a',
  version: 1,
  input_schema: 'unit/v1',
  output_schema: 'unit/v1',
  execution: 'async',
  effects: 'external',
  recovery: 'Manual',
  error_codes: [],
  ...more,
});

function catalogText(parts: object): string {
  return JSON.stringify({ format: 'graphrun.catalog/v1', ...parts });
}

/** Codes, each with the text it points at. */
function faults(text: string): readonly string[] {
  const result = parseCatalog(text);
  if (result.ok) return [];
  const lines = text.split('\n');
  return result.diagnostics.map((d) => `${d.code} ${(lines[d.line - 1] ?? '').slice(d.column - 1, d.endColumn - 1)}`);
}

const schemaFaults = (schema: Json): readonly string[] => faults(catalogText({ schemas: { 'x/v1': schema } }));

describe('a catalog', () => {
  it('has the built-in schemas, its own, and contracts in camelCase', () => {
    const result = parseCatalog(ORDER_CATALOG);
    if (!result.ok) throw new Error('The example is refused');
    expect(Object.keys(result.catalog.schemas).toSorted()).toEqual([
      'boolean/v1',
      'counter/v1',
      'integer/v1',
      'number/v1',
      'order/v1',
      'reservation/v1',
      'string/v1',
      'twin/v1',
      'unit/v1',
    ]);
    expect(result.catalog.contracts[1]).toEqual({
      name: 'inventory.reserve',
      version: 1,
      inputSchema: 'order/v1',
      outputSchema: 'reservation/v1',
      execution: 'async',
      effects: 'external',
      recovery: 'RetrySafe',
      errorCodes: [
        { code: 'busy', retryable: true },
        { code: 'sold_out', retryable: false },
      ],
      reconciler: null,
    });
  });

  it('may be empty', () => {
    expect(parseCatalog('{"format": "graphrun.catalog/v1"}')).toMatchObject({ ok: true, catalog: { contracts: [] } });
  });

  it('links contracts and reconcilers', () => {
    const parts = {
      activities: [contract({ reconciler: { name: 'r', version: 2 } })],
      reconcilers: [{ name: 'r', version: 2, forward_activity: { name: 'a', version: 1 } }],
    };
    const result = parseCatalog(catalogText(parts));
    if (!result.ok) throw new Error('The example is refused');
    expect(result.catalog.reconcilers).toEqual([{ name: 'r', version: 2, forwardActivity: { name: 'a', version: 1 } }]);
    expect(result.catalog.contracts[0]?.reconciler).toEqual({ name: 'r', version: 2 });
  });

  it('is built again from stored entries', () => {
    const result = parseCatalog(ORDER_CATALOG);
    if (!result.ok) throw new Error('The example is refused');
    expect(catalogFromEntries({ schemas: {}, contracts: [] }).schemas['unit/v1']).toEqual({ type: 'null' });
    expect(catalogFromEntries(result.catalog)).toEqual(result.catalog);
  });

  it.each([
    ['another format', '{"format": "graphrun.catalog/v2"}', ['GR1108 "graphrun.catalog/v2"']],
    ['no format', '{}', ['GR1102 {']],
    ['a list', '[]', ['GR1103 []']],
    ['an unknown field', catalogText({ activites: [] }), ['GR1101 "activites"']],
    ['a schema without a version', catalogText({ schemas: { order: {} } }), ['GR1106 "order"']],
    ['an unknown schema', catalogText({ activities: [contract({ input_schema: 'unti/v1' })] }), ['GR1401 "unti/v1"']],
    ['an unknown recovery', catalogText({ activities: [contract({ recovery: 'retry' })] }), ['GR1110 "retry"']],
    ['a missing field', catalogText({ activities: [contract({ effects: undefined })] }), ['GR1102 "a"']],
    ['a contract twice', catalogText({ activities: [contract(), contract()] }), ['GR1607 "a"']],
    [
      'an error code twice',
      catalogText({
        activities: [
          contract({
            error_codes: [
              { code: 'e', retryable: true },
              { code: 'e', retryable: false },
            ],
          }),
        ],
      }),
      ['GR1111 "e"'],
    ],
    [
      'an unknown reconciler',
      catalogText({ activities: [contract({ reconciler: { name: 'r', version: 1 } })] }),
      ['GR1608 {"name":"r","version":1}'],
    ],
    [
      'a reconciler of nothing',
      catalogText({ reconcilers: [{ name: 'r', version: 1, forward_activity: { name: 'b', version: 1 } }] }),
      ['GR1608 {"name":"b","version":1}'],
    ],
  ])('with %s is refused', (_what, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it('with a faulty contract does not blame the reconciler that names it', () => {
    const parts = {
      activities: [contract({ effects: 'none' })],
      reconcilers: [{ name: 'r', version: 1, forward_activity: { name: 'a', version: 1 } }],
    };
    expect(faults(catalogText(parts))).toEqual(['GR1110 "none"']);
  });

  it('reports all errors at once', () => {
    const parts = { schemas: { 'x/v1': { pattern: 'a' } }, activities: [contract({ version: 0, execution: 'sync' })] };
    expect(faults(catalogText(parts))).toEqual(['GR1603 "pattern"', 'GR1110 0', 'GR1110 "sync"']);
  });
});

describe('schemas of a catalog', () => {
  it('may repeat a built-in one, and may not change it', () => {
    expect(faults(catalogText({ schemas: { 'integer/v1': { type: 'integer' } } }))).toEqual([]);
    expect(faults(catalogText({ schemas: { 'integer/v1': { type: 'number' } } }))).toEqual(['GR1606 "integer/v1"']);
    expect(faults(catalogText({ schemas: { 'integer/v1': { type: 'integer', title: 'n' } } }))).toEqual([
      'GR1606 "integer/v1"',
    ]);
    // Another version is another schema.
    expect(faults(catalogText({ schemas: { 'integer/v2': { type: 'number' } } }))).toEqual([]);
    // What the reader refuses is one mistake.
    expect(faults('{"format": "graphrun.catalog/v1", "schemas": {"unit/v1": -0}}')).toEqual(['GR1007 -0']);
  });

  it('may refer to their own parts, name their dialect, and carry annotations and unknown words', () => {
    expect(
      schemaFaults({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://example.com/order',
        title: 'Order',
        $defs: { id: { type: 'string', format: 'uuid' }, when: { type: 'string', format: 'date-time' } },
        properties: { id: { $ref: '#/$defs/id' }, other: { $ref: '#/$defs/id' }, at: { $ref: '#/$defs/when' } },
        'x-owner': 'sales',
        id: 'a word of older drafts',
        default: { pattern: 'this is data' },
        examples: [{ $ref: 'this too' }],
      }),
    ).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['a remote reference', { $ref: 'https://example.com/x' }, 'GR1602 "https://example.com/x"'],
    ['a reference to another schema', { $ref: 'order/v1' }, 'GR1602 "order/v1"'],
    ['a dynamic reference', { $dynamicRef: '#x' }, 'GR1602 "$dynamicRef"'],
    ['a dynamic anchor', { $dynamicAnchor: 'x' }, 'GR1602 "$dynamicAnchor"'],
    ['an anchor', { $anchor: 'x' }, 'GR1602 "$anchor"'],
    ['an identity inside', { properties: { a: { $id: 'x' } } }, 'GR1602 "$id"'],
    ['a reference to itself', { properties: { a: { $ref: '#' } } }, 'GR1602 "#"'],
    [
      'a cycle of references',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { items: { $ref: '#/$defs/a' } } } },
      'GR1602 "#/$defs/a"',
    ],
    ['a reference to nothing', { $ref: '#/$defs/a' }, 'GR1602 "#/$defs/a"'],
    ['a reference to what is no schema', { $ref: '#/x', x: { pattern: '(a+)+' } }, 'GR1602 "#/x"'],
    ['a pattern', { items: { pattern: 'a' } }, 'GR1603 "pattern"'],
    ['pattern properties', { patternProperties: {} }, 'GR1603 "patternProperties"'],
    ['an unknown format', { format: 'email' }, 'GR1604 "email"'],
    ['a type that does not exist', { type: 'int' }, 'GR1601 "int"'],
    ['a keyword of the wrong type', { properties: { a: { minimum: 'x' } } }, 'GR1601 "x"'],
    ['an empty enum', { enum: [] }, 'GR1601 {"enum":[]}'],
    [
      'another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      'GR1601 "http://json-schema.org/draft-07/schema#"',
    ],
    ['a word only Ajv knows', { type: 'string', nullable: true }, 'GR1601 "nullable"'],
    ['an asynchronous schema', { $async: true }, 'GR1601 "$async"'],
    [
      'a member that no check would see',
      JSON.parse('{"properties": {"__proto__": true}}') as Json,
      'GR1601 "__proto__"',
    ],
    ['a number for a schema', 5, 'GR1601 5'],
    ['too many bytes', { description: 'x'.repeat(256 * 1024) }, 'GR1605 "x/v1"'],
  ])('with %s are refused', (_what, schema, expected) => {
    expect(schemaFaults(schema)).toEqual([expected]);
  });

  it.each(['properties', 'dependentSchemas', '$defs'])('may have any word as a name under %s', (keyword) => {
    // A name is no keyword, whatever it looks like.
    const names = { pattern: {}, patternProperties: {}, $ref: {}, $id: {}, format: {}, nullable: {}, $dynamicRef: {} };
    expect(schemaFaults({ [keyword]: names })).toEqual([]);
  });

  it('may be 256 KiB large, and not a byte larger', () => {
    const sized = (bytes: number): Json => ({ title: 'x'.repeat(bytes - '{"title":""}'.length) });
    expect(schemaFaults(sized(256 * 1024))).toEqual([]);
    expect(schemaFaults(sized(256 * 1024 + 1))).toEqual(['GR1605 "x/v1"']);
    // As canonical JSON: spaces and line ends do not count.
    const text = JSON.stringify(sized(256 * 1024)).replace('{', `{${' '.repeat(5_000)}`);
    expect(faults(`{"format": "graphrun.catalog/v1", "schemas": {"x/v1": ${text}}}`)).toEqual([]);
  });

  it('may not be so wide that their validators cannot be compiled', () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ const: index }));
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      expect(schemaFaults({ [keyword]: many })).toEqual(['GR1605 "x/v1"']);
    }
    expect(schemaFaults({ enum: many.map((entry) => entry.const) })).toEqual([]);
    const level = (inner: Json): Json => ({ anyOf: [...many.slice(0, 300), inner] });
    expect(schemaFaults(level(level(level({ type: 'string' }))))).toEqual([]);
    expect(schemaFaults(level(level(level(level({ type: 'string' })))))).toEqual(['GR1605 "x/v1"']);
  });

  it('may not multiply by their references', () => {
    const defs: Record<string, Json> = { d0: { type: 'string' } };
    for (let index = 1; index < 30; index += 1) {
      const half = { $ref: `#/$defs/d${index - 1}` };
      defs[`d${index}`] = { allOf: [half, half] };
    }
    expect(schemaFaults({ $defs: defs })).toEqual(['GR1605 "x/v1"']);
  });
});
