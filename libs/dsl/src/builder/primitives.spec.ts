/** Every primitive of the language, built and written: the same normal form, and so the same digest. */
import { describe, expect, it } from '@jest/globals';
import { printDocument } from '../print.js';
import { definitionToDocument } from '../restore-document.js';
import { artifactOf, artifactOfYaml } from './testing/compare.js';
import { Approval, Counter, counter, inventory, Order, payment, Receipt, ReservedOrder } from './testing/shop.js';
import {
  all,
  any,
  arrayOf,
  builtin,
  eq,
  exists,
  ge,
  gt,
  le,
  literal,
  lt,
  ne,
  not,
  reusable,
  signal,
  tupleOf,
  workflow,
  type AnySchema,
  type BodyStep,
  type Workflow,
} from './index.js';

/** The builder of a workflow `test` over these schemas. */
function from<In extends AnySchema, Out extends AnySchema>(input: In, output: Out): BodyStep<In, Out> {
  return workflow('test', 1).input(input).output(output);
}

/** A document `test` over counters with these YAML lines of nodes. */
function counters(nodes: string, header = ''): string {
  return document('counter/v1', 'counter/v1', nodes, header);
}

function document(input: string, output: string, nodes: string, header = ''): string {
  const start = /^ {2}(\w+):/m.exec(nodes)?.[1] ?? '';
  return `dsl: graphrun/v1\nid: test\nversion: 1\ninput_schema: ${input}\noutput_schema: ${output}\nstart: ${start}\n${header}nodes:\n${nodes}`;
}

const DONE = '  done: {kind: complete, output: {from: workflow.input}}\n';
const INC =
  'inc: {kind: activity, activity: {name: counter.increment, version: 1}, input: {from: scope.input}, next: done}';
const BUMP = `{input_schema: counter/v1, output_schema: counter/v1, start: inc, nodes: {${INC}, done: {kind: complete, output: {from: nodes.inc.output}}}}`;

const approved = signal('approved', Approval);

type Pair = readonly [name: string, built: () => Workflow<AnySchema, AnySchema>, written: string];

function expectEqual(built: Workflow<AnySchema, AnySchema>, written: string): void {
  const expected = artifactOfYaml(written);
  const found = artifactOf(built);
  expect(found.definition).toEqual(expected.definition);
  expect(found.digest).toBe(expected.digest);
  // The normal form, printed, is a document with the same digest as well.
  expect(artifactOfYaml(printDocument(definitionToDocument(found.definition))).digest).toBe(expected.digest);
}

