/** The seven containers around any body, each with a known number of executions of it. */
import { body, complete, from, literal, object, type Nodes, type Part } from './workflow.js';

export const CONTAINERS = ['choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga'] as const;

export type ContainerKind = (typeof CONTAINERS)[number];

/** How often a container executes its body here. */
export const ROUNDS: Readonly<Record<ContainerKind, number>> = {
  choose: 1,
  while: 2,
  do_while: 2,
  repeat: 2,
  foreach: 2,
  parallel: 2,
  saga: 1,
};

/** Whether its bodies are under way at the same time. */
export const AT_ONCE: ReadonlySet<ContainerKind> = new Set(['foreach', 'parallel']);

/** A node that owns `inner`, and goes on to `end`. */
export function around(kind: ContainerKind, inner: Part, fields: Part = {}): Part {
  const input = from('scope.input');
  const loop = { state: input, state_schema: 'value/v1', max_iterations: 3, body: inner };
  const common = { kind, next: 'end', ...fields };
  switch (kind) {
    case 'choose': {
      const when = { eq: [literal(1), literal(1)] };
      return { ...common, input, cases: [{ name: 'yes', when, body: inner }], default: body({ end: complete() }) };
    }
    case 'while':
    case 'do_while':
      return { ...common, ...loop, condition: { lt: [from('loop.index'), literal(2)] } };
    case 'repeat':
      return { ...common, ...loop, count: literal(2) };
    case 'foreach':
      return { ...common, items: literal([0, 1]), item_schema: 'value/v1', max_items: 2, body: inner };
    case 'parallel':
      return { ...common, branches: ['a', 'b'].map((name) => ({ name, input, body: inner })) };
    case 'saga':
      return { ...common, input, body: inner };
  }
}

/** A body that is one container with its result; results of a foreach and a parallel are arrays. */
export function bodyAround(kind: ContainerKind, inner: Part): Part {
  return body(nodesAround(kind, inner));
}

export function nodesAround(kind: ContainerKind, inner: Part, fields: Part = {}): Nodes {
  return { [kind]: around(kind, inner, fields), end: complete(object({ [kind]: from(`nodes.${kind}.output`) })) };
}
