/** Inside a saga every external activity says how it is undone, with an input that fits; outside none does. */
import { workflow } from '../index.js';
import { counter, inventory, Order, payment, Receipt } from '../testing/shop.js';

export const good = workflow('good', 1)
  .input(Order)
  .output(Receipt)
  .body((r) => {
    const booked = r.saga('book', {
      input: r.input,
      inputSchema: Order,
      outputSchema: Receipt,
      body: (s) => {
        const reserved = s.activity('reserve', inventory.reserve, s.input, {
          compensation: { activity: inventory.release, input: (forward) => forward.output, timeout: '10s' },
        });
        s.activity('count', counter.increment, { value: 1 });
        const charged = s.activity('charge', payment.charge, reserved.output, {
          compensation: {
            activity: payment.refund,
            input: (forward) => ({ order_id: forward.input.at('order_id'), payment_id: 'p' }),
          },
        });
        return s.complete('done', charged.output);
      },
    });
    return r.complete('done', booked.output);
  });

export const bad = workflow('bad', 1)
  .input(Order)
  .output(Order)
  .body((r) => {
    r.activity('outside', inventory.reserve, r.input, {
      // @ts-expect-error TS2353: there is nothing to undo outside of a saga
      compensation: { irreversible: 'no' },
    });
    r.saga('book', {
      input: r.input,
      inputSchema: Order,
      outputSchema: Order,
      body: (s) => {
        const undone = { compensation: { irreversible: 'no' } } as const;
        const reserved = s.activity('reserve', inventory.reserve, s.input, undone);
        // @ts-expect-error TS2554: an external activity says how it is undone
        s.activity('forgotten', payment.charge, reserved.output);
        s.activity('direct', inventory.reserve, s.input, {
          // @ts-expect-error TS2322: what is released is a reserved order, and the input is an order
          compensation: { activity: inventory.release, input: (forward) => forward.input },
        });
        s.activity('built', payment.charge, reserved.output, {
          // @ts-expect-error TS2322: a receipt has a payment
          compensation: { activity: payment.refund, input: (forward) => ({ order_id: forward.input.at('order_id') }) },
        });
        s.activity('kind', inventory.reserve, s.input, {
          compensation: {
            activity: inventory.release,
            input: (forward) => forward.output,
            // @ts-expect-error TS2322: the contract of the compensation has no such code
            retry: { errors: ['sold_out'] },
          },
        });
        return s.complete('done', s.input);
      },
    });
    return r.complete('done', r.input);
  });
