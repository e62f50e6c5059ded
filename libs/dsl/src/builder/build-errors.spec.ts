/** Mistakes that types cannot see: the call that makes one throws a `BuildError` that names the node. */
import { describe, expect, it } from '@jest/globals';
import { Approval, Counter, counter, inventory, Order, payment, Receipt, ReservedOrder } from './testing/shop.js';
import {
  BuildError,
  exists,
  literal,
  lt,
  reusable,
  signal,
  workflow,
  type Ended,
  type Failure,
  type Output,
  type RegionPath,
} from './index.js';

type Root = RegionPath<typeof Order, typeof Counter, 'plain', typeof Order>;

/** What building this workflow says. */
function errorOf(body: (r: Root) => Ended): string {
  return errorFrom(() => workflow('test', 1).input(Order).output(Counter).body(body));
}

function errorFrom(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (error instanceof BuildError) return error.message;
    throw error;
  }
  return 'no error';
}

const zero = { value: 0 };
const failure = { code: 'no', message: 'No.' };
const counters = { inputSchema: Counter, outputSchema: Counter };
const approved = signal('approved', Approval);
const bump = signal('bump', Counter);

describe('a path that ends nowhere', () => {
  it('is named by its last node, in the root', () => {
    const message = errorOf((r) => {
      const tail = r.tail();
      r.activity('reserve', inventory.reserve, r.input, {
        onError: [{ codes: 'any', then: (path) => path.goTo(tail) }],
      });
      return tail.fail('sorry', failure);
    });
    expect(message).toBe('the path after "reserve" is unfinished in the workflow "test": end it with complete or fail');
  });

  it('is named where a region has no nodes', () => {
    // @ts-expect-error a body returns the end of its path
    const message = errorOf(() => undefined);
    expect(message).toBe('the path at the start is unfinished in the workflow "test": end it with complete or fail');
  });

  it('is named in a body', () => {
    const message = errorOf((r) => {
      // @ts-expect-error a body returns the end of its path
      r.saga('book', { input: zero, ...counters, body: (s) => s.activity('inc', counter.increment, s.input) });
      return r.complete('done', zero);
    });
    expect(message).toBe('the path after "inc" is unfinished in the body of "book": end it with complete or fail');
  });

  it('is named after a timeout', () => {
    const message = errorOf((r) => {
      r.waitSignal('wait', approved, {
        key: 'k',
        timeout: '5m',
        // @ts-expect-error the path of a timeout ends or joins
        onTimeout: (path) => {
          path.delay('rest', '1s');
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      'the path after "rest" is unfinished in the workflow "test": ' +
        'end it with complete, fail or goTo, or return join() to go on after "wait"',
    );
  });

  it('is named after a timeout and a failure that nothing follows', () => {
    const wait = errorOf((r) => {
      // @ts-expect-error the path of a timeout ends or joins
      r.waitSignal('wait', approved, { key: 'k', timeout: '5m', onTimeout: () => undefined });
      return r.complete('done', zero);
    });
    expect(wait).toMatch(/^the path after the timeout of "wait" is unfinished/);
    const work = errorOf((r) => {
      // @ts-expect-error the path of a failure ends or joins
      r.activity('reserve', inventory.reserve, r.input, { onError: [{ codes: 'any', then: () => undefined }] });
      return r.complete('done', zero);
    });
    expect(work).toMatch(/^the path after the failure of "reserve" is unfinished/);
  });

  it('is named where it goes to a tail without nodes', () => {
    const message = errorOf((r) => {
      const tail = r.tail();
      r.activity('reserve', inventory.reserve, r.input, {
        onError: [{ codes: 'any', then: (path) => path.goTo(tail) }],
      });
      r.activity('inc', counter.increment, zero);
      return r.goTo(tail);
    });
    expect(message).toBe(
      'the path after the failure of "reserve" and after "inc" is unfinished in the workflow "test": ' +
        'end it with complete or fail',
    );
  });
});

describe('a path that has ended', () => {
  it('takes no more nodes', () => {
    const message = errorOf((r) => {
      r.complete('done', zero);
      return r.fail('more', failure);
    });
    expect(message).toBe('nothing leads to "more": this path ended with "done"');
  });

  it('takes no more nodes after it has joined', () => {
    const message = errorOf((r) => {
      r.waitSignal('wait', approved, {
        key: 'k',
        timeout: '5m',
        onTimeout: (path) => {
          const joined = path.join();
          path.delay('rest', '1s');
          return joined;
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe('nothing leads to "rest": this path has joined another');
  });

  it('takes no more nodes after all its ways have ended', () => {
    const message = errorOf((r) => {
      r.waitSignal('wait', approved, {
        key: 'k',
        timeout: '5m',
        onSignal: (path) => path.complete('done', zero),
        onTimeout: (path) => path.fail('late', failure),
      });
      return r.complete('more', zero);
    });
    expect(message).toBe('nothing leads to "more": no path goes on after "wait"');
  });

  it('takes no more nodes after it went to a tail', () => {
    const message = errorOf((r) => {
      const tail = r.tail();
      r.goTo(tail);
      return r.complete('done', zero);
    });
    expect(message).toBe('nothing leads to "done": this path went to a tail');
  });
});

describe('a path that waits for callbacks', () => {
  it('takes no nodes from a callback that was given a path of its own', () => {
    const message = errorOf((r) => {
      r.waitSignal('wait', approved, { key: 'k', timeout: '5m', onTimeout: () => r.fail('late', failure) });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      '"late" is put on a path that waits until "wait" is done; use the path that the callback was given',
    );
  });

  it('takes no nodes from a body', () => {
    const message = errorOf((r) => {
      r.saga('book', { input: zero, ...counters, body: () => r.complete('done', zero) });
      return r.complete('more', zero);
    });
    expect(message).toBe(
      '"done" is put on a path that waits until "book" is done; use the path that the callback was given',
    );
  });
});

describe('a tail', () => {
  it('has a path that goes to it before it has nodes', () => {
    expect(errorOf((r) => r.tail().complete('done', zero))).toBe(
      'nothing leads to "done": no path goes to this tail; lead one there with goTo first',
    );
  });

  it('takes no path once it has nodes', () => {
    const message = errorOf((r) => {
      const tail = r.tail();
      r.activity('reserve', inventory.reserve, r.input, {
        onError: [{ codes: 'any', then: (path) => path.goTo(tail) }],
      });
      tail.fail('sorry', failure);
      return r.goTo(tail);
    });
    expect(message).toBe('the path after "reserve" comes too late to its tail, which has nodes already');
  });

  it('belongs to its region', () => {
    const carry = { count: 1, stateSchema: Counter, maxIterations: 1 };
    const message = errorOf((r) => {
      r.repeat('outer', {
        ...carry,
        state: zero,
        body: (outer) => {
          const tail = outer.tail();
          outer.repeat('inner', { ...carry, state: outer.input, body: (inner) => inner.goTo(tail) });
          return tail.complete('done', zero);
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe('a path in the body of "inner" cannot go to a tail in the body of "outer"');
  });
});

describe('a key', () => {
  it('is used once in a region', () => {
    const message = errorOf((r) => {
      r.delay('rest', '1s');
      r.delay('rest', '2s');
      return r.complete('done', zero);
    });
    expect(message).toBe('the key "rest" is used twice in the workflow "test"');
  });

  it('is used once in all paths of a region, and again in another region', () => {
    const message = errorOf((r) => {
      r.saga('done', { input: zero, ...counters, body: (s) => s.complete('done', zero) });
      r.waitSignal('wait', approved, { key: 'k', timeout: '5m', onTimeout: (path) => path.complete('done', zero) });
      return r.complete('end', zero);
    });
    expect(message).toBe('the key "done" is used twice in the workflow "test"');
  });

  it('is spelled as keys are', () => {
    expect(errorOf((r) => r.complete('Done', zero))).toBe(
      '"Done" is not a node key: a lower-case letter, then lower-case letters, digits and "_", at most 64',
    );
  });
});

describe('an output', () => {
  it('is not there on the path of a timeout', () => {
    const message = errorOf((r) => {
      const leaked: Output<typeof Counter>[] = [];
      r.waitSignal('wait', bump, {
        key: 'k',
        timeout: '5m',
        onSignal: (path, payload) => {
          leaked.push(payload);
          return path.join();
        },
        onTimeout: (path) => path.complete('late', leaked[0] ?? zero),
      });
      return r.complete('done', zero);
    });
    expect(message).toBe('"late" uses the output of "wait", but a path leads here on which "wait" has not succeeded');
  });

  it('is not certain where the path of a timeout has joined', () => {
    const message = errorOf((r) => {
      const leaked: Output<typeof Counter>[] = [];
      r.waitSignal('wait', bump, {
        key: 'k',
        timeout: '5m',
        onSignal: (path, payload) => {
          leaked.push(payload);
          return path.join();
        },
        onTimeout: (path) => path.join(),
      });
      return r.complete('done', leaked[0] ?? zero);
    });
    expect(message).toBe('"done" uses the output of "wait", but a path leads here on which "wait" has not succeeded');
  });

  it('is not certain in a tail that failures lead to', () => {
    const message = errorOf((r) => {
      const tail = r.tail();
      const counted = r.activity('inc', counter.increment, zero, {
        onError: [{ codes: 'any', then: (path) => path.goTo(tail) }],
      });
      r.goTo(tail);
      return tail.complete('done', counted.output);
    });
    expect(message).toBe('"done" uses the output of "inc", but a path leads here on which "inc" has not succeeded');
  });

  it('is certain in a tail that all paths come to after the node', () => {
    const message = errorOf((r) => {
      const tail = r.tail();
      const counted = r.activity('inc', counter.increment, zero);
      r.activity('reserve', inventory.reserve, r.input, {
        onError: [{ codes: 'any', then: (path) => path.goTo(tail) }],
      });
      r.goTo(tail);
      return tail.complete('done', counted.output);
    });
    expect(message).toBe('no error');
  });

  it('belongs to its region', () => {
    const message = errorOf((r) => {
      const counted = r.activity('inc', counter.increment, zero);
      r.saga('book', { input: zero, ...counters, body: (s) => s.complete('done', counted.output) });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      '"done" uses the output of "inc", which the body of "book" cannot see; ' +
        'pass it in through the input of that region',
    );
  });

  it('of a condition is as certain as that of its node', () => {
    const message = errorOf((r) => {
      const limits: Output<typeof Counter>[] = [];
      r.activity('inc', counter.increment, zero, {
        onSuccess: (path, output) => {
          limits.push(output);
          return path.join();
        },
        onError: [{ codes: 'any', then: (path) => path.join() }],
      });
      r.while('count', {
        state: zero,
        stateSchema: Counter,
        maxIterations: 1,
        condition: (loop) => lt(loop.index, limits[0]?.at('value') ?? 1),
        body: (b) => b.complete('done', b.input),
      });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      'the condition of "count" uses the output of "inc", but a path leads here on which "inc" has not succeeded',
    );
  });
});

describe('an error', () => {
  it('is there on the path of its failure only', () => {
    const message = errorOf((r) => {
      const leaked: Failure[] = [];
      r.activity('inc', counter.increment, zero, {
        onError: [
          {
            codes: 'any',
            then: (path, error) => {
              leaked.push(error);
              return path.join();
            },
          },
        ],
      });
      r.activity('reserve', inventory.reserve, {
        order_id: leaked[0]?.at('code') ?? '',
        amount: 1,
        currency: 'eur',
      });
      return r.complete('done', zero);
    });
    expect(message).toBe('"reserve" uses the error of "inc", but a path leads here on which "inc" has not failed');
  });
});

describe('what is around a region', () => {
  const loop = { count: 1, stateSchema: Counter, maxIterations: 1 };

  it('has an input and an id of its own', () => {
    const message = errorOf((r) => {
      r.saga('book', {
        input: zero,
        ...counters,
        body: (s) => {
          s.repeat('again', { ...loop, state: s.input, body: (b) => b.complete('done', s.input) });
          return s.complete('done', zero);
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      '"done" uses the input of the body of "book", which the body of "again" cannot see; ' +
        'pass it in through the input of that region',
    );
    const id = errorOf((r) => {
      r.saga('book', {
        input: zero,
        inputSchema: Counter,
        outputSchema: Order,
        body: (s) => s.complete('done', { order_id: r.scope.id, amount: 1, currency: 'eur' }),
      });
      return r.complete('done', zero);
    });
    expect(id).toMatch(/^"done" uses the id of the workflow "test", which the body of "book" cannot see/);
  });

  it('has one loop in sight, the nearest', () => {
    const shadowed = errorOf((r) => {
      r.repeat('outer', {
        ...loop,
        state: zero,
        body: (outer, around) => {
          outer.repeat('inner', { ...loop, state: outer.input, body: (b) => b.complete('done', around.state) });
          return outer.complete('done', zero);
        },
      });
      return r.complete('done', zero);
    });
    expect(shadowed).toBe('"done" uses the state or index of "outer"; the nearest loop here is "inner"');
    const ended = errorOf((r) => {
      const leaked: Output<typeof Counter>[] = [];
      r.repeat('loop', {
        ...loop,
        state: zero,
        body: (b, around) => {
          leaked.push(around.state);
          return b.complete('done', b.input);
        },
      });
      return r.complete('done', leaked[0] ?? zero);
    });
    expect(ended).toBe('"done" uses the state or index of "loop"; there is no loop around it here');
  });

  it('is the condition of a loop before its body', () => {
    const message = errorOf((r) => {
      r.repeat('outer', {
        ...loop,
        state: zero,
        body: (outer, around) => {
          outer.while('inner', {
            state: outer.input,
            stateSchema: Counter,
            maxIterations: 1,
            condition: () => lt(around.index, 3),
            body: (b) => b.complete('done', b.input),
          });
          return outer.complete('done', zero);
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      'the condition of "inner" uses the state or index of "outer"; the nearest loop here is "inner"',
    );
  });

  it('has one item in sight, the nearest', () => {
    const message = errorOf((r) => {
      const leaked: Output<typeof Counter>[] = [];
      r.foreach('each', {
        items: [zero],
        itemSchema: Counter,
        outputSchema: Counter,
        maxItems: 1,
        body: (b, item) => {
          leaked.push(item.value);
          return b.complete('done', item.value);
        },
      });
      return r.complete('done', leaked[0] ?? zero);
    });
    expect(message).toBe('"done" uses the item or index of "each"; there is no foreach around it here');
  });

  it('is one workflow', () => {
    const leaked: Output<typeof Counter>[] = [];
    workflow('other', 1)
      .input(Counter)
      .output(Counter)
      .body((r) => {
        leaked.push(r.input);
        return r.complete('done', r.input);
      });
    expect(errorOf((r) => r.complete('done', leaked[0] ?? zero))).toBe(
      '"done" uses the input of another workflow, "other"',
    );
  });
});

describe('a compensation', () => {
  it('reads nothing but what its activity took and gave', () => {
    const message = errorOf((r) => {
      r.saga('book', {
        input: r.input,
        inputSchema: Order,
        outputSchema: Counter,
        body: (s) => {
          const reserved = s.activity('reserve', inventory.reserve, s.input, {
            compensation: { activity: inventory.release, input: (forward) => forward.output },
          });
          s.activity('charge', payment.charge, reserved.output, {
            compensation: {
              activity: payment.refund,
              input: (forward) => ({ order_id: s.input.at('order_id'), payment_id: forward.output.at('payment_id') }),
            },
          });
          return s.complete('done', zero);
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      'the compensation of "charge" uses the input of the body of "book"; ' +
        'a compensation reads only what its activity took and gave, and literals',
    );
  });

  it('keeps that to itself', () => {
    const message = errorOf((r) => {
      r.saga('book', {
        input: r.input,
        inputSchema: Order,
        outputSchema: ReservedOrder,
        body: (s) => {
          const leaked: Output<typeof ReservedOrder>[] = [];
          const reserved = s.activity('reserve', inventory.reserve, s.input, {
            compensation: {
              activity: inventory.release,
              input: (forward) => {
                leaked.push(forward.output);
                return forward.output;
              },
            },
          });
          return s.complete('done', leaked[0] ?? reserved.output);
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe(
      '"done" uses what "reserve" took or gave; only the input of its compensation can read that so',
    );
  });
});

describe('a reusable region', () => {
  const once = (name: string): typeof shared => reusable(name, counters, (b) => b.complete('done', b.input));
  const shared = reusable('shared', counters, (b) => b.complete('done', b.input));

  it('has a name of its own', () => {
    const message = errorOf((r) => {
      r.saga('a', { input: zero, ...counters, body: once('shared') });
      r.saga('b', { input: zero, ...counters, body: shared });
      return r.complete('done', zero);
    });
    expect(message).toBe('there are two reusable regions with the name "shared"');
  });

  it('is not inside itself', () => {
    const self: typeof shared = reusable('self', counters, (b) => {
      b.saga('again', { input: b.input, ...counters, body: self });
      return b.complete('done', b.input);
    });
    const message = errorOf((r) => {
      r.saga('a', { input: zero, ...counters, body: self });
      return r.complete('done', zero);
    });
    expect(message).toBe('the region "self" would be inside itself');
  });

  it('is used where there is what it needs', () => {
    const needsLoop = reusable('needs_loop', { ...counters, needs: { loop: Counter } }, (b, { loop }) =>
      b.complete('done', loop.state),
    );
    const needsInput = reusable('needs_input', { ...counters, needs: { workflow: Receipt } }, (b) =>
      b.complete('done', b.input),
    );
    const use = (body: typeof shared): string =>
      errorOf((r) => {
        r.saga('a', { input: zero, ...counters, body });
        return r.complete('done', zero);
      });
    expect(use(needsLoop)).toBe(
      '"a" uses the region "needs_loop", which needs a loop state of counter/v1; there is none',
    );
    expect(use(needsInput)).toBe(
      '"a" uses the region "needs_input", which needs a workflow input of receipt/v1; here it is order/v1',
    );
  });

  it('sees of its surroundings only what it needs', () => {
    const message = errorOf((r) => {
      r.repeat('loop', {
        count: 1,
        state: zero,
        stateSchema: Counter,
        maxIterations: 1,
        body: (b, loop) => {
          const inside = reusable('inside', counters, (region) => region.complete('done', loop.state));
          const saga = b.saga('saga', { input: b.input, ...counters, body: inside });
          return b.complete('done', saga.output);
        },
      });
      return r.complete('done', zero);
    });
    expect(message).toBe('"done" uses the state or index of "loop"; there is no loop around it here');
  });
});

describe('other mistakes', () => {
  it('are a signal with two schemas', () => {
    const message = errorOf((r) => {
      r.waitSignal('a', approved, { key: 'k', timeout: null });
      r.waitSignal('b', signal('approved', Counter), { key: 'k', timeout: null });
      return r.complete('done', zero);
    });
    expect(message).toBe('the signal "approved" is declared twice, with approval/v1 and counter/v1');
  });

  it('are a timeout without its path', () => {
    const message = errorOf((r) => {
      // @ts-expect-error a finite wait has a path for its timeout
      r.waitSignal('wait', approved, { key: 'k', timeout: '5m' });
      return r.complete('done', zero);
    });
    expect(message).toBe('"wait" has "onTimeout" exactly if its timeout is not null');
  });

  it('are values that are not JSON', () => {
    expect(errorOf((r) => r.complete('done', { value: Number.NaN }))).toBe(
      '"done" uses a value that is NaN, which JSON does not have',
    );
    expect(errorFrom(() => literal({ a: [2 ** 60] }))).toBe(
      'the literal at "/a/0" is an integer beyond 9007199254740991; send it as a string',
    );
    expect(errorOf((r) => r.complete('done', { value: r.input.at('lines', -1, 'count').required() }))).toBe(
      '-1 is not an index; items are counted from 0',
    );
    expect(errorOf((r) => r.complete('done', { value: r.input.at('lines', 0, 'count').or(-0) }))).toBe(
      'the default of "workflow.input/lines/0/count" is -0; write 0',
    );
  });

  it('are a projection with a default that should exist', () => {
    const message = errorOf((r) => {
      // @ts-expect-error with a default there is always something
      exists(r.input.at('note').or('x'));
      return r.complete('done', zero);
    });
    expect(message).toBe('"exists" takes a projection without a default');
  });
});
