/** A catalog, and what `graphrun codegen` would write for it: what the tests of the builder share. */
import { catalogOf } from '../../testing/order-catalog.js';
import type { Json, JsonObject } from '../../value.js';
import { activityReference, arrayOf, schema } from '../witness.js';

export interface Order {
  readonly order_id: string;
  readonly amount: number;
  readonly currency: 'eur' | 'usd';
  readonly note?: string | null;
  readonly address?: { readonly city: string; readonly zip?: string };
  readonly lines?: readonly { readonly sku: string; readonly count: number }[];
  readonly meta?: Json;
}
export const Order = schema<Order, 'order/v1'>('order/v1');

/** The same JSON as an order, and another type. */
export type ReservedOrder = Order;
export const ReservedOrder = schema<ReservedOrder, 'reserved_order/v1'>('reserved_order/v1');

export interface Receipt {
  readonly order_id: string;
  readonly payment_id: string;
}
export const Receipt = schema<Receipt, 'receipt/v1'>('receipt/v1');

export interface Counter {
  readonly value: number;
}
export const Counter = schema<Counter, 'counter/v1'>('counter/v1');

export interface Approval {
  readonly approved: boolean;
  readonly by: string;
}
export const Approval = schema<Approval, 'approval/v1'>('approval/v1');

export const inventory = {
  reserve: activityReference({
    name: 'inventory.reserve',
    version: 1,
    input: Order,
    output: ReservedOrder,
    effects: 'external',
    retryable: ['busy'],
  }),
  release: activityReference({
    name: 'inventory.release',
    version: 1,
    input: ReservedOrder,
    output: Counter,
    effects: 'external',
    retryable: ['busy'],
  }),
} as const;

export const payment = {
  charge: activityReference({
    name: 'payment.charge',
    version: 2,
    input: ReservedOrder,
    output: Receipt,
    effects: 'external',
    retryable: ['unavailable', 'timeout'],
  }),
  refund: activityReference({
    name: 'payment.refund',
    version: 1,
    input: Receipt,
    output: Counter,
    effects: 'external',
    retryable: [],
  }),
} as const;

export const counter = {
  increment: activityReference({
    name: 'counter.increment',
    version: 1,
    input: Counter,
    output: Counter,
    effects: 'pure',
    retryable: ['slow'],
  }),
  sum: activityReference({
    name: 'counter.sum',
    version: 1,
    input: arrayOf(Counter),
    output: Counter,
    effects: 'pure',
    retryable: [],
  }),
} as const;

const text = { type: 'string' };
const integer = { type: 'integer' };
const order = object(
  {
    order_id: text,
    amount: integer,
    currency: { enum: ['eur', 'usd'] },
    note: { type: ['string', 'null'] },
    address: object({ city: text, zip: text }, ['city']),
    lines: { type: 'array', items: object({ sku: text, count: integer }, ['sku', 'count']) },
    meta: {},
  },
  ['order_id', 'amount', 'currency'],
);

function object(properties: JsonObject, required: readonly string[]): Json {
  return { type: 'object', additionalProperties: false, properties, required };
}

function contract(
  name: string,
  input_schema: Json,
  output_schema: string,
  errors: Readonly<Record<string, boolean>>,
  more: JsonObject = {},
): Json {
  const error_codes = Object.entries(errors).map(([code, retryable]) => ({ code, retryable }));
  const common = { version: 1, execution: 'async', effects: 'external', recovery: 'RetrySafe', ...more };
  return { name, input_schema, output_schema, error_codes, ...common };
}

export const SHOP = catalogOf(
  JSON.stringify({
    format: 'graphrun.catalog/v1',
    schemas: {
      'order/v1': order,
      'reserved_order/v1': order,
      'receipt/v1': object({ order_id: text, payment_id: text }, ['order_id', 'payment_id']),
      'counter/v1': object({ value: integer }, ['value']),
      'approval/v1': object({ approved: { type: 'boolean' }, by: text }, ['approved', 'by']),
    },
    activities: [
      contract('inventory.reserve', 'order/v1', 'reserved_order/v1', { busy: true, sold_out: false }),
      contract('inventory.release', 'reserved_order/v1', 'counter/v1', { busy: true }),
      contract(
        'payment.charge',
        'reserved_order/v1',
        'receipt/v1',
        { unavailable: true, timeout: true, declined: false },
        { version: 2 },
      ),
      contract('payment.refund', 'receipt/v1', 'counter/v1', { closed: false }),
      contract('counter.increment', 'counter/v1', 'counter/v1', { slow: true }, { effects: 'pure' }),
      contract('counter.sum', { array: 'counter/v1' }, 'counter/v1', {}, { effects: 'pure' }),
    ],
    reconcilers: [],
  }),
);
