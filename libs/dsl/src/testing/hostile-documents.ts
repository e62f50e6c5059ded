/**
 * Documents of nearly 256 KiB that a compiler could choke on: much of one thing, things that multiply, things that are looked
 * up in each other. Each is a source for the catalog of `order-catalog.ts`, with the codes it is refused for.
 */
import { LIMITS } from '../limits.js';

export interface HostileDocument {
  readonly source: string;
  /** Codes of the complaints, each once, in order; none for a sound document. */
  readonly codes: readonly string[];
}

/** `piece(0)`, `piece(1)` and so on, as many as fit into a document beside a little else. */
function fill(piece: (index: number) => string, room = 2_000): string {
  const pieces: string[] = [];
  let size = room;
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    size += next.length;
    if (size > LIMITS.yamlBytes) return pieces.join('');
    pieces.push(next);
  }
}

function times(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

const COUNTER = 'input_schema: counter/v1, output_schema: counter/v1';
const BODY = `{${COUNTER}, start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}`;
const INCREMENT = 'kind: activity, activity: {name: counter.increment, version: 1}, input: {literal: {value: 1}}';
const END = '  z: {kind: complete, output: {literal: {value: 1}}}\n';

function document(parts: { header?: string; start?: string; output?: string; nodes?: string }): string {
  const { header = '', start = 'a', output = 'counter/v1', nodes = '' } = parts;
  return `dsl: graphrun/v1
id: hostile
version: 1
input_schema: order/v1
output_schema: ${output}
start: ${start}
${header}nodes:
${nodes}${END}`;
}

/** One node that chooses, with its cases and further lines. */
function choice(cases: string, header = ''): string {
  const nodes = `  a:\n    kind: choose\n    input: {literal: {value: 1}}\n    next: z\n    default: ${BODY}\n    cases:\n${cases}`;
  return document({ header, nodes });
}

function sagas(count: number, body: (index: number) => string): string {
  const next = (index: number): string => (index === count - 1 ? 'z' : `s${index + 1}`);
  return times(
    count,
    (index) => `  s${index}: {kind: saga, input: {literal: {value: 1}}, body: ${body(index)}, next: ${next(index)}}\n`,
  );
}

function completing(output: string, binding: string): string {
  return document({ output, nodes: `  a: {kind: complete, output: ${binding}}\n` }).replace(END, '');
}

/** A region with one parallel node whose sixteen branches all use `region`. */
function branching(region: string): string {
  const branches = times(16, (index) => `{name: b${index}, input: {from: scope.input}, body: {use: ${region}}}, `);
  return `{${COUNTER}, start: p, nodes: {p: {kind: parallel, next: e, branches: [${branches}]}, e: {kind: complete, output: {from: scope.input}}}}`;
}

/** A tuple of tuples of sixteen: 4,096 names at the depth of three. */
function wideTuple(depth: number, name: string): string {
  return depth === 0 ? name : `{tuple: [${times(16, () => `${wideTuple(depth - 1, name)}, `)}]}`;
}

function route(index: number): string {
  return `    - {codes: [c${index}], next: z}\n`;
}

const ACTIVITY = `  a:\n    ${INCREMENT.replaceAll(', i', '\n    i').replace(', a', '\n    a')}\n    next: z\n`;

/** By what they hold much of. */
export const HOSTILE_DOCUMENTS: Readonly<Record<string, HostileDocument>> = {
  'regions that use each other, sixteen times each': {
    source: document({
      header: `regions:\n${fill((index) => `  r${index}: ${branching(`r${index + 1}`)}\n`)}`,
      start: 's0',
      nodes: sagas(1, () => '{use: r0}'),
    }),
    codes: ['GR1113', 'GR1114'],
  },
  'regions that use each other, one after the other': {
    source: document({
      header: `regions:\n${fill((index) => `  r${index}: {${COUNTER}, start: s, nodes: {s: {kind: saga, input: {from: scope.input}, body: {use: r${index + 1}}, next: e}, e: {kind: complete, output: {from: nodes.s.output}}}}\n`)}`,
      start: 's0',
      nodes: sagas(1, () => '{use: r0}'),
    }),
    codes: ['GR1114'],
  },
  'uses of a region with a large literal': {
    source: document({
      header: `regions:\n  r: {input_schema: counter/v1, output_schema: {array: integer/v1}, start: e, nodes: {e: {kind: complete, output: {literal: [${times(40_000, (index) => `${index % 10}, `)}]}}}}\n`,
      start: 's0',
      nodes: sagas(250, () => '{use: r}'),
    }),
    codes: ['GR1113'],
  },
  'uses of a region with many bindings': {
    source: document({
      header: `regions:\n  r: {input_schema: counter/v1, output_schema: {array: integer/v1}, start: e, nodes: {e: {kind: complete, output: {array: [${times(6_000, () => '{from: scope.input, path: /value}, ')}]}}}}\n`,
      start: 's0',
      nodes: sagas(250, () => '{use: r}'),
    }),
    codes: ['GR1113'],
  },
  'uses of a region with many labels': {
    source: document({
      header: `regions:\n  r: {${COUNTER}, start: e, nodes: {e: {kind: complete, output: {from: scope.input}, labels: {${times(15_000, (index) => `l${index}: 1, `)}}}}}\n`,
      start: 's0',
      nodes: sagas(250, () => '{use: r}'),
    }),
    codes: ['GR1113'],
  },
  'uses of regions that do not exist': {
    source: document({
      header: `regions:\n${fill((index) => `  r${index}: ${BODY}\n`, 30_000)}`,
      start: 's0',
      nodes: sagas(250, (index) => `{use: q${index}}`),
    }),
    codes: ['GR1204'],
  },
  'cases that infer a large schema': {
    source: choice(
      times(
        450,
        (index) =>
          `    - {name: c${index}, when: {eq: [{literal: 1}, {literal: 1}]}, body: {start: e, nodes: {e: {kind: complete, output: {from: scope.input}}}}}\n`,
      ),
    ).replace(
      `default: ${BODY}`,
      `default: ${BODY.replace(COUNTER, `input_schema: ${wideTuple(3, 'counter/v1')}, output_schema: ${wideTuple(3, 'twin/v1')}`)}`,
    ),
    codes: ['GR1404', 'GR1403'],
  },
  'cases without bodies': {
    source: choice(fill(() => '    - {name: c, when: {eq: 1}}\n')),
    codes: ['GR1102', 'GR1111', 'GR1000'],
  },
  'cases that use a region': {
    source: choice(
      fill(
        (index) =>
          `    - {name: c${index}, body: {use: r}, when: {eq: [{from: workflow.input, path: /amount}, {literal: 1}]}}\n`,
      ),
      `regions: {r: ${BODY}}\n`,
    ),
    codes: ['GR1113'],
  },
  'operators of one condition': {
    source: choice(
      `    - name: c\n      body: ${BODY}\n      when: {all: [${fill(() => '{eq: [{from: workflow.input, path: /amount}, {literal: 1}]}, ')}]}\n`,
    ),
    codes: ['GR1314'],
  },
  'operands of one comparison': {
    source: choice(`    - name: c\n      body: ${BODY}\n      when: {eq: [${fill(() => '{literal: 1}, ')}]}\n`),
    codes: ['GR1115'],
  },
  'operators beside each other': {
    source: choice(`    - {name: c, body: ${BODY}, when: {${fill((index) => `k${index}: 1, `)}}}\n`),
    codes: ['GR1311'],
  },
  branches: {
    source: document({
      nodes: `  a:\n    kind: parallel\n    next: z\n    branches:\n${fill((index) => `    - {name: c${index}, input: {literal: 1}, body: ${BODY}}\n`)}`,
    }),
    codes: ['GR1115'],
  },
  'signals, and waits for others': {
    source: document({
      header: `signals:\n${fill((index) => `  s${index}: {schema: counter/v1}\n`, 60_000)}`,
      start: 'w0',
      nodes: times(
        500,
        (index) =>
          `  w${index}: {kind: wait_signal, signal: q${index}, key: {literal: k}, timeout: null, next: ${index === 499 ? 'z' : `w${index + 1}`}}\n`,
      ),
    }),
    codes: ['GR1208'],
  },
  'search attributes': {
    source: document({
      header: `search_attributes:\n${fill((index) => `  s${index}: {from: workflow.input, path: /amount}\n`)}`,
      start: 'z',
    }),
    codes: ['GR1115'],
  },
  'error routes': {
    source: document({ nodes: `${ACTIVITY}    on_error:\n${fill(route)}` }),
    codes: [],
  },
  'error routes to nowhere': {
    source: document({
      nodes: `${ACTIVITY}    on_error:\n${fill((index) => route(index).replace('z}', `zz${index}}`))}`,
    }),
    codes: ['GR1201', 'GR1000'],
  },
  'codes of one error route': {
    source: document({
      nodes: `${ACTIVITY}    on_error:\n    - {next: z, codes: [${fill((index) => `c${index}, `)}]}\n`,
    }),
    codes: ['GR1113'],
  },
  'codes to retry': {
    source: document({ nodes: `${ACTIVITY}    retry: {errors: [${fill((index) => `c${index}, `)}]}\n` }),
    codes: ['GR1502', 'GR1000'],
  },
  'members put together': {
    source: completing('counter/v1', `{object: {${fill((index) => `k${index}: {literal: 1}, `)}value: {literal: 1}}}`),
    codes: ['GR1406', 'GR1000'],
  },
  'members written out': {
    source: completing('counter/v1', `{literal: {${fill((index) => `k${index}: 1, `)}value: 1}}`),
    codes: ['GR1406', 'GR1000'],
  },
  'items put together': {
    source: completing('{array: integer/v1}', `{array: [${fill(() => '{literal: 1}, ')}]}`),
    codes: [],
  },
  'empty lists written out': {
    source: completing('{array: integer/v1}', `{literal: [${fill(() => '[],')}]}`),
    codes: ['GR1404', 'GR1000'],
  },
  'integers written out deep inside': {
    source: completing(
      'order/v1',
      `{literal: {order_id: a, amount: 1, meta: ${'['.repeat(29)}${fill(() => '1,')}1${']'.repeat(29)}}}`,
    ),
    codes: [],
  },
  'one text': { source: completing('string/v1', `{literal: "${'x'.repeat(255_000)}"}`), codes: [] },
  'one pointer': {
    source: completing('counter/v1', `{from: workflow.input, path: "/meta${'/a'.repeat(120_000)}"}`),
    codes: [],
  },
  'one pointer that can never exist': {
    source: completing('counter/v1', `{from: workflow.input, path: "${'/a'.repeat(120_000)}"}`),
    codes: ['GR1407'],
  },
  labels: {
    source: document({ header: `labels:\n${fill((index) => `  l${index}: ${index}\n`)}`, start: 'z' }),
    codes: [],
  },
  'one label': { source: document({ header: `labels: {a: "${'x'.repeat(255_000)}"}\n`, start: 'z' }), codes: [] },
  'unknown fields': {
    source: document({ header: fill((index) => `f${index}: 1\n`), start: 'z' }),
    codes: ['GR1101', 'GR1000'],
  },
  'empty nodes': {
    source: document({ nodes: fill((index) => `  n${index}: {}\n`) }),
    codes: ['GR1113'],
  },
  'edges between 500 nodes': {
    source: document({
      start: 'n0',
      nodes: times(500, (index) => {
        const to = (by: number): string => (index + by < 500 ? `n${index + by}` : 'z');
        const routes = [6, 9, 15, 27, 51, 99, 201].map((by) => `{codes: [c${by}], next: ${to(by)}}`).join(', ');
        return `  n${index}: {${INCREMENT}, next: ${to(1)}, on_error: [${routes}]}\n`;
      }),
    }),
    codes: [],
  },
  'edges back between 500 nodes': {
    source: document({
      start: 'n0',
      nodes: times(500, (index) => {
        const routes = times(8, (part) => `{codes: [c${part}], next: n${Math.floor((index * (part + 1)) / 9)}}, `);
        return `  n${index}: {${INCREMENT}, next: ${index < 499 ? `n${index + 1}` : 'z'}, on_error: [${routes}]}\n`;
      }),
    }),
    codes: ['GR1202', 'GR1000'],
  },
  'references to misspelt nodes with long names that are nearly alike': {
    source: misspelt(),
    codes: ['GR1203', 'GR1404', 'GR1303', 'GR1000'],
  },
};

function misspelt(): string {
  const key = (index: number): string => `${'a'.repeat(58)}${index}`;
  const items = times(1_000, (index) => `{from: nodes.${key(index).replace('aa', 'bab')}.output}, `);
  return document({
    start: 'z',
    nodes: times(500, (index) => `  ${key(index)}: {kind: fail, error: {code: a, message: b}}\n`),
  }).replace('{literal: {value: 1}}', `{array: [${items}]}`);
}
