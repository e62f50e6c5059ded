/** Nodes that own regions (spec 02 "Control primitives"). */
import type {
  ChooseNode,
  Condition,
  ContainerNode,
  DoWhileNode,
  ForeachNode,
  Json,
  ParallelNode,
  Region,
  RepeatNode,
  SagaNode,
  WhileNode,
} from '@graphrun/dsl';
import { engineFailure, Fails, NodeFails } from './failure.js';
import type { Interpreter } from './interpreter.js';
import type { Captured, ContainerStep, Course, Ended } from './prediction.js';
import type { LoopFrame, Place, Scope } from './scope.js';
import { isList, truthOf, valueOf } from './values.js';

/** @throws Fails when what the node takes from its scope cannot be had; NodeFails when it is not what the node wants. */
export function walkContainer(
  interpreter: Interpreter,
  node: ContainerNode,
  path: string,
  scope: Scope,
): ContainerStep {
  const site: Site = { interpreter, path, scope };
  switch (node.kind) {
    case 'choose':
      return choose(site, node);
    case 'saga':
      return saga(site, node);
    case 'while':
    case 'do_while':
    case 'repeat':
      return loop(site, node);
    case 'foreach':
      return foreach(site, node);
    case 'parallel':
      return parallel(site, node);
  }
}

interface Site {
  readonly interpreter: Interpreter;
  readonly path: string;
  readonly scope: Scope;
}

/** The course of a body; `at` is what its place has in its path after the node. */
function bodyOf(
  { interpreter, path, scope }: Site,
  region: Region,
  input: Json,
  at: string,
  more: Partial<Place> = {},
) {
  return interpreter.courseOf(region, input, { ...scope.place, ...more, path: path + at });
}

/** The container ends as its only body does. */
function single(site: Site, captured: Captured, body: Course): ContainerStep {
  const { kind } = captured;
  if (kind !== 'choose' && kind !== 'saga') throw new Error(`${kind} has more than one body`);
  const ended = endOf(body);
  const primary = ended.kind === 'failed' ? 0 : null;
  return { kind: 'container', path: site.path, container: kind, captured, bodies: [body], window: 1, primary, ended };
}

/** What the end of a body means to its container. */
function endOf({ path, end }: Course): Ended {
  if (end.kind === 'continued') throw new Error(`${path} cannot continue as new: it is not the root`);
  return end;
}

function choose(site: Site, node: ChooseNode): ContainerStep {
  const { scope } = site;
  const input = scope.bind(node.input, node.default.inputSchema);
  const found = node.cases.findIndex(({ when }) => truthOf(when, scope.read()));
  const taken = node.cases[found];
  const [region, at] = taken === undefined ? [node.default, '.default'] : [taken.body, `.${taken.name}`];
  const chosen = found < 0 ? null : found;
  return single(site, { kind: 'choose', input, chosen }, bodyOf(site, region, input, at));
}

function saga(site: Site, node: SagaNode): ContainerStep {
  const input = site.scope.bind(node.input, node.body.inputSchema);
  return single(site, { kind: 'saga', input }, bodyOf(site, node.body, input, '', { insideSaga: true }));
}

// ---------------------------------------------------------------------------------------------------------------- loops

function loop(site: Site, node: WhileNode | DoWhileNode | RepeatNode): ContainerStep {
  const { scope, path } = site;
  const count = node.kind === 'repeat' ? scope.integer(node.count, 0, node.maxIterations, nodeFails) : null;
  const state = scope.bind(node.state, node.stateSchema);
  const bodies: Course[] = [];
  const done = (ended: Ended, primary: number | null = null): ContainerStep => {
    const captured = { kind: 'loop', state, count } as const;
    return { kind: 'container', path, container: node.kind, captured, bodies, window: 1, primary, ended };
  };
  for (let frame: LoopFrame = { state, index: 0 }; ;) {
    const wanted = wantsMore(node, count, frame, scope);
    if ('failed' in wanted) return done({ kind: 'failed', failure: wanted.failed });
    if (!wanted.more) return done({ kind: 'completed', output: frame.state });
    if (frame.index >= node.maxIterations) return done({ kind: 'failed', failure: engineFailure('LoopLimitExceeded') });
    const body = bodyOf(site, node.body, frame.state, `[${frame.index}]`, { loop: frame });
    bodies.push(body);
    const ended = endOf(body);
    if (ended.kind !== 'completed') return done(ended, ended.kind === 'failed' ? frame.index : null);
    frame = { state: ended.output, index: frame.index + 1 };
  }
}

