import { describe, expect, it } from '@jest/globals';
import { checkReceipt, orderInput } from './workflows.js';

const receipt = { order_id: 'order-7', amount: 1007, payment_id: 'pay-1' };

describe('the result of an order', () => {
  it('is the receipt of exactly this order', () => {
    expect(orderInput(7)).toEqual({ order_id: 'order-7', amount: 1007 });
    expect(checkReceipt(7, { run: 'r-1', status: 'succeeded', output: receipt })).toBe('r-1');
  });

  it.each([
    ['another order', { run: 'r-1', status: 'succeeded', output: { ...receipt, order_id: 'order-8' } }],
    ['another amount', { run: 'r-1', status: 'succeeded', output: { ...receipt, amount: 1 } }],
    ['a field too many', { run: 'r-1', status: 'succeeded', output: { ...receipt, reservation_id: 'res-1' } }],
    ['a run that goes on', { run: 'r-1', status: 'active' }],
    ['a run that failed', { run: 'r-1', status: 'failed', error: { code: 'x', message: 'y' } }],
  ])('is refused when it is that of %s', (_what, document) => {
    expect(() => checkReceipt(7, document)).toThrow('order 7 ended wrong');
  });
});
