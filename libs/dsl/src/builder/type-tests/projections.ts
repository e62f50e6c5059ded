/** Projections follow the types: members, items, what may be missing. */
import { arrayOf, builtin, tupleOf, workflow, type Expression } from '../index.js';
import { counter, Counter, inventory, Order } from '../testing/shop.js';

export const members = workflow('bad', 1)
  .input(Order)
  .output(builtin.string)
  .body((r) => {
    const { input } = r;
    const amount: Expression<null, number> = input.at('amount');
    const city: Expression<null, string | undefined> = input.at('address', 'city');
    const sku: Expression<null, string | undefined> = input.at('lines', 0, 'sku');
    r.complete('certain', input.at('order_id'));
    r.complete('default', city.or('nowhere'));
    r.complete('required', sku.required());
    r.complete('open', input.at('meta', 'any', 3).narrow<string>());
    // @ts-expect-error TS2345: there is no such member
    input.at('amout');
    // @ts-expect-error TS2345: the address has no such member
    input.at('address', 'street');
    // @ts-expect-error TS2345: a text has no members
    input.at('order_id').at('length');
    // @ts-expect-error TS2345: an array has no named members
    input.at('lines').at('sku');
    // @ts-expect-error TS2345: an amount is a number
    r.complete('kind', amount);
    // @ts-expect-error TS2345: there may be no address
    r.complete('missing', city);
    // @ts-expect-error TS2345: the default is a text
    r.complete('fallback', city.or(5));
    // @ts-expect-error TS2345: a note may be null
    r.complete('nullable', input.at('note').required());
    // @ts-expect-error TS2344: a text cannot be a number
    input.at('order_id').narrow<number>();
    // @ts-expect-error TS2684: a whole value is of its schema
    input.narrow<never>();
    // @ts-expect-error TS2339: nothing follows a default
    city.or('nowhere').at('length');
    return r.complete('done', input.at('order_id'));
  });

export const identities = workflow('bad', 1)
  .input(tupleOf(Order, arrayOf(Counter)))
  .output(Counter)
  .body((r) => {
    r.activity('order', inventory.reserve, r.input.at(0));
    r.activity('sum', counter.sum, r.input.at(1));
    r.activity('item', counter.increment, r.input.at(1, 0).or({ value: 0 }));
    r.activity('shape', counter.increment, { value: r.input.at(0, 'amount') });
    // @ts-expect-error TS2345: the first is an order
    r.activity('first', counter.increment, r.input.at(0));
    // @ts-expect-error TS2345: the array may be empty
    r.activity('maybe', counter.increment, r.input.at(1, 0));
    // @ts-expect-error TS2345: a tuple ends
    r.input.at(2);
    return r.complete('done', { value: 1 });
  });