const ACTIVITIES: readonly Pair[] = [
  [
    'a sequence of activities',
    () =>
      from(Order, Receipt).body((r) => {
        const reserved = r.activity('reserve', inventory.reserve, r.input);
        const charged = r.activity('charge', payment.charge, reserved.output);
        return r.complete('finish', charged.output);
      }),
    document(
      'order/v1',
      'receipt/v1',
      `  reserve: {kind: activity, activity: {name: inventory.reserve, version: 1}, input: {from: workflow.input}, next: charge}
  charge: {kind: activity, activity: {name: payment.charge, version: 2}, input: {from: nodes.reserve.output}, next: finish}
  finish: {kind: complete, output: {from: nodes.charge.output}}
`,
    ),
  ],
  [
    'timeout and retry of an activity',
    () =>
      from(Order, ReservedOrder).body((r) => {
        const reserved = r.activity('reserve', inventory.reserve, r.input, {
          timeout: '30s',
          retry: { errors: ['busy'], maxAttempts: 8, backoff: { initial: '500ms', multiplier: 1.5, max: '20s' } },
        });
        return r.complete('done', reserved.output);
      }),
    document(
      'order/v1',
      'reserved_order/v1',
      `  reserve:
    kind: activity
    activity: {name: inventory.reserve, version: 1}
    input: {from: workflow.input}
    timeout: 30s
    retry: {errors: [busy], max_attempts: 8, backoff: {initial: 500ms, multiplier: 1.5, max: 20s}}
    next: done
  done: {kind: complete, output: {from: nodes.reserve.output}}
`,
    ),
  ],
  [
    'error routes, with the error value on their edge',
    () =>
      from(Order, builtin.string).body((r) => {
        r.activity('reserve', inventory.reserve, r.input, {
          onError: [
            { codes: ['sold_out', 'busy'], then: (path, error) => path.complete('sold', error.at('message')) },
            { codes: 'any', then: (path) => path.fail('lost', { code: 'order.lost', message: 'No luck.' }) },
          ],
        });
        return r.complete('done', 'fine');
      }),
    document(
      'order/v1',
      'string/v1',
      `  reserve:
    kind: activity
    activity: {name: inventory.reserve, version: 1}
    input: {from: workflow.input}
    next: done
    on_error: [{codes: [sold_out, busy], next: sold}, {codes: any, next: lost}]
  sold: {kind: complete, output: {from: nodes.reserve.error, path: /message}}
  lost: {kind: fail, error: {code: order.lost, message: No luck.}}
  done: {kind: complete, output: {literal: fine}}
`,
    ),
  ],
  [
    'compensation and irreversible effects in a saga',
    () =>
      from(Order, Receipt).body((r) => {
        const booked = r.saga('book', {
          input: r.input,
          inputSchema: Order,
          outputSchema: Receipt,
          body: (s) => {
            const reserved = s.activity('reserve', inventory.reserve, s.input, {
              compensation: {
                activity: inventory.release,
                input: (forward) => forward.output,
                timeout: '1m',
                retry: { errors: ['busy'], maxAttempts: 3, backoff: { initial: '2s' } },
              },
            });
            const charged = s.activity('charge', payment.charge, reserved.output, {
              compensation: { irreversible: 'The bank takes nothing back.' },
            });
            s.activity('look', counter.increment, { value: s.input.at('amount') });
            return s.complete('done', charged.output);
          },
        });
        return r.complete('done', booked.output);
      }),
    document(
      'order/v1',
      'receipt/v1',
      `  book:
    kind: saga
    input: {from: workflow.input}
    body:
      input_schema: order/v1
      output_schema: receipt/v1
      start: reserve
      nodes:
        reserve:
          kind: activity
          activity: {name: inventory.reserve, version: 1}
          input: {from: scope.input}
          compensation:
            kind: activity
            activity: {name: inventory.release, version: 1}
            input: {from: forward.output}
            timeout: 1m
            retry: {errors: [busy], max_attempts: 3, backoff: {initial: 2s}}
          next: charge
        charge:
          kind: activity
          activity: {name: payment.charge, version: 2}
          input: {from: nodes.reserve.output}
          compensation: {kind: irreversible, reason: The bank takes nothing back.}
          next: look
        look:
          kind: activity
          activity: {name: counter.increment, version: 1}
          input: {object: {value: {from: scope.input, path: /amount}}}
          next: done
        done: {kind: complete, output: {from: nodes.charge.output}}
    next: done
  done: {kind: complete, output: {from: nodes.book.output}}
`,
    ),
  ],
  [
    'an input of a compensation that is put together',
    () =>
      from(ReservedOrder, Counter).body((r) => {
        const booked = r.saga('book', {
          input: r.input,
          inputSchema: ReservedOrder,
          outputSchema: Counter,
          body: (s) => {
            const released = s.activity('release', inventory.release, s.input, {
              compensation: {
                activity: inventory.reserve,
                input: (forward) => ({
                  order_id: forward.input.at('order_id'),
                  amount: forward.output.at('value'),
                  currency: 'eur',
                }),
              },
            });
            return s.complete('done', released.output);
          },
        });
        return r.complete('done', booked.output);
      }),
    document(
      'reserved_order/v1',
      'counter/v1',
      `  book:
    kind: saga
    input: {from: workflow.input}
    body:
      input_schema: reserved_order/v1
      output_schema: counter/v1
      start: release
      nodes:
        release:
          kind: activity
          activity: {name: inventory.release, version: 1}
          input: {from: scope.input}
          compensation:
            kind: activity
            activity: {name: inventory.reserve, version: 1}
            input:
              object:
                order_id: {from: forward.input, path: /order_id}
                amount: {from: forward.output, path: /value}
                currency: {literal: eur}
          next: done
        done: {kind: complete, output: {from: nodes.release.output}}
    next: done
  done: {kind: complete, output: {from: nodes.book.output}}
`,
    ),
  ],
];

