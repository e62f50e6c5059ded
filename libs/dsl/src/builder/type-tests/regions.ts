/** A region gives what its container says. */
import { reusable, workflow } from '../index.js';
import { counter, Counter, inventory, Order, payment, Receipt, ReservedOrder } from '../testing/shop.js';

export const outputs = workflow('bad', 1)
  .input(Order)
  .output(Receipt)
  .body((r) => {
    const reserved = r.activity('reserve', inventory.reserve, r.input);
    r.saga('book', {
      input: reserved.output,
      inputSchema: ReservedOrder,
      outputSchema: Receipt,
      // @ts-expect-error TS2345: the body gives a receipt
      body: (s) => s.complete('done', s.input),
    });
    r.foreach('each', {
      items: [r.input],
      itemSchema: Order,
      outputSchema: Receipt,
      maxItems: 1,
      // @ts-expect-error TS2345: the body gives a receipt
      body: (b, item) => b.complete('done', item.value),
    });
    const same = { input: reserved.output, inputSchema: ReservedOrder, outputSchema: ReservedOrder };
    r.choose('route', {
      ...same,
      cases: [],
      // @ts-expect-error TS2345: the default gives what the cases give
      default: (b) => b.complete('done', r.input),
    });
    // @ts-expect-error TS2345: the workflow gives a receipt
    return r.complete('finish', reserved.output);
  });

export const inputs = workflow('bad', 1)
  .input(Order)
  .output(Order)
  .body((r) => {
    r.saga('book', {
      // @ts-expect-error TS2322: the body takes a reserved order
      input: r.input,
      inputSchema: ReservedOrder,
      outputSchema: ReservedOrder,
      body: (s) => s.complete('done', s.input),
    });
    r.foreach('each', {
      // @ts-expect-error TS2322: the items are reserved orders
      items: [r.input],
      itemSchema: ReservedOrder,
      outputSchema: ReservedOrder,
      maxItems: 1,
      body: (b) => b.complete('done', b.input),
    });
    return r.complete('finish', r.input);
  });

export const endings = workflow('bad', 1)
  .input(Counter)
  .output(Counter)
  .body((r) => {
    // @ts-expect-error TS2322: a body returns the end of its path
    r.saga('book', { input: r.input, inputSchema: Counter, outputSchema: Counter, body: (s) => s.join() });
    r.repeat('loop', {
      count: 1,
      state: r.input,
      stateSchema: Counter,
      maxIterations: 1,
      body: (b) => {
        // @ts-expect-error TS2339: only the root region begins a run anew
        return b.continueAsNew('again', r.input);
      },
    });
    return r.continueAsNew('again', r.input);
  });

const ship = reusable('ship', { inputSchema: Order, outputSchema: ReservedOrder, mode: 'saga' }, (s) => {
  const reserved = s.activity('reserve', inventory.reserve, s.input, { compensation: { irreversible: 'x' } });
  return s.complete('done', reserved.output);
});
const bump = reusable(
  'bump',
  { inputSchema: Counter, outputSchema: Counter, needs: { loop: Counter } },
  (b, around) => {
    // @ts-expect-error TS2339: it said nothing about an item
    around.item.index;
    return b.complete('done', b.activity('inc', counter.increment, around.loop.state).output);
  },
);

export const reuse = workflow('bad', 1)
  .input(Order)
  .output(Receipt)
  .body((r) => {
    const good = r.saga('good', { input: r.input, inputSchema: Order, outputSchema: ReservedOrder, body: ship });
    r.repeat('loop', { count: 1, state: { value: 1 }, stateSchema: Counter, maxIterations: 1, body: bump });
    // @ts-expect-error TS2322: the region gives a reserved order
    r.saga('other', { input: r.input, inputSchema: Order, outputSchema: Receipt, body: ship });
    // @ts-expect-error TS2322: the region takes an order
    r.repeat('carry', { count: 1, state: good.output, stateSchema: ReservedOrder, maxIterations: 1, body: ship });
    r.choose('outside', {
      input: r.input,
      inputSchema: Order,
      outputSchema: ReservedOrder,
      cases: [],
      // @ts-expect-error TS2322: the region is a part of sagas
      default: ship,
    });
    return r.complete('done', r.activity('charge', payment.charge, good.output).output);
  });
