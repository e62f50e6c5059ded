/**
 * Documents whose digests are written down in `pinned-digests.spec.ts`. Runs that exist are pinned to their digests, so
 * neither these documents nor what the compiler makes of them may ever change.
 */

export const PINNED_CATALOG = JSON.stringify({
  format: 'graphrun.catalog/v1',
  schemas: {
    'count/v1': {
      type: 'object',
      required: ['value'],
      additionalProperties: false,
      properties: { value: { type: 'integer', minimum: -1.5e2 } },
    },
    'order/v1': {
      type: 'object',
      required: ['id', 'lines'],
      properties: {
        id: { type: 'string', minLength: 1 },
        'a/b~c': { type: ['number', 'null'] },
        lines: { type: 'array', items: { $ref: '#/$defs/line' } },
      },
      $defs: { line: { type: 'object', required: ['sku'], properties: { sku: { const: 'é "☃"' } } } },
    },
  },
  activities: [
    {
      ...{ name: 'count.up', version: 1, input_schema: 'count/v1', output_schema: 'count/v1' },
      ...{ execution: 'blocking', effects: 'pure', recovery: 'RetrySafe' },
      error_codes: [
        { code: 'busy', retryable: true },
        { code: 'broken', retryable: false },
      ],
    },
    {
      ...{
        name: 'order.place',
        version: 12,
        input_schema: 'order/v1',
        output_schema: { tuple: ['count/v1', 'order/v1'] },
      },
      ...{ execution: 'async', effects: 'external', recovery: 'Manual' },
      error_codes: [{ code: 'busy', retryable: true }],
      reconciler: { name: 'order.find', version: 2 },
    },
    {
      ...{ name: 'order.undo', version: 1, input_schema: { array: 'count/v1' }, output_schema: 'unit/v1' },
      ...{ execution: 'async', effects: 'external', recovery: 'RetrySafe' },
      error_codes: [
        { code: 'slow', retryable: true },
        { code: 'busy', retryable: true },
      ],
    },
  ],
  reconcilers: [{ name: 'order.find', version: 2, forward_activity: { name: 'order.place', version: 12 } }],
});

function pinned(id: string, nodes: string, header = '', start = 'a'): string {
  return `dsl: graphrun/v1
id: ${id}
version: 1
input_schema: count/v1
output_schema: count/v1
${header}start: ${start}
nodes:
${nodes}  z: {kind: complete, output: {from: workflow.input}}
`;
}

const UP = 'kind: activity, activity: {name: count.up, version: 1}';
const SAME = '{start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}';
const BOTH = 'input_schema: count/v1, output_schema: count/v1';
const STATED = `{${BOTH}, start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}`;

