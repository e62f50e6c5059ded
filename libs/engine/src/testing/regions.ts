/**
 * Regions over `item/v1` in YAML, put together: an activity, and every kind of container around a region. Each takes an item and
 * gives one, so any of them fits into any other.
 */
export type ContainerKind = 'choose' | 'while' | 'do_while' | 'repeat' | 'foreach' | 'parallel' | 'saga';

export const CONTAINERS: readonly ContainerKind[] = [
  'choose',
  'while',
  'do_while',
  'repeat',
  'foreach',
  'parallel',
  'saga',
];

/** How often the body is run, and how often one after the other on what the one before it gave. */
export const RUNS: Readonly<Record<ContainerKind, { readonly bodies: number; readonly chained: number }>> = {
  choose: { bodies: 1, chained: 1 },
  while: { bodies: 2, chained: 2 },
  do_while: { bodies: 2, chained: 2 },
  repeat: { bodies: 2, chained: 2 },
  foreach: { bodies: 2, chained: 1 },
  parallel: { bodies: 2, chained: 1 },
  saga: { bodies: 1, chained: 1 },
};

const INPUT = '{from: scope.input}';

/** Start and nodes of a region around one node called `it`, whose result, or a part of it, the region gives. */
function around(node: string, path = ''): string {
  const output = path === '' ? '{from: nodes.it.output}' : `{from: nodes.it.output, path: ${path}}`;
  return `start: it, nodes: {it: ${node}, end: {kind: complete, output: ${output}}}`;
}

/** A region that runs an activity. */
export function activityRegion(name: string, fields = ''): string {
  const more = fields === '' ? '' : `${fields}, `;
  return around(`{kind: activity, activity: {name: ${name}, version: 1}, input: ${INPUT}, ${more}next: end}`);
}

/** A region with a container that has `region` as its body. */
export function containerRegion(kind: ContainerKind, region: string): string {
  const body = `{input_schema: item/v1, output_schema: item/v1, ${region}}`;
  const loop = `state: ${INPUT}, state_schema: item/v1, max_iterations: 5, body: ${body}`;
  const again = 'condition: {lt: [{from: loop.index}, {literal: 2}]}';
  switch (kind) {
    case 'choose': {
      const when = `{ge: [{from: scope.input, path: /n}, {literal: 0}]}`;
      const cases = `[{name: some, when: ${when}, body: ${body}}]`;
      return around(`{kind: choose, input: ${INPUT}, cases: ${cases}, default: ${body}, next: end}`);
    }
    case 'while':
    case 'do_while':
      return around(`{kind: ${kind}, ${loop}, ${again}, next: end}`);
    case 'repeat':
      return around(`{kind: repeat, ${loop}, count: {literal: 2}, next: end}`);
    case 'foreach': {
      const items = `items: {array: [${INPUT}, ${INPUT}]}, item_schema: item/v1, max_items: 5`;
      return around(`{kind: foreach, ${items}, body: ${body}, next: end}`, '/0');
    }
    case 'parallel': {
      const branch = (name: string): string => `{name: ${name}, input: ${INPUT}, body: ${body}}`;
      return around(`{kind: parallel, branches: [${branch('left')}, ${branch('right')}], next: end}`, '/0');
    }
    case 'saga':
      return around(`{kind: saga, input: ${INPUT}, body: ${body}, next: end}`);
  }
}

/** A region as the root of a document. */
export function rootOf(region: string): string {
  const [, start = '', nodes = ''] = /^start: (\w+), nodes: (.*)$/s.exec(region) ?? [];
  return `start: ${start}\nnodes: ${nodes}`;
}
