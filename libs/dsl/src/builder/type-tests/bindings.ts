/** Values that are put together fit their place member by member. */
import { arrayOf, literal, workflow, type Bound, type Input } from '../index.js';
import { counter, inventory, Order, ReservedOrder } from '../testing/shop.js';

export const values = workflow('bad', 1)
  .input(Order)
  .output(arrayOf(ReservedOrder))
  .body((r) => {
    const { input } = r;
    const order = { order_id: input.at('order_id'), amount: 5, currency: 'eur' } as const;
    const reserved = r.activity('object', inventory.reserve, order);
    r.activity('nested', inventory.reserve, { ...order, lines: [{ sku: r.scope.id, count: input.at('amount') }] });
    r.activity('literal', inventory.reserve, literal({ order_id: 'o', amount: 5, currency: 'usd', lines: [] }));
    r.activity('open', inventory.reserve, { ...order, meta: { anything: [input, 5, { deep: null }] } });
    const input_: Input<typeof Order> = input;
    r.activity('passed', inventory.reserve, input_);
    r.activity('sum', counter.sum, [{ value: 1 }, { value: input.at('amount') }, literal({ value: 3 })]);
    // @ts-expect-error TS2345: the currency is missing
    r.activity('missing', inventory.reserve, { order_id: 'o', amount: 5 });
    // @ts-expect-error TS2353: an order has no such member
    r.activity('unknown', inventory.reserve, { ...order, color: 'red' });
    // @ts-expect-error TS2322: an amount is a number
    r.activity('kind', inventory.reserve, { ...order, amount: '5' });
    // @ts-expect-error TS2322: this currency is not one of them
    r.activity('enum', inventory.reserve, { order_id: 'o', amount: 5, currency: 'gbp' });
    // @ts-expect-error TS2322: a text does not fit a number
    r.activity('projection', inventory.reserve, { ...order, amount: input.at('order_id') });
    // @ts-expect-error TS2322: there may be no note; give a default or say that it is required
    r.activity('optional', inventory.reserve, { ...order, note: input.at('note') });
    // @ts-expect-error TS2345: the literal lacks a member
    r.activity('literals', inventory.reserve, literal({ order_id: 'o' }));
    // @ts-expect-error TS2345: dates are not JSON
    literal({ at: new Date(0) });
    // @ts-expect-error TS2322: items have their own schema
    r.activity('items', counter.sum, [input]);
    // @ts-expect-error TS2353: an object is not an array
    r.activity('array', counter.sum, { value: 1 });
    const anything: Bound<null, unknown> = input.at('meta');
    // @ts-expect-error TS2345: what may be anything is narrowed first
    r.activity('anything', inventory.reserve, anything);
    return r.complete('done', [reserved.output]);
  });
