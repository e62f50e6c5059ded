/** Handlers and reconcilers of the example catalog. A worker loads them by these names. */
import { blocking, defineHandlers, defineReconcilers } from '@graphrun/sdk';
import { release, reserve } from './inventory.js';
import { lookUp } from './lookups.js';
import { charged, reserved } from './orders.js';
import { charge, refund } from './payment.js';
import { shipping, tax } from './quotes.js';
import { echo, flaky, increment, manual } from './testing.js';

export const handlers = defineHandlers({
  'counter.increment/v1': increment,
  'inventory.reserve/v1': reserve,
  'inventory.release/v1': release,
  'payment.charge/v1': charge,
  'payment.refund/v1': refund,
  'tax.quote/v1': tax,
  'shipping.quote/v1': shipping,
  'remote.echo/v1': echo,
  'test.gate/v1': echo,
  'test.block/v1': blocking(new URL('./block.mjs', import.meta.url), 'block'),
  'test.manual/v1': manual,
  'test.flaky/v1': flaky,
  'bench.reserve/v1': reserved,
  'bench.charge/v1': charged,
});

export const reconcilers = defineReconcilers({
  'inventory.lookup/v1': lookUp,
  'payment.lookup/v1': lookUp,
  'test.lookup/v1': lookUp,
});
