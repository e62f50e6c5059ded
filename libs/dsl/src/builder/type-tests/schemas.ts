/** Schemas are nominal: values of one never stand for those of another, whatever their JSON. */
import { arrayOf, builtin, schema, tupleOf, workflow } from '../index.js';
import { counter, inventory, Order, payment, Receipt, ReservedOrder } from '../testing/shop.js';

export const good = workflow('good', 1)
  .input(Order)
  .output(Receipt)
  .body((r) => {
    const reserved = r.activity('reserve', inventory.reserve, r.input);
    const charged = r.activity('charge', payment.charge, reserved.output);
    return r.complete('finish', charged.output);
  });

export const orderForReservedOrder = workflow('bad', 1)
  .input(Order)
  .output(Receipt)
  .body((r) => {
    // @ts-expect-error TS2345: an order is not a reserved order, although its JSON is the same
    const charged = r.activity('charge', payment.charge, r.input);
    return r.complete('finish', charged.output);
  });

export const arraysAndTuples = workflow('bad', 1)
  .input(arrayOf(Order))
  .output(tupleOf(Order, ReservedOrder))
  .body((r) => {
    const order = r.input.at(0).required();
    const reserved = r.activity('reserve', inventory.reserve, order);
    r.complete('good', [order, reserved.output]);
    // @ts-expect-error TS2345: an array of orders is not one of counters
    r.activity('sum', counter.sum, r.input);
    // @ts-expect-error TS2345: an array is not a tuple
    r.complete('array', r.input);
    // @ts-expect-error TS2322: the second is a reserved order
    return r.complete('order', [order, order]);
  });

export const builtins = workflow('bad', 1)
  .input(builtin.integer)
  .output(builtin.number)
  .body((r) => {
    // @ts-expect-error TS2345: an integer is a schema of its own as a whole value
    return r.complete('done', r.input);
  });

// @ts-expect-error TS2345: a witness says its name as a type too, or it would be no type of its own
export const nameless = schema<Order>('order/v1');
