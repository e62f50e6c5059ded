/** The body of a loop takes and gives the carry. */
import { lt, workflow } from '../index.js';
import { counter, Counter, inventory, Order, ReservedOrder } from '../testing/shop.js';

export const loops = workflow('bad', 1)
  .input(Order)
  .output(Counter)
  .body((r) => {
    const counters = { state: { value: 0 }, stateSchema: Counter, maxIterations: 10 };
    r.repeat('good', {
      ...counters,
      count: 5,
      body: (b, loop) => b.complete('done', b.activity('inc', counter.increment, loop.state).output),
    });
    r.repeat('output', {
      count: 5,
      state: r.input,
      stateSchema: Order,
      maxIterations: 10,
      body: (b, loop) => {
        const reserved = b.activity('reserve', inventory.reserve, loop.state);
        // @ts-expect-error TS2345: the next carry is an order, not a reserved one
        return b.complete('done', reserved.output);
      },
    });
    r.while('while', {
      ...counters,
      condition: (loop) => lt(loop.state.at('value'), 3),
      // @ts-expect-error TS2345: the next carry is a counter
      body: (b) => b.complete('done', r.input),
    });
    r.doWhile('do_while', {
      ...counters,
      // @ts-expect-error TS2345: the carry has no such member
      condition: (loop) => lt(loop.state.at('amount'), 3),
      // @ts-expect-error TS2345: an index is not a carry
      body: (b, loop) => b.complete('done', loop.index),
    });
    r.repeat('state', {
      count: 5,
      // @ts-expect-error TS2322: the first carry is a reserved order
      state: r.input,
      stateSchema: ReservedOrder,
      maxIterations: 10,
      body: (b) => b.complete('done', b.input),
    });
    // @ts-expect-error TS2322: a count is an integer
    r.repeat('count', { ...counters, count: r.input, body: (b) => b.complete('done', b.input) });
    return r.complete('done', { value: 1 });
  });
