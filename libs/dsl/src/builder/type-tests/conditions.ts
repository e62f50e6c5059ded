/** Conditions compare scalars of one kind. */
import { all, any, eq, exists, gt, literal, lt, ne, not, workflow } from '../index.js';
import { Order } from '../testing/shop.js';

export const conditions = workflow('bad', 1)
  .input(Order)
  .output(Order)
  .body((r) => {
    const { input } = r;
    const amount = input.at('amount');
    all(eq(input.at('currency'), 'eur'), any(ne(amount, 5), not(exists(input.at('note')))));
    eq(input.at('note').required(), null);
    eq(input.at('currency'), input.at('order_id'));
    gt(amount, input.at('lines', 0, 'count').or(0));
    // @ts-expect-error TS2345: a text is not a number
    eq(input.at('order_id'), 5);
    // @ts-expect-error TS2345: this currency is not one of them
    eq(input.at('currency'), 'gbp');
    // @ts-expect-error TS2345: a number is never null
    ne(amount, null);
    // @ts-expect-error TS2345: an object is not compared
    eq(input.at('address').required(), 'Utrecht');
    // @ts-expect-error TS2345: there may be no note
    eq(input.at('note'), 'x');
    // @ts-expect-error TS2345: texts have no order
    lt(input.at('order_id'), 'z');
    // @ts-expect-error TS2345: a literal always exists
    exists(literal(5));
    // @ts-expect-error TS2555: there is at least one condition
    all();
    return r.complete('done', input);
  });
