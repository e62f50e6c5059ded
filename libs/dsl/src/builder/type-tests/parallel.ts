/** The output of a parallel is the tuple of its branches, in their order. */
import { tupleOf, workflow } from '../index.js';
import { counter, Counter, inventory, Order, ReservedOrder } from '../testing/shop.js';

export const tuples = workflow('bad', 1)
  .input(Order)
  .output(tupleOf(ReservedOrder, Counter))
  .body((r) => {
    const stock = r.branch('stock', {
      input: r.input,
      inputSchema: Order,
      outputSchema: ReservedOrder,
      body: (b) => b.complete('done', b.activity('reserve', inventory.reserve, b.input).output),
    });
    const count = r.branch('count', {
      input: { value: 1 },
      inputSchema: Counter,
      outputSchema: Counter,
      body: (b) => b.complete('done', b.activity('inc', counter.increment, b.input).output),
    });
    const good = r.parallel('good', [stock, count]);
    r.activity('use', counter.increment, good.output.at(1));
    r.complete('done', good.output);
    const swapped = r.parallel('swapped', [count, stock]);
    // @ts-expect-error TS2345: the branches are in another order
    r.complete('order', swapped.output);
    // @ts-expect-error TS2345: there is one branch too many
    r.complete('length', r.parallel('three', [stock, count, count]).output);
    // @ts-expect-error TS2345: the first is the stock
    r.activity('item', counter.increment, good.output.at(0));
    const order = r.branch('order', {
      input: r.input,
      inputSchema: Order,
      outputSchema: Order,
      body: (b) => b.complete('done', b.input),
    });
    const alike = r.parallel('alike', [order, count]);
    // @ts-expect-error TS2345: an order is not a reserved order, although its JSON is the same
    r.complete('name', alike.output);
    // @ts-expect-error TS2345: there is no third
    good.output.at(2);
    // @ts-expect-error TS2345: there is at least one branch
    r.parallel('none', []);
    r.branch('input', {
      // @ts-expect-error TS2322: the branch takes a counter
      input: r.input,
      inputSchema: Counter,
      outputSchema: Counter,
      body: (b) => b.complete('done', b.input),
    });
    return r.complete('end', good.output);
  });
