import type { ActivityContext } from '@graphrun/sdk';
import { effects } from '../effects.js';
import { charged } from './orders.js';
import type { PaymentReceipt, ReservedOrder } from './orders.js';

export function charge(order: ReservedOrder, context: ActivityContext): PaymentReceipt | Promise<PaymentReceipt> {
  const effect = { activity: 'payment.charge', input: { ...order }, output: { ...charged(order) } };
  return effects.request(effect, context);
}

export function refund(receipt: PaymentReceipt, context: ActivityContext): null | Promise<null> {
  return effects.request({ activity: 'payment.refund', input: { ...receipt }, output: null }, context);
}
