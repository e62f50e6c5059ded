import type { ActivityContext } from '@graphrun/sdk';
import { ledger } from '../ledger.js';
import { reserved } from './orders.js';
import type { Order, ReservedOrder } from './orders.js';

export function reserve(order: Order, context: ActivityContext): ReservedOrder {
  return ledger.request(context.effectKey, 'inventory.reserve', { ...reserved(order) });
}

export function release(_order: ReservedOrder, context: ActivityContext): null {
  return ledger.request(context.effectKey, 'inventory.release', null);
}