const BINDINGS: readonly Pair[] = [
  [
    'all forms of bindings',
    () =>
      from(Order, tupleOf(ReservedOrder, builtin.string, Counter, Order)).body((r) => {
        const reserved = r.activity('reserve', inventory.reserve, {
          order_id: r.scope.id,
          amount: 5,
          currency: r.input.at('currency'),
          note: r.input.at('note').or('none'),
          address: literal({ city: 'Utrecht' }),
          lines: [{ sku: r.input.at('lines', 0, 'sku').required(), count: 1 }],
          meta: r.input.at('meta', 'a/b~c').narrow<string>(),
        });
        return r.complete('done', [reserved.output, r.scope.id, { value: 1 }, r.scope.input]);
      }),
    document(
      'order/v1',
      '{tuple: [reserved_order/v1, string/v1, counter/v1, order/v1]}',
      `  reserve:
    kind: activity
    activity: {name: inventory.reserve, version: 1}
    input:
      object:
        order_id: {from: scope.id}
        amount: {literal: 5}
        currency: {from: workflow.input, path: /currency}
        note: {from: workflow.input, path: /note, default: none}
        address: {literal: {city: Utrecht}}
        lines: {array: [{object: {sku: {from: workflow.input, path: /lines/0/sku}, count: {literal: 1}}}]}
        meta: {from: workflow.input, path: /meta/a~1b~0c}
    next: done
  done:
    kind: complete
    output:
      array: [{from: nodes.reserve.output}, {from: scope.id}, {object: {value: {literal: 1}}}, {from: scope.input}]
`,
    ),
  ],
  [
    'a literal, which is not the object of its members',
    () => from(Counter, Counter).body((r) => r.complete('done', literal({ value: 5 }))),
    counters('  done: {kind: complete, output: {literal: {value: 5}}}\n'),
  ],
  [
    'an object, which is not the literal of its values',
    () => from(Counter, Counter).body((r) => r.complete('done', { value: 5 })),
    counters('  done: {kind: complete, output: {object: {value: {literal: 5}}}}\n'),
  ],
  [
    'an item of a tuple, which keeps its identity',
    () => from(tupleOf(Order, arrayOf(Counter)), Counter).body((r) => r.complete('done', r.input.at(1, 0).required())),
    document(
      '{tuple: [order/v1, {array: counter/v1}]}',
      'counter/v1',
      '  done: {kind: complete, output: {from: workflow.input, path: /1/0}}\n',
    ),
  ],
  [
    'a member that is left out because it is undefined',
    () =>
      from(Order, Order).body((r) =>
        r.complete('done', { order_id: 'o', amount: 1, currency: 'eur', note: undefined }),
      ),
    document(
      'order/v1',
      'order/v1',
      '  done: {kind: complete, output: {object: {order_id: {literal: o}, amount: {literal: 1}, currency: {literal: eur}}}}\n',
    ),
  ],
];

