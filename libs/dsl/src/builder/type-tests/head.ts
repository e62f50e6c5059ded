/** The head of a workflow. */
import { workflow } from '../index.js';
import { Order } from '../testing/shop.js';

export const attributes = workflow('bad', 1, { runTimeout: '30d', labels: { team: 'a' } })
  .input(Order)
  .output(Order)
  .searchAttributes((input) => ({ order: input.at('order_id'), note: input.at('note'), amount: input.at('amount') }))
  // @ts-expect-error TS2322: a search attribute is a scalar
  .searchAttributes((input) => ({ address: input.at('address') }))
  .body((r) => r.complete('done', r.input));

// @ts-expect-error TS2322: a duration has a unit
export const timeout = workflow('bad', 1, { runTimeout: 'soon' });

// @ts-expect-error TS2339: a workflow says what it takes before what it gives
export const order = workflow('bad', 1).output(Order);
