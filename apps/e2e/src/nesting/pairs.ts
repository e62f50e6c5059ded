/**
 * Workflows of one container in another, for all pairs. Each innermost body has an effect, waits for a signal of its own
 * that says whether it is to fail, and returns its place.
 */

export const CONTAINERS = ['choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga'] as const;

export type ContainerKind = (typeof CONTAINERS)[number];

export interface Pair {
  readonly inner: ContainerKind;
  readonly outer: ContainerKind;
}

export const PAIRS: readonly Pair[] = CONTAINERS.flatMap((outer) => CONTAINERS.map((inner) => ({ inner, outer })));

/** How many bodies a container has here. */
export const ROUNDS: Readonly<Record<ContainerKind, number>> = {
  choose: 1,
  while: 2,
  do_while: 2,
  repeat: 2,
  foreach: 2,
  parallel: 2,
  saga: 1,
};

/** Parts of a document. */
interface Part {
  readonly [field: string]: unknown;
}

const from = (reference: string, path?: string): Part => ({ from: reference, ...(path !== undefined && { path }) });
const literal = (value: unknown): Part => ({ literal: value });
const object = (members: Part): Part => ({ object: members });
const region = (nodes: Readonly<Record<string, Part>>): Part => ({
  input_schema: 'e2e.any/v1',
  output_schema: 'e2e.any/v1',
  start: Object.keys(nodes)[0],
  nodes,
});

export function workflowOf({ inner, outer }: Pair): string {
  return `e2e_${inner}_in_${outer}`;
}

export function definitionOf(pair: Pair): Part {
  const { inner, outer } = pair;
  const undone = inner === 'saga' || outer === 'saga';
  const outerBody = (place: Part): Part =>
    region({
      inner: container(inner, object({ outer: place }), (innerPlace) => work(innerPlace, undone)),
      end: { kind: 'complete', output: object({ inner: from('nodes.inner.output') }) },
    });
  return {
    dsl: 'graphrun/v1',
    id: workflowOf(pair),
    version: 1,
    signals: { go: { schema: 'e2e.verdict/v1' } },
    ...region({
      outer: container(outer, literal({}), outerBody),
      end: { kind: 'complete', output: object({ outer: from('nodes.outer.output') }) },
    }),
  };
}

/** A container whose bodies all get `input`, and know their place among each other. */
function container(kind: ContainerKind, input: Part, bodyAt: (place: Part) => Part): Part {
  const common = { kind, next: 'end' };
  const loop = { state: input, state_schema: 'e2e.any/v1', max_iterations: 3 };
  switch (kind) {
    case 'choose': {
      const never = region({ never: { kind: 'fail', error: { code: 'e2e.default', message: 'nobody comes here' } } });
      const when = { eq: [literal(1), literal(1)] };
      return { ...common, input, cases: [{ name: 'yes', when, body: bodyAt(literal(0)) }], default: never };
    }
    case 'while':
    case 'do_while': {
      const condition = { lt: [from('loop.index'), literal(ROUNDS[kind])] };
      return { ...common, ...loop, condition, body: bodyAt(from('loop.index')) };
    }
    case 'repeat':
      return { ...common, ...loop, count: literal(ROUNDS[kind]), body: bodyAt(from('loop.index')) };
    case 'foreach': {
      const items = { array: [input, input] };
      return { ...common, items, item_schema: 'e2e.any/v1', max_items: 2, body: bodyAt(from('item.index')) };
    }
    case 'parallel':
      return {
        ...common,
        branches: ['left', 'right'].map((name, place) => ({ name, input, body: bodyAt(literal(place)) })),
      };
    case 'saga':
      return { ...common, input, body: bodyAt(literal(0)) };
  }
}

function work(inner: Part, undone: boolean): Part {
  const undo = { kind: 'activity', activity: { name: 'e2e.undo', version: 1 }, input: from('forward.output') };
  return region({
    step: {
      kind: 'activity',
      activity: { name: 'e2e.step', version: 1 },
      input: object({ outer: from('scope.input', '/outer'), inner }),
      ...(undone && { compensation: undo }),
      next: 'gate',
    },
    gate: { kind: 'wait_signal', signal: 'go', key: from('nodes.step.output', '/key'), timeout: null, next: 'check' },
    check: {
      kind: 'activity',
      activity: { name: 'e2e.check', version: 1 },
      input: object({
        outer: from('nodes.step.output', '/outer'),
        inner: from('nodes.step.output', '/inner'),
        ok: from('nodes.gate.output', '/ok'),
      }),
      next: 'end',
    },
    end: {
      kind: 'complete',
      output: object({ outer: from('nodes.check.output', '/outer'), inner: from('nodes.check.output', '/inner') }),
    },
  });
}
