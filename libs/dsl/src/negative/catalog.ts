/** The catalog of the broken definitions: the small one of this package, and what sagas and odd schemas need. */
import { catalogOf, ORDER_CATALOG } from '../testing/order-catalog.js';
import type { JsonObject } from '../value.js';

const base = JSON.parse(ORDER_CATALOG) as { readonly schemas: JsonObject; readonly activities: readonly JsonObject[] };

const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const SCHEMAS: JsonObject = {
  // Text under a name of its own is not `string/v1`.
  'text/v1': { type: 'string' },
  'maybe/v1': { type: ['integer', 'null'] },
  'open/v1': {
    type: 'object',
    properties: { n: { type: 'number' }, i: { type: 'integer' }, s: { type: 'string' }, b: { type: 'boolean' } },
  },
  'anything/v1': {},
  'union/v1': { anyOf: [{ type: 'string' }, closed({ s: { type: 'string' } }, ['s'])] },
  'ints/v1': { type: 'array', items: { type: 'integer' }, maxItems: 2 },
  'pair/v1': { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  'receipt/v1': closed({ city: { type: 'string' }, zip: { type: 'string' } }, ['city', 'zip']),
};

const ACTIVITIES: readonly JsonObject[] = [
  contract('inventory.release', 'reservation/v1', 'unit/v1', {
    error_codes: [
      { code: 'busy', retryable: true },
      { code: 'gone', retryable: false },
    ],
  }),
  contract('tax.quote', 'order/v1', 'integer/v1', { effects: 'pure' }),
  contract('tax.undo', 'integer/v1', 'unit/v1', {}),
];

function contract(name: string, input: string, output: string, more: JsonObject): JsonObject {
  const common = { version: 1, execution: 'async', effects: 'external', recovery: 'RetrySafe', error_codes: [] };
  return { name, ...common, input_schema: input, output_schema: output, ...more };
}

export const SHOP_CATALOG = catalogOf(
  JSON.stringify({
    ...base,
    schemas: { ...base.schemas, ...SCHEMAS },
    activities: [...base.activities, ...ACTIVITIES],
  }),
);
