/** Definitions of exactly 512 nodes, the most that one may have, in four shapes. */

export const CATALOG = JSON.stringify({
  format: 'graphrun.catalog/v1',
  schemas: {
    'order/v1': {
      type: 'object',
      required: ['order_id', 'amount'],
      additionalProperties: false,
      properties: {
        order_id: { type: 'string' },
        amount: { type: 'integer' },
        note: { type: ['string', 'null'] },
        address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
      },
    },
    'quote/v1': {
      type: 'object',
      required: ['total'],
      properties: { total: { type: 'integer' }, currency: { enum: ['EUR', 'USD'] } },
    },
  },
  activities: [
    contract('order.check', 'order/v1', 'order/v1', 'pure'),
    contract('order.quote', 'order/v1', 'quote/v1', 'pure'),
    contract('payment.charge', 'order/v1', 'quote/v1', 'external'),
    contract('payment.refund', 'quote/v1', 'unit/v1', 'external'),
  ],
  reconcilers: [],
});

function contract(name: string, input: string, output: string, effects: 'pure' | 'external'): object {
  return {
    name,
    version: 1,
    input_schema: input,
    output_schema: output,
    execution: 'async',
    effects,
    recovery: 'RetrySafe',
    error_codes: [
      { code: 'busy', retryable: true },
      { code: 'refused', retryable: false },
    ],
  };
}

export const NODES = 512;

const END = '  end: {kind: complete, output: {from: workflow.input}}\n';

/** YAML by the name of its shape. */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  chain: chain(),
  wide: wide(),
  nested: nested(),
  mixed: mixed(),
};

function document(id: string, start: string, nodes: string): string {
  return `dsl: graphrun/v1
id: ${id}
version: 1
input_schema: order/v1
output_schema: order/v1
signals:
  approved: {schema: order/v1}
start: ${start}
nodes:
${nodes}`;
}

