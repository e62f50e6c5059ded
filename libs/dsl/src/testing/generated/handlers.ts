/** What the activities of the generated catalog compute: functions of their input alone, with outputs that fit. */
import { isArray, isObject } from '../../canonical.js';
import type { ActivityRef } from '../../ir.js';
import type { Json } from '../../value.js';
import { LAST_PAGE } from './catalog.js';
import { MOST_ITEMS } from './pieces.js';

export type Performed =
  { readonly output: Json } | { readonly error: { readonly code: string; readonly message: string } };

/** The output of an activity, or the failure that belongs to its input. Throws for an activity that does not exist. */
export function performOf({ name }: ActivityRef, input: Json): Performed {
  const handler = HANDLERS[name];
  if (handler === undefined) throw new Error(`The generated catalog has no activity ${name}`);
  return handler(input);
}

const HANDLERS: Readonly<Record<string, (input: Json) => Performed>> = {
  'counter.increment': (input) => ({ output: { value: bounded(numberAt(input, 'value') + 1) } }),
  'counter.double': (input) => ({ output: bounded(numberOf(input) * 2) }),
  'counter.page': (input) => {
    const value = numberAt(input, 'value') + 1;
    if (value > LAST_PAGE) return { error: { code: 'last_page', message: `${LAST_PAGE} was the last` } };
    return { output: { value } };
  },
  'order.price': (input) => {
    const amount = numberAt(input, 'amount');
    return amount < 0 ? { error: { code: 'unpriced', message: 'less than nothing' } } : { output: bounded(amount * 2) };
  },
  'order.split': (input) => ({ output: [input, { order_id: textAt(input, 'order_id'), amount: 1 }] }),
  'list.sum': (input) => ({ output: bounded(listOf(input).reduce<number>((sum, item) => sum + numberOf(item), 0)) }),
  'list.count': (input) => ({
    output: Array.from({ length: Math.max(0, Math.min(MOST_ITEMS, numberOf(input))) }, (_, index) => index),
  }),
  'pair.swap': (input) => ({ output: listOf(input).toReversed() }),
  'inventory.reserve': (input) => {
    const order = textAt(input, 'order_id');
    return { output: { reservation_id: `reservation of ${order}`, line: { sku: order, count: 1 } } };
  },
  'payment.charge': (input) => {
    const [order = null, name = null] = listOf(input);
    return { output: { receipt_id: `receipt for ${textOf(name)}`, amount: numberAt(order, 'amount') } };
  },
  'mail.send': () => ({ output: null }),
  'inventory.release': () => ({ output: null }),
  'payment.refund': (input) => {
    const [id = null, amount = null] = listOf(input);
    return { output: { receipt_id: textOf(id), amount: numberOf(amount) } };
  },
  'note.keep': () => ({ output: null }),
};

/** Values that are fed into themselves must stay integers that can be kept. */
function bounded(value: number): number {
  // Zero is added for the sake of -0, which is no JSON.
  return (value % 1_000_000) + 0;
}

function at(input: Json, name: string): Json {
  return isObject(input) ? (input[name] ?? null) : null;
}

function numberAt(input: Json, name: string): number {
  return numberOf(at(input, name));
}

function numberOf(input: Json): number {
  if (typeof input !== 'number') throw new Error(`A number was expected, not ${JSON.stringify(input)}`);
  return input;
}

function textAt(input: Json, name: string): string {
  return textOf(at(input, name));
}

function textOf(input: Json): string {
  if (typeof input !== 'string') throw new Error(`A string was expected, not ${JSON.stringify(input)}`);
  return input;
}

function listOf(input: Json): readonly Json[] {
  if (!isArray(input)) throw new Error(`An array was expected, not ${JSON.stringify(input)}`);
  return input;
}