const CONDITIONS: readonly Pair[] = [
  [
    'all conditions',
    () =>
      from(Order, Counter).body((r) => {
        const { input } = r;
        const chosen = r.choose('route', {
          input: { value: input.at('amount') },
          inputSchema: Counter,
          outputSchema: Counter,
          cases: [
            { name: 'eq', when: eq(input.at('currency'), 'eur'), body: (b) => b.complete('done', b.input) },
            { name: 'ne', when: ne(input.at('note').or(null), null), body: (b) => b.complete('done', b.input) },
            { name: 'lt', when: lt(input.at('amount'), 5), body: (b) => b.complete('done', b.input) },
            { name: 'le', when: le(5, input.at('amount')), body: (b) => b.complete('done', b.input) },
            { name: 'gt', when: gt(input.at('amount'), input.at('amount')), body: (b) => b.complete('done', b.input) },
            { name: 'ge', when: ge(input.at('lines', 0, 'count').or(0), 1), body: (b) => b.complete('done', b.input) },
            {
              name: 'nested',
              when: all(any(exists(input.at('note')), eq(literal('a'), input.at('order_id'))), not(exists(input))),
              body: (b) => b.complete('done', b.input),
            },
          ],
          default: (b) => b.complete('done', b.input),
        });
        return r.complete('done', chosen.output);
      }),
    document(
      'order/v1',
      'counter/v1',
      `  route:
    kind: choose
    input: {object: {value: {from: workflow.input, path: /amount}}}
    cases:
${[
  ['eq', '{eq: [{from: workflow.input, path: /currency}, {literal: eur}]}'],
  ['ne', '{ne: [{from: workflow.input, path: /note, default: null}, {literal: null}]}'],
  ['lt', '{lt: [{from: workflow.input, path: /amount}, {literal: 5}]}'],
  ['le', '{le: [{literal: 5}, {from: workflow.input, path: /amount}]}'],
  ['gt', '{gt: [{from: workflow.input, path: /amount}, {from: workflow.input, path: /amount}]}'],
  ['ge', '{ge: [{from: workflow.input, path: /lines/0/count, default: 0}, {literal: 1}]}'],
  [
    'nested',
    '{all: [{any: [{exists: {from: workflow.input, path: /note}}, {eq: [{literal: a}, {from: workflow.input, path: /order_id}]}]}, {not: {exists: {from: workflow.input}}}]}',
  ],
]
  .map(
    ([name, when]) =>
      `      - {name: ${name}, when: ${when}, body: {start: done, nodes: {done: {kind: complete, output: {from: scope.input}}}}}\n`,
  )
  .join(
    '',
  )}    default: {input_schema: counter/v1, output_schema: counter/v1, start: done, nodes: {done: {kind: complete, output: {from: scope.input}}}}
    next: done
  done: {kind: complete, output: {from: nodes.route.output}}
`,
    ),
  ],
];