/** YAML by what it pins. */
export const PINNED_DOCUMENTS = {
  activity: pinned(
    'pinned.activity',
    `  a: {${UP}, input: {from: workflow.input}, next: b}
  b:
    ${UP.replace(', ', '\n    ')}
    input: {from: nodes.a.output}
    timeout: 90s
    retry: {errors: [busy, activity.unhandled], max_attempts: 3, backoff: {initial: 250ms, multiplier: 1.5, max: 1h}}
    next: z
`,
    'run_timeout: 365d\nsearch_attributes: {value: {from: workflow.input, path: /value}}\n',
  ),
  bindings: `dsl: graphrun/v1
id: pinned.bindings
version: 9007199254740991
input_schema: order/v1
output_schema: {tuple: [string/v1, {array: order/v1}, number/v1, unit/v1]}
start: a
nodes:
  a:
    kind: complete
    output:
      array:
        - {from: scope.id}
        - array:
            - {from: workflow.input, path: ""}
            - {literal: {id: "ünï\\n\\u2028", a/b~c: -1.25e-7, lines: [], more: {a: [1, 2.0, null, true]}}}
            - {object: {id: {from: scope.input, path: /lines/0/sku, default: none}, lines: {array: []}}}
        - {from: scope.input, path: /a~1b~0c, default: 100}
        - {literal: null}
`,
  choose: pinned(
    'pinned.choose',
    `  a:
    kind: choose
    input: {from: workflow.input}
    cases:
      - {name: Few, when: {lt: [{from: workflow.input, path: /value}, {literal: 3}]}, body: ${SAME}}
      - name: 2nd.case
        when:
          all:
            - {any: [{eq: [{from: scope.id}, {literal: x}]}, {ne: [{literal: a}, {literal: b}]}]}
            - {not: {exists: {from: workflow.input, path: /value}}}
            - {le: [{literal: 1}, {literal: 1.5}]}
            - {gt: [{literal: 2}, {literal: 1}]}
            - {ge: [{literal: 2}, {from: workflow.input, path: /value, default: 0}]}
        body: {start: f, nodes: {f: {kind: fail, error: {code: too.many, message: "more than \\"2\\""}}}}
    default: ${STATED}
    next: z
`,
  ),
  while: pinned(
    'pinned.while',
    `  a:
    kind: while
    state: {from: workflow.input}
    state_schema: count/v1
    condition: {lt: [{from: loop.index}, {from: loop.state, path: /value}]}
    max_iterations: 1000
    body: {start: i, nodes: {i: {${UP}, input: {from: loop.state}, next: e}, e: {kind: complete, output: {from: nodes.i.output}}}}
    next: z
`,
  ),
  do_while: pinned(
    'pinned.do_while',
    `  a: {kind: do_while, state: {literal: {value: 0}}, state_schema: count/v1, max_iterations: 2, body: ${SAME}, next: z,
    condition: {not: {eq: [{from: loop.index}, {literal: 2}]}}}
`,
  ),
  repeat: pinned(
    'pinned.repeat',
    `  a: {kind: repeat, count: {from: workflow.input, path: /value}, state: {from: workflow.input}, state_schema: count/v1,
    max_iterations: 7, body: ${SAME}, next: z}
`,
  ),
  foreach: pinned(
    'pinned.foreach',
    `  a:
    kind: foreach
    items: {array: [{from: workflow.input}, {literal: {value: 2}}]}
    item_schema: count/v1
    max_items: 10
    body: {output_schema: integer/v1, start: e, nodes: {e: {kind: complete, output: {from: item.index}}}}
    next: b
  b: {kind: foreach, items: {from: nodes.a.output}, item_schema: integer/v1, max_items: 10, max_concurrency: 1, next: z,
    body: {output_schema: integer/v1, start: e, nodes: {e: {kind: complete, output: {from: item.value}}}}}
`,
  ),
  parallel: pinned(
    'pinned.parallel',
    `  a:
    kind: parallel
    branches:
      - {name: one, input: {from: workflow.input}, body: ${STATED}}
      - {name: Two, input: {literal: 2}, body: {input_schema: integer/v1, output_schema: string/v1, start: e,
          nodes: {e: {kind: complete, output: {from: scope.id}}}}}
    next: b
  b: {${UP}, input: {from: nodes.a.output, path: /0}, next: z}
`,
  ),
  saga: pinned(
    'pinned.saga',
    `  a:
    kind: saga
    input: {from: workflow.input}
    body:
      input_schema: count/v1
      output_schema: count/v1
      start: p
      nodes:
        p:
          kind: activity
          activity: {name: order.place, version: 12}
          input: {literal: {id: o, lines: []}}
          compensation:
            kind: activity
            activity: {name: order.undo, version: 1}
            input: {array: [{from: forward.output, path: /0}]}
          next: q
        q:
          kind: activity
          activity: {name: order.place, version: 12}
          input: {from: nodes.p.output, path: /1}
          compensation: {kind: irreversible, reason: it left the house}
          next: r
        r:
          ${UP.replace(', ', '\n          ')}
          input: {from: nodes.q.output, path: /0}
          compensation: {kind: activity, activity: {name: order.undo, version: 1}, timeout: 1s, input: {array: []},
            retry: {errors: [busy], max_attempts: 1, backoff: {initial: 1ms, max: 1ms, multiplier: 1}}}
          next: e
        e: {kind: complete, output: {from: nodes.r.output}}
    next: z
`,
  ),
  timers: pinned(
    'pinned.timers',
    `  a: {kind: delay, duration: 10ms, next: b}
  b: {kind: delay, duration: {literal: 2h}, next: c}
  c: {kind: delay, duration: {from: workflow.input, path: /value, default: 5}, next: d}
  d: {kind: wait_until, at: {literal: 1800000000000}, next: z}
`,
  ),
  wait_signal: pinned(
    'pinned.wait_signal',
    `  a: {kind: wait_signal, signal: go, key: {literal: "1"}, timeout: null, next: b}
  b: {kind: wait_signal, signal: stop.it, key: {from: scope.id}, timeout: 5m, consume_from: after_activation, next: c, on_timeout: z}
  c: {kind: complete, output: {from: nodes.b.output}}
`,
    'signals: {stop.it: {schema: count/v1}, go: {schema: {array: unit/v1}}, never: {schema: boolean/v1}}\n',
  ),
  on_error: pinned(
    'pinned.on_error',
    `  a:
    ${UP.replace(', ', '\n    ')}
    input: {from: workflow.input}
    next: z
    on_error:
      - {codes: [broken, activity.timeout], next: b}
      - {codes: any, next: c}
  b: {kind: fail, error: {code: no, message: ""}}
  c: {kind: wait_signal, signal: go, key: {from: nodes.a.error, path: /code}, timeout: 1d, next: z, on_timeout: b}
`,
    'signals: {go: {schema: unit/v1}}\n',
  ),
  continue_as_new: pinned(
    'pinned.continue_as_new',
    `  a: {${UP}, input: {from: workflow.input}, next: b, on_error: [{codes: [busy], next: z}]}
  b: {kind: continue_as_new, input: {from: nodes.a.output}}
`,
  ),
  nested: pinned(
    'pinned.nested',
    `  a: {kind: saga, input: {from: workflow.input}, body: {use: outer}, next: b}
  b: {kind: while, state: {from: nodes.a.output}, state_schema: count/v1, max_iterations: 3, body: {use: inner}, next: z,
    condition: {eq: [{literal: true}, {literal: false}]}}
`,
    `regions:
  outer:
    input_schema: count/v1
    output_schema: count/v1
    start: p
    nodes:
      p: {kind: parallel, next: e, branches: [
        {name: l, input: {from: scope.input}, body: {use: stated}},
        {name: r, input: {from: scope.input}, body: {${BOTH}, start: w, nodes: {
          w: {kind: repeat, count: {literal: 0}, state: {from: scope.input}, state_schema: count/v1, max_iterations: 1, body: {use: inner}, next: e},
          e: {kind: complete, output: {from: nodes.w.output}}}}}]}
      e: {kind: complete, output: {from: nodes.p.output, path: /1}}
  inner: ${SAME}
  stated: ${STATED}
description: dropped
labels: {dropped: true}
`,
  ),
} as const;
