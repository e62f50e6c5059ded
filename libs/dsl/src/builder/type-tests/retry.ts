/** Codes to retry are those that the contract declares as retryable. */
import { workflow } from '../index.js';
import { counter, inventory, Order, payment, Receipt } from '../testing/shop.js';

export const retries = workflow('bad', 1)
  .input(Order)
  .output(Receipt)
  .body((r) => {
    const reserved = r.activity('good', inventory.reserve, r.input, { retry: { errors: ['busy'], maxAttempts: 2 } });
    r.activity('both', payment.charge, reserved.output, { retry: { errors: ['unavailable', 'timeout'] } });
    r.activity('pure', counter.increment, { value: 1 }, { retry: { errors: ['slow', 'activity.unhandled'] } });
    // @ts-expect-error TS2322: the code is misspelled
    r.activity('unknown', inventory.reserve, r.input, { retry: { errors: ['bussy'] } });
    // @ts-expect-error TS2322: the contract says that this cannot be retried
    r.activity('sold_out', inventory.reserve, r.input, { retry: { errors: ['sold_out'] } });
    // @ts-expect-error TS2322: what a handler of external work throws is not retried
    r.activity('unhandled', inventory.reserve, r.input, { retry: { errors: ['activity.unhandled'] } });
    // @ts-expect-error TS2322: the contract declares no retryable code
    r.activity('none', payment.refund, { order_id: 'o', payment_id: 'p' }, { retry: { errors: ['closed'] } });
    // @ts-expect-error TS2322: a duration has a unit
    r.activity('timeout', inventory.reserve, r.input, { timeout: '30' });
    // @ts-expect-error TS2561: the field is called maxAttempts
    r.activity('field', inventory.reserve, r.input, { retry: { max_attempts: 3 } });
    return r.fail('end', { code: 'end', message: 'The end.' });
  });
