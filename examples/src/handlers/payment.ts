import type { ActivityContext } from '@graphrun/sdk';
import { ledger } from '../ledger.js';
import { charged } from './orders.js';
import type { PaymentReceipt, ReservedOrder } from './orders.js';

export function charge(order: ReservedOrder, context: ActivityContext): PaymentReceipt {
  return ledger.request(context.effectKey, 'payment.charge', { ...charged(order) });
}

export function refund(_receipt: PaymentReceipt, context: ActivityContext): null {
  return ledger.request(context.effectKey, 'payment.refund', null);
}
