import type { ActivityContext } from '@graphrun/sdk';
import { effects } from '../effects.js';
import { reserved } from './orders.js';
import type { Order, ReservedOrder } from './orders.js';

export function reserve(order: Order, context: ActivityContext): ReservedOrder | Promise<ReservedOrder> {
  const effect = { activity: 'inventory.reserve', input: { ...order }, output: { ...reserved(order) } };
  return effects.request(effect, context);
}

export function release(order: ReservedOrder, context: ActivityContext): null | Promise<null> {
  return effects.request({ activity: 'inventory.release', input: { ...order }, output: null }, context);
}