const CONTAINERS: readonly Pair[] = [
  [
    'while, whose condition sees its own carry',
    () =>
      from(Counter, Counter).body((r) => {
        const counted = r.while('count', {
          state: r.input,
          stateSchema: Counter,
          condition: (loop) => all(lt(loop.state.at('value'), 10), lt(loop.index, 5)),
          maxIterations: 20,
          body: (b, loop) => b.complete('next', { value: loop.index }),
        });
        return r.complete('done', counted.output);
      }),
    counters(`  count:
    kind: while
    state: {from: workflow.input}
    state_schema: counter/v1
    condition: {all: [{lt: [{from: loop.state, path: /value}, {literal: 10}]}, {lt: [{from: loop.index}, {literal: 5}]}]}
    max_iterations: 20
    body: {start: next, nodes: {next: {kind: complete, output: {object: {value: {from: loop.index}}}}}}
    next: done
  done: {kind: complete, output: {from: nodes.count.output}}
`),
  ],
  [
    'do_while, and a carry that is read as loop state and as input of the body',
    () =>
      from(Counter, Counter).body((r) => {
        const counted = r.doWhile('count', {
          state: { value: 0 },
          stateSchema: Counter,
          condition: (loop) => ne(loop.state.at('value'), r.input.at('value')),
          maxIterations: 1000,
          body: (b, loop) => {
            b.activity('first', counter.increment, b.input);
            const second = b.activity('second', counter.increment, loop.state);
            return b.complete('next', second.output);
          },
        });
        return r.complete('done', counted.output);
      }),
    counters(`  count:
    kind: do_while
    state: {object: {value: {literal: 0}}}
    state_schema: counter/v1
    condition: {ne: [{from: loop.state, path: /value}, {from: workflow.input, path: /value}]}
    max_iterations: 1000
    body:
      start: first
      nodes:
        first: {kind: activity, activity: {name: counter.increment, version: 1}, input: {from: scope.input}, next: second}
        second: {kind: activity, activity: {name: counter.increment, version: 1}, input: {from: loop.state}, next: next}
        next: {kind: complete, output: {from: nodes.second.output}}
    next: done
  done: {kind: complete, output: {from: nodes.count.output}}
`),
  ],
  [
    'repeat',
    () =>
      from(Counter, Counter).body((r) => {
        const counted = r.repeat('count', {
          count: r.input.at('value'),
          state: r.input,
          stateSchema: Counter,
          maxIterations: 3,
          body: (b) => b.complete('done', b.activity('inc', counter.increment, b.input).output),
        });
        return r.complete('done', counted.output);
      }),
    counters(`  count:
    kind: repeat
    count: {from: workflow.input, path: /value}
    state: {from: workflow.input}
    state_schema: counter/v1
    max_iterations: 3
    body: ${BUMP}
    next: done
  done: {kind: complete, output: {from: nodes.count.output}}
`),
  ],
  [
    'foreach, with its item as a value, as input and by its index',
    () =>
      from(arrayOf(Order), arrayOf(Counter)).body((r) => {
        const counted = r.foreach('each', {
          items: r.input,
          itemSchema: Order,
          outputSchema: Counter,
          maxItems: 100,
          maxConcurrency: 4,
          body: (b, item) => {
            b.activity('first', counter.increment, { value: item.value.at('amount') });
            b.activity('second', counter.increment, { value: b.input.at('amount') });
            return b.complete('done', { value: item.index });
          },
        });
        return r.complete('done', counted.output);
      }),
    document(
      '{array: order/v1}',
      '{array: counter/v1}',
      `  each:
    kind: foreach
    items: {from: workflow.input}
    item_schema: order/v1
    max_items: 100
    max_concurrency: 4
    body:
      output_schema: counter/v1
      start: first
      nodes:
        first: {kind: activity, activity: {name: counter.increment, version: 1}, input: {object: {value: {from: item.value, path: /amount}}}, next: second}
        second: {kind: activity, activity: {name: counter.increment, version: 1}, input: {object: {value: {from: scope.input, path: /amount}}}, next: done}
        done: {kind: complete, output: {object: {value: {from: item.index}}}}
    next: done
  done: {kind: complete, output: {from: nodes.each.output}}
`,
    ),
  ],
  [
    'foreach over items that are put together, with the default of its concurrency',
    () =>
      from(Counter, Counter).body((r) => {
        const each = r.foreach('each', {
          items: [r.input, { value: 2 }],
          itemSchema: Counter,
          outputSchema: Counter,
          maxItems: 2,
          body: (b) => b.complete('done', b.activity('inc', counter.increment, b.input).output),
        });
        const sum = r.activity('sum', counter.sum, each.output);
        return r.complete('done', sum.output);
      }),
    counters(`  each:
    kind: foreach
    items: {array: [{from: workflow.input}, {object: {value: {literal: 2}}}]}
    item_schema: counter/v1
    max_items: 2
    body: ${BUMP}
    next: sum
  sum: {kind: activity, activity: {name: counter.sum, version: 1}, input: {from: nodes.each.output}, next: done}
  done: {kind: complete, output: {from: nodes.sum.output}}
`),
  ],
  [
    'parallel, whose output is the tuple of its branches',
    () =>
      from(Order, tupleOf(Counter, ReservedOrder)).body((r) => {
        const both = r.parallel('both', [
          r.branch('count', {
            input: { value: r.input.at('amount') },
            inputSchema: Counter,
            outputSchema: Counter,
            body: (b) => b.complete('done', b.activity('inc', counter.increment, b.input).output),
          }),
          r.branch('stock', {
            input: r.input,
            inputSchema: Order,
            outputSchema: ReservedOrder,
            body: (b) => b.complete('done', b.activity('reserve', inventory.reserve, r.input).output),
          }),
        ]);
        return r.complete('done', [both.output.at(0), both.output.at(1)]);
      }),
    document(
      'order/v1',
      '{tuple: [counter/v1, reserved_order/v1]}',
      `  both:
    kind: parallel
    branches:
      - {name: count, input: {object: {value: {from: workflow.input, path: /amount}}}, body: ${BUMP}}
      - name: stock
        input: {from: workflow.input}
        body:
          input_schema: order/v1
          output_schema: reserved_order/v1
          start: reserve
          nodes:
            reserve: {kind: activity, activity: {name: inventory.reserve, version: 1}, input: {from: workflow.input}, next: done}
            done: {kind: complete, output: {from: nodes.reserve.output}}
    next: done
  done: {kind: complete, output: {array: [{from: nodes.both.output, path: /0}, {from: nodes.both.output, path: /1}]}}
`,
    ),
  ],
  [
    'error routes of containers',
    () =>
      from(Counter, Counter).body((r) => {
        const tried = r.saga('try', {
          input: r.input,
          inputSchema: Counter,
          outputSchema: Counter,
          body: (b) => b.complete('done', b.activity('inc', counter.increment, b.input).output),
          onError: [{ codes: ['slow'], then: (path) => path.complete('late', { value: 0 }) }],
        });
        return r.complete('done', tried.output);
      }),
    counters(`  try:
    kind: saga
    input: {from: workflow.input}
    body: ${BUMP}
    next: done
    on_error: [{codes: [slow], next: late}]
  late: {kind: complete, output: {object: {value: {literal: 0}}}}
  done: {kind: complete, output: {from: nodes.try.output}}
`),
  ],
];