type Wanted = { readonly more: boolean } | { readonly failed: Fails['failure'] };

function wantsMore(
  node: WhileNode | DoWhileNode | RepeatNode,
  count: number | null,
  frame: LoopFrame,
  scope: Scope,
): Wanted {
  if (node.kind === 'repeat') return { more: frame.index < (count ?? 0) };
  if (node.kind === 'do_while' && frame.index === 0) return { more: true };
  return guard(node.condition, frame, scope);
}

/** A guard that cannot be decided fails its loop, as one does that never ends. */
function guard(condition: Condition, frame: LoopFrame, scope: Scope): Wanted {
  try {
    return { more: truthOf(condition, scope.read(frame)) };
  } catch (error) {
    if (error instanceof Fails) return { failed: error.failure };
    throw error;
  }
}

function nodeFails(failure: Fails['failure']): Error {
  return new NodeFails(failure);
}

// ---------------------------------------------------------------------------------------------------- bodies together

function parallel(site: Site, node: ParallelNode): ContainerStep {
  const { scope } = site;
  const inputs = node.branches.map(({ input, body }) => scope.bind(input, body.inputSchema));
  const window = node.branches.length;
  const bodies = node.branches.map(({ name, body }, slot) => bodyOf(site, body, inputs[slot] ?? null, `.${name}`));
  return together(site, 'parallel', { kind: 'parallel', inputs }, bodies, window, window);
}

function foreach(site: Site, node: ForeachNode): ContainerStep {
  const found = valueOf(node.items, site.scope.read());
  if (!isList(found)) throw new NodeFails(engineFailure('binding.kind'));
  if (found.length > node.maxItems) throw new NodeFails(engineFailure('binding.range'));
  const items = site.scope.bind(node.items, { array: node.itemSchema });
  if (!isList(items)) throw new Error('a list is a list');
  const window = node.maxConcurrency;
  const bodies: Course[] = [];
  let stuck = 0;
  for (const [index, value] of items.entries()) {
    // Bodies that never end keep their places, and there is none left for the next.
    if (stuck === window) break;
    const body = bodyOf(site, node.body, value, `[${index}]`, { item: { value, index } });
    if (body.end.kind === 'never') stuck += 1;
    bodies.push(body);
  }
  return together(site, 'foreach', { kind: 'foreach', items }, bodies, window, items.length);
}

/** Any of the bodies that fail may be the first to; all must complete for the container to. */
function together(
  { interpreter, path }: Site,
  container: 'foreach' | 'parallel',
  captured: Captured,
  bodies: readonly Course[],
  window: number,
  wanted: number,
): ContainerStep {
  const step = { kind: 'container', path, container, captured, bodies, window } as const;
  const failing = [...bodies.keys()].filter((slot) => bodies[slot]?.end.kind === 'failed');
  if (failing.length > 0) {
    const primary = failing[failing.length === 1 ? 0 : interpreter.choose(failing.length)] ?? 0;
    const first = bodies[primary];
    if (first === undefined) throw new Error(`${path} has no body ${primary}`);
    return { ...step, primary, ended: endOf(first) };
  }
  const outputs = bodies.flatMap(({ end }) => (end.kind === 'completed' ? [end.output] : []));
  const ended: Ended = outputs.length === wanted ? { kind: 'completed', output: outputs } : { kind: 'never' };
  return { ...step, primary: null, ended };
}