function times(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

/** A node of a block document at some indentation, in the way in which people write one. */
function check(key: string, input: string, next: string, indent = 2): string {
  const margin = ' '.repeat(indent);
  return `${margin}${key}:
${margin}  kind: activity
${margin}  activity: {name: order.check, version: 1}
${margin}  input: {from: ${input}}
${margin}  next: ${next}
`;
}

/** Activities one after the other, each reading the output of one far before it. */
function chain(): string {
  const last = NODES - 2;
  const nodes = times(NODES - 1, (index) => {
    const input = index === 0 ? 'workflow.input' : `nodes.n${Math.floor(index / 2)}.output`;
    return check(`n${index}`, index === 1 ? 'nodes.n0.output' : input, index === last ? 'end' : `n${index + 1}`);
  });
  return document('bench.chain', 'n0', `${nodes}  end: {kind: complete, output: {from: nodes.n0.output}}\n`);
}

/** Sixteen branches beside each other, twice, and what is left over. */
function wide(): string {
  const steps = 14;
  const branch = (index: number): string => `      - name: b${index}
        input: {from: workflow.input}
        body:
          input_schema: order/v1
          output_schema: order/v1
          start: n0
          nodes:
${times(steps, (step) => check(`n${step}`, step === 0 ? 'scope.input' : `nodes.n${step - 1}.output`, step === steps - 1 ? 'end' : `n${step + 1}`, 12))}            end: {kind: complete, output: {from: nodes.n${steps - 1}.output}}
`;
  const parallel = (key: string, next: string): string =>
    `  ${key}:\n    kind: parallel\n    branches:\n${times(16, branch)}    next: ${next}\n`;
  const rest = NODES - 2 * (1 + 16 * (steps + 1)) - 1;
  const after = times(rest, (index) => {
    const input = index === 0 ? 'nodes.second.output, path: /15' : `nodes.n${index - 1}.output`;
    return check(`n${index}`, input, index === rest - 1 ? 'end' : `n${index + 1}`);
  });
  const end = `  end: {kind: complete, output: {from: nodes.n${rest - 1}.output}}\n`;
  return document('bench.wide', 'first', parallel('first', 'second') + parallel('second', 'n0') + after + end);
}

/** Towers of eight levels: containers of every kind in containers of every kind. */
function nested(): string {
  const towers = 34;
  const nodes = times(towers, (index) => tower(`t${index}`, index === towers - 1 ? 'last' : `t${index + 1}`, 1));
  return document('bench.nested', 't0', `${nodes}${check('last', 'workflow.input', 'end')}${END}`);
}

/** A container at `level` with the levels below it: 15 nodes from the first level on. */
function tower(key: string, next: string, level: number): string {
  const margin = ' '.repeat(level * 6 - 4);
  const input = level === 1 ? 'workflow.input' : 'scope.input';
  const inner = level === 7 ? check('work', 'scope.input', 'end', 44) : tower('inner', 'end', level + 1);
  const body = `
${margin}    input_schema: order/v1
${margin}    output_schema: order/v1
${margin}    start: ${level === 7 ? 'work' : 'inner'}
${margin}    nodes:
${inner}${' '.repeat(level * 6 + 2)}end: {kind: complete, output: {from: scope.input}}`;
  const loop = `state: {from: ${input}}\n${margin}  state_schema: order/v1\n${margin}  max_iterations: 10`;
  const kinds = [
    `kind: saga\n${margin}  input: {from: ${input}}`,
    `kind: repeat\n${margin}  ${loop}\n${margin}  count: {literal: 2}`,
    `kind: while\n${margin}  ${loop}\n${margin}  condition: {lt: [{from: loop.index}, {literal: 2}]}`,
  ];
  return `${margin}${key}:\n${margin}  ${kinds[level % kinds.length]}\n${margin}  next: ${next}\n${margin}  body:${body}\n`;
}

/** Some of everything, over and over. */
function mixed(): string {
  const blocks = 34;
  const tail = NODES - blocks * 15 - 1;
  const nodes = times(blocks, (index) => block(index, index === blocks - 1 ? 'n0' : `a${index + 1}`));
  const after = times(tail, (index) =>
    check(`n${index}`, 'workflow.input', index === tail - 1 ? 'end' : `n${index + 1}`),
  );
  return document('bench.mixed', 'a0', nodes + after + END);
}

function block(index: number, next: string): string {
  return `  a${index}:
    kind: activity
    activity: {name: payment.charge, version: 1}
    input:
      object:
        order_id: {from: workflow.input, path: /order_id}
        amount: {from: workflow.input, path: /amount}
        note: {from: workflow.input, path: /note, default: none}
        address: {object: {city: {from: workflow.input, path: /address/city, default: Bern}}}
    timeout: 90s
    retry: {errors: [busy], max_attempts: 3, backoff: {initial: 250ms, multiplier: 1.5, max: 10s}}
    next: c${index}
    on_error:
      - {codes: [refused, activity.timeout], next: f${index}}
      - {codes: any, next: r${index}}
  f${index}: {kind: fail, error: {code: not.paid, message: the payment was refused}}
  r${index}: {kind: delay, duration: 5m, next: c${index}}
  c${index}:
    kind: choose
    input: {from: workflow.input}
    cases:
      - name: small
        when: {all: [{lt: [{from: workflow.input, path: /amount}, {literal: 100}]}, {not: {eq: [{from: scope.id}, {literal: x}]}}]}
        body: {input_schema: order/v1, output_schema: order/v1, start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}
      - name: noted
        when: {exists: {from: workflow.input, path: /note}}
        body: {start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}
    default: {start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}
    next: w${index}
  w${index}:
    kind: while
    state: {from: nodes.c${index}.output}
    state_schema: order/v1
    condition: {lt: [{from: loop.index}, {from: loop.state, path: /amount}]}
    max_iterations: 100
    body:
      start: q
      nodes:
        q: {kind: activity, activity: {name: order.check, version: 1}, input: {from: loop.state}, next: e}
        e: {kind: complete, output: {from: nodes.q.output}}
    next: p${index}
  p${index}:
    kind: foreach
    items: {array: [{from: nodes.w${index}.output}, {from: workflow.input}]}
    item_schema: order/v1
    max_items: 10
    body: {output_schema: quote/v1, start: q, nodes: {q: {kind: activity, activity: {name: order.quote, version: 1}, input: {from: item.value}, next: e}, e: {kind: complete, output: {from: nodes.q.output}}}}
    next: s${index}
  s${index}:
    kind: wait_signal
    signal: approved
    key: {from: workflow.input, path: /order_id}
    timeout: 1d
    next: ${next}
    on_timeout: t${index}
  t${index}: {kind: wait_until, at: {literal: 1800000000000}, next: ${next}}
`;
}