const WAITS: readonly Pair[] = [
  [
    'delays of all spellings',
    () =>
      from(Counter, Counter).body((r) => {
        r.delay('a', '10ms');
        r.delay('b', literal('1h'));
        r.delay('c', 500);
        r.delay('d', r.input.at('value'));
        return r.complete('done', r.input);
      }),
    counters(`  a: {kind: delay, duration: 10ms, next: b}
  b: {kind: delay, duration: {literal: 1h}, next: c}
  c: {kind: delay, duration: {literal: 500}, next: d}
  d: {kind: delay, duration: {from: workflow.input, path: /value}, next: done}
${DONE}`),
  ],
  [
    'wait_until',
    () =>
      from(Counter, Counter).body((r) => {
        r.waitUntil('noon', r.input.at('value'));
        return r.complete('done', r.input);
      }),
    counters(`  noon: {kind: wait_until, at: {from: workflow.input, path: /value}, next: done}\n${DONE}`),
  ],
  [
    'a signal without a timeout',
    () =>
      from(Order, Approval).body((r) => {
        const approval = r.waitSignal('wait', approved, { key: r.input.at('order_id'), timeout: null });
        return r.complete('done', approval.output);
      }),
    document(
      'order/v1',
      'approval/v1',
      `  wait: {kind: wait_signal, signal: approved, key: {from: workflow.input, path: /order_id}, timeout: null, next: done}
  done: {kind: complete, output: {from: nodes.wait.output}}
`,
      'signals: {approved: {schema: approval/v1}}\n',
    ),
  ],
  [
    'a signal with a timeout whose path ends, taken only after the wait began',
    () =>
      from(Order, Approval).body((r) => {
        const approval = r.waitSignal('wait', approved, {
          key: 'all',
          timeout: '2d',
          consumeFrom: 'after_activation',
          onTimeout: (path) => path.fail('late', { code: 'approval.late', message: 'Nobody approved.' }),
        });
        return r.complete('done', approval.output);
      }),
    document(
      'order/v1',
      'approval/v1',
      `  wait:
    kind: wait_signal
    signal: approved
    key: {literal: all}
    timeout: 2d
    consume_from: after_activation
    next: done
    on_timeout: late
  late: {kind: fail, error: {code: approval.late, message: Nobody approved.}}
  done: {kind: complete, output: {from: nodes.wait.output}}
`,
      'signals: {approved: {schema: approval/v1}}\n',
    ),
  ],
  [
    'a signal with a timeout whose path joins the tail of both',
    () =>
      from(Counter, Counter).body((r) => {
        r.waitSignal('wait', signal('bump', Counter), {
          key: 'all',
          timeout: '5m',
          onSignal: (path, payload) => {
            path.activity('use', counter.increment, payload);
            return path.join();
          },
          onTimeout: (path) => {
            path.delay('rest', '1s');
            return path.join();
          },
        });
        r.activity('tail', counter.increment, r.input);
        return r.complete('done', r.input);
      }),
    counters(
      `  wait: {kind: wait_signal, signal: bump, key: {literal: all}, timeout: 5m, next: use, on_timeout: rest}
  use: {kind: activity, activity: {name: counter.increment, version: 1}, input: {from: nodes.wait.output}, next: tail}
  rest: {kind: delay, duration: 1s, next: tail}
  tail: {kind: activity, activity: {name: counter.increment, version: 1}, input: {from: workflow.input}, next: done}
${DONE}`,
      'signals: {bump: {schema: counter/v1}}\n',
    ),
  ],
  [
    'a timeout that leads where the signal leads',
    () =>
      from(Counter, Counter).body((r) => {
        r.waitSignal('wait', signal('bump', Counter), { key: 'all', timeout: '5m', onTimeout: (path) => path.join() });
        return r.complete('done', r.input);
      }),
    counters(
      `  wait: {kind: wait_signal, signal: bump, key: {literal: all}, timeout: 5m, next: done, on_timeout: done}\n${DONE}`,
      'signals: {bump: {schema: counter/v1}}\n',
    ),
  ],
];

