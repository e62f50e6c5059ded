/** The small world that generated definitions live in: counters, orders and lists, and activities over them. */
import type { Catalog } from '../../catalog/catalog.js';
import type { Contract, SchemaRef } from '../../ir.js';
import type { Json } from '../../value.js';
import { catalogOf } from '../order-catalog.js';
import { member, optionalMember, schemaOf, type Piece } from './pieces.js';

const LINE: Piece = { members: { sku: member('string'), count: member('integer') } };

/** Named schemas, with the built-in ones. */
export const PIECES = {
  'counter/v1': { members: { value: member('integer') } },
  // The same JSON as counter/v1, and yet another schema.
  'twin/v1': { members: { value: member('integer') } },
  'order/v1': {
    members: {
      order_id: member('string'),
      amount: member('integer'),
      rate: optionalMember('number'),
      note: optionalMember('text'),
      gift: optionalMember('boolean'),
      lines: optionalMember({ list: LINE }),
    },
  },
  'line/v1': LINE,
  'reservation/v1': { members: { reservation_id: member('string'), line: member(LINE) } },
  'receipt/v1': { members: { receipt_id: member('string'), amount: member('number') } },
  'failure/v1': { members: { code: member('string'), message: member('string') } },
  'unit/v1': 'null',
  'string/v1': 'string',
  'integer/v1': 'integer',
  'number/v1': 'number',
  'boolean/v1': 'boolean',
} as const satisfies Readonly<Record<string, Piece>>;

const BUILT_IN: ReadonlySet<string> = new Set(['unit/v1', 'string/v1', 'integer/v1', 'number/v1', 'boolean/v1']);

/** Schemas that regions, carries, items and payloads may have; the simplest first. */
export const SCHEMAS: readonly [SchemaRef, ...SchemaRef[]] = [
  'counter/v1',
  'integer/v1',
  'order/v1',
  'string/v1',
  { array: 'order/v1' },
  { array: 'integer/v1' },
  { tuple: ['counter/v1', 'order/v1'] },
  'receipt/v1',
  'twin/v1',
  'boolean/v1',
  'number/v1',
  'unit/v1',
  'failure/v1',
  { tuple: [{ array: 'counter/v1' }, 'string/v1', 'integer/v1'] },
];

type ContractFields = Partial<Pick<Contract, 'execution' | 'effects' | 'recovery' | 'errorCodes' | 'reconciler'>>;

function contract(
  name: string,
  [inputSchema, outputSchema]: readonly [SchemaRef, SchemaRef],
  fields: ContractFields = {},
): Contract {
  const common = { version: 1, execution: 'async', effects: 'pure', recovery: 'RetrySafe' } as const;
  return { name, ...common, inputSchema, outputSchema, errorCodes: [], reconciler: null, ...fields };
}

const BUSY = { code: 'busy', retryable: true };
const RECONCILER = { name: 'payment.lookup', version: 1 };

/** Forward activities; the simplest first. */
export const ACTIVITIES: readonly [Contract, ...Contract[]] = [
  contract('counter.increment', ['counter/v1', 'counter/v1'], { errorCodes: [BUSY] }),
  contract('counter.double', ['integer/v1', 'integer/v1'], { execution: 'blocking' }),
  contract('order.price', ['order/v1', 'integer/v1'], {
    errorCodes: [{ code: 'unpriced', retryable: false }, BUSY, { code: 'slow', retryable: true }],
  }),
  contract('order.split', ['order/v1', { array: 'order/v1' }]),
  contract('list.sum', [{ array: 'integer/v1' }, 'integer/v1'], { recovery: 'Manual' }),
  contract('list.count', ['integer/v1', { array: 'integer/v1' }]),
  contract('pair.swap', [{ tuple: ['counter/v1', 'order/v1'] }, { tuple: ['order/v1', 'counter/v1'] }]),
  contract('inventory.reserve', ['order/v1', 'reservation/v1'], {
    effects: 'external',
    errorCodes: [BUSY, { code: 'sold_out', retryable: false }],
  }),
  contract('payment.charge', [{ tuple: ['order/v1', 'string/v1'] }, 'receipt/v1'], {
    effects: 'external',
    recovery: 'Manual',
    errorCodes: [{ code: 'declined', retryable: false }, BUSY],
    reconciler: RECONCILER,
  }),
  contract('mail.send', ['string/v1', 'unit/v1'], { effects: 'external', recovery: 'Manual' }),
];

/** Activities that undo others. */
export const COMPENSATIONS: readonly [Contract, ...Contract[]] = [
  contract('inventory.release', ['reservation/v1', 'unit/v1'], {
    effects: 'external',
    errorCodes: [BUSY, { code: 'slow', retryable: true }, { code: 'gone', retryable: false }],
  }),
  contract('payment.refund', [{ tuple: ['string/v1', 'number/v1'] }, 'receipt/v1'], {
    effects: 'external',
    recovery: 'Manual',
    errorCodes: [BUSY],
  }),
  contract('note.keep', ['integer/v1', 'unit/v1']),
];

/** Ends a chain of runs that continue as new: it fails with `last_page` once the counter has reached `LAST_PAGE`. */
export const PAGING = contract('counter.page', ['counter/v1', 'counter/v1'], {
  errorCodes: [{ code: 'last_page', retryable: false }],
});
export const LAST_PAGE = 3;

export const CONTRACTS: readonly Contract[] = [...ACTIVITIES, ...COMPENSATIONS, PAGING];

/** Signals a definition may declare, with the schemas of their payloads. */
export const SIGNALS: readonly [string, ...string[]] = ['approved', 'counted', 'order.changed'];
export const SIGNAL_SCHEMAS: Readonly<Record<string, SchemaRef>> = {
  approved: 'boolean/v1',
  counted: 'counter/v1',
  'order.changed': { tuple: ['order/v1', 'string/v1'] },
};

/** The catalog as JSON text. */
export const SHOP_CATALOG: string = JSON.stringify(
  {
    format: 'graphrun.catalog/v1',
    schemas: Object.fromEntries(
      Object.entries(PIECES)
        .filter(([name]) => !BUILT_IN.has(name))
        .map(([name, piece]): [string, Json] => [name, schemaOf(piece)]),
    ),
    activities: CONTRACTS.map(({ inputSchema, outputSchema, errorCodes, reconciler, ...rest }) => ({
      ...rest,
      input_schema: inputSchema,
      output_schema: outputSchema,
      error_codes: errorCodes,
      ...(reconciler === null ? {} : { reconciler }),
    })),
    reconcilers: [{ ...RECONCILER, forward_activity: { name: 'payment.charge', version: 1 } }],
  },
  null,
  2,
);

export const SHOP: Catalog = catalogOf(SHOP_CATALOG);