const shared = reusable('shared', { inputSchema: Counter, outputSchema: Counter }, (b) => {
  const bumped = b.activity('inc', counter.increment, b.input);
  return b.complete('done', bumped.output);
});

const DOCUMENTS: readonly Pair[] = [
  [
    'everything in the head of a document',
    () =>
      workflow('test', 7, {
        description: 'Counts.',
        labels: { team: 'a', tier: 1, live: true },
        runTimeout: '30d',
        signals: [approved],
      })
        .input(Order)
        .output(Order)
        .searchAttributes((input) => ({
          order: input.at('order_id'),
          city: input.at('address', 'city').or('nowhere'),
          note: input.at('note'),
        }))
        .body((r) => r.complete('done', r.input, { description: 'The end.', labels: { last: true } })),
    `dsl: graphrun/v1
id: test
version: 7
input_schema: order/v1
output_schema: order/v1
run_timeout: 30d
signals: {approved: {schema: approval/v1}}
search_attributes:
  order: {from: workflow.input, path: /order_id}
  city: {from: workflow.input, path: /address/city, default: nowhere}
  note: {from: workflow.input, path: /note}
start: done
nodes:
  done: {kind: complete, output: {from: workflow.input}}
`,
  ],
  [
    'continue_as_new',
    () => from(Counter, Counter).body((r) => r.continueAsNew('again', { value: r.input.at('value') })),
    counters('  again: {kind: continue_as_new, input: {object: {value: {from: workflow.input, path: /value}}}}\n'),
  ],
  [
    'fail',
    () => from(Counter, Counter).body((r) => r.fail('no', { code: 'no.way', message: 'No.' })),
    counters('  no: {kind: fail, error: {code: no.way, message: No.}}\n'),
  ],
  [
    'a reusable region, used twice',
    () =>
      from(Counter, Counter).body((r) => {
        const first = r.saga('first', { input: r.input, inputSchema: Counter, outputSchema: Counter, body: shared });
        const second = r.repeat('second', {
          count: 2,
          state: first.output,
          stateSchema: Counter,
          maxIterations: 2,
          body: shared,
        });
        return r.complete('done', second.output);
      }),
    counters(
      `  first: {kind: saga, input: {from: workflow.input}, body: {use: shared}, next: second}
  second: {kind: repeat, count: {literal: 2}, state: {from: nodes.first.output}, state_schema: counter/v1, max_iterations: 2, body: {use: shared}, next: done}
  done: {kind: complete, output: {from: nodes.second.output}}
`,
      `regions:\n  shared: ${BUMP}\n`,
    ),
  ],
  [
    'a reusable region that reads what is around it',
    () => {
      const around = reusable(
        'around',
        {
          inputSchema: Counter,
          outputSchema: Counter,
          mode: 'saga',
          needs: { workflow: Order, loop: Counter, item: ReservedOrder },
        },
        (b, { workflow: run, loop, item }) => {
          b.activity('a', inventory.reserve, run.input, { compensation: { irreversible: 'a' } });
          b.activity('b', counter.sum, [loop.state, { value: loop.index }, b.input]);
          b.activity('c', inventory.release, item.value, { compensation: { irreversible: 'c' } });
          return b.complete('done', { value: item.index });
        },
      );
      return from(Order, Counter).body((r) => {
        r.foreach('each', {
          items: [r.activity('reserve', inventory.reserve, r.input).output],
          itemSchema: ReservedOrder,
          outputSchema: Counter,
          maxItems: 1,
          body: (each) => {
            const looped = each.repeat('loop', {
              count: 1,
              state: { value: 1 },
              stateSchema: Counter,
              maxIterations: 1,
              body: (b) => {
                const saga = b.saga('saga', {
                  input: b.input,
                  inputSchema: Counter,
                  outputSchema: Counter,
                  body: around,
                });
                return b.complete('done', saga.output);
              },
            });
            return each.complete('done', looped.output);
          },
        });
        return r.complete('done', { value: 0 });
      });
    },
    document(
      'order/v1',
      'counter/v1',
      `  reserve: {kind: activity, activity: {name: inventory.reserve, version: 1}, input: {from: workflow.input}, next: each}
  each:
    kind: foreach
    items: {array: [{from: nodes.reserve.output}]}
    item_schema: reserved_order/v1
    max_items: 1
    body:
      output_schema: counter/v1
      start: loop
      nodes:
        loop:
          kind: repeat
          count: {literal: 1}
          state: {object: {value: {literal: 1}}}
          state_schema: counter/v1
          max_iterations: 1
          body:
            start: saga
            nodes:
              saga: {kind: saga, input: {from: scope.input}, body: {use: around}, next: done}
              done: {kind: complete, output: {from: nodes.saga.output}}
          next: done
        done: {kind: complete, output: {from: nodes.loop.output}}
    next: done
  done: {kind: complete, output: {object: {value: {literal: 0}}}}
`,
      `regions:
  around:
    input_schema: counter/v1
    output_schema: counter/v1
    start: a
    nodes:
      a: {kind: activity, activity: {name: inventory.reserve, version: 1}, input: {from: workflow.input}, compensation: {kind: irreversible, reason: a}, next: b}
      b: {kind: activity, activity: {name: counter.sum, version: 1}, input: {array: [{from: loop.state}, {object: {value: {from: loop.index}}}, {from: scope.input}]}, next: c}
      c: {kind: activity, activity: {name: inventory.release, version: 1}, input: {from: item.value}, compensation: {kind: irreversible, reason: c}, next: done}
      done: {kind: complete, output: {object: {value: {from: item.index}}}}
`,
    ),
  ],
  [
    'a tail that several error routes lead to',
    () =>
      from(Order, Receipt).body((r) => {
        const sorry = r.tail();
        const reserved = r.activity('reserve', inventory.reserve, r.input, {
          onError: [{ codes: 'any', then: (path) => path.goTo(sorry) }],
        });
        const charged = r.activity('charge', payment.charge, reserved.output, {
          onError: [
            {
              codes: ['declined'],
              then: (path) => {
                path.activity('release', inventory.release, reserved.output);
                return path.goTo(sorry);
              },
            },
          ],
        });
        r.complete('done', charged.output);
        sorry.delay('wait', '1s');
        return sorry.fail('sorry', { code: 'order.refused', message: 'Sorry.' });
      }),
    document(
      'order/v1',
      'receipt/v1',
      `  reserve: {kind: activity, activity: {name: inventory.reserve, version: 1}, input: {from: workflow.input}, next: charge, on_error: [{codes: any, next: wait}]}
  charge: {kind: activity, activity: {name: payment.charge, version: 2}, input: {from: nodes.reserve.output}, next: done, on_error: [{codes: [declined], next: release}]}
  release: {kind: activity, activity: {name: inventory.release, version: 1}, input: {from: nodes.reserve.output}, next: wait}
  done: {kind: complete, output: {from: nodes.charge.output}}
  wait: {kind: delay, duration: 1s, next: sorry}
  sorry: {kind: fail, error: {code: order.refused, message: Sorry.}}
`,
    ),
  ],
];

describe.each([
  ['activities', ACTIVITIES],
  ['bindings', BINDINGS],
  ['conditions', CONDITIONS],
  ['containers', CONTAINERS],
  ['waits', WAITS],
  ['documents', DOCUMENTS],
])('%s: the builder and YAML give the same digest for', (_group, pairs) => {
  it.each(pairs)('%s', (_name, built, written) => {
    expectEqual(built(), written);
  });
});
