/** Appliers of containers: entered with what they captured, then their one result. */
import type { Json } from '@graphrun/dsl';
import { composed, recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { ActivationId, ScopeId } from '../ids.js';
import { nodeAt, nodePointer } from '../program-index.js';
import type { Cell, ContainerWork, Run } from '../state.js';
import { closeContainer } from './close.js';
import { damaged, findContainer, findScope } from './find.js';
import { forgetContainer } from './forget.js';

interface Entry {
  readonly activation: ActivationId;
  readonly scope: ScopeId;
  readonly node: string;
}

function enter(run: Run, { activation, scope: scopeId, node }: Entry, work: ContainerWork, at: number): void {
  const scope = findScope(run, scopeId);
  scope.next = null;
  scope.current = { activation };
  scope.activations.add(activation);
  run.activationCount += 1;
  run.containers.set(activation, {
    id: activation,
    scope: scopeId,
    node,
    pointer: nodePointer(scope.region, node),
    since: at,
    status: { kind: 'open' },
    work,
    bodies: new Set(),
  });
}

export function chooseEnteredV1(run: Run, body: BodyOf<'choose_entered'>, event: RunEvent): void {
  const input = recorded(body.input, event.seq, '/input');
  enter(run, body, { kind: 'choose', input, chosen: body.chosen, result: null }, event.at);
}

export function loopEnteredV1(run: Run, body: BodyOf<'loop_entered'>, event: RunEvent): void {
  const carry = recorded(body.state, event.seq, '/state');
  enter(run, body, { kind: 'loop', count: body.count ?? null, carry, done: 0 }, event.at);
}

export function foreachEnteredV1(run: Run, body: BodyOf<'foreach_entered'>, event: RunEvent): void {
  const items = recorded(body.items, event.seq, '/items');
  enter(run, body, { kind: 'foreach', items, opened: 0, results: new Map() }, event.at);
}

export function parallelEnteredV1(run: Run, body: BodyOf<'parallel_entered'>, event: RunEvent): void {
  const inputs = body.inputs.map((input, index) => recorded(input, event.seq, `/inputs/${index}`));
  enter(run, body, { kind: 'parallel', inputs, opened: 0, results: new Map() }, event.at);
}

export function sagaEnteredV1(run: Run, body: BodyOf<'saga_entered'>, event: RunEvent): void {
  const input = recorded(body.input, event.seq, '/input');
  enter(run, body, { kind: 'saga', input, obligations: [], aborting: false, result: null }, event.at);
}

/** The output is put together from what the bodies returned. */
export function containerCompletedV1(run: Run, body: BodyOf<'container_completed'>): void {
  const container = findContainer(run, body.activation);
  const scope = findScope(run, container.scope);
  const node = nodeAt(run.program, container.pointer);
  if (!('next' in node)) throw damaged(run, `completes ${container.id}, which ends its region`);
  scope.outputs.set(container.node, outputOf(run, container.id, container.work));
  scope.current = null;
  scope.next = node.next;
  scope.activations.delete(container.id);
  forgetContainer(run, container.id);
}

function outputOf(run: Run, id: ActivationId, work: ContainerWork): Cell {
  switch (work.kind) {
    case 'choose':
    case 'saga':
      if (work.result === null) throw damaged(run, `completes ${id}, whose body has no result`);
      return work.result;
    case 'loop':
      return work.carry;
    case 'foreach':
      return joined(run, id, lengthOf(work.items.value), work.results);
    case 'parallel':
      return joined(run, id, work.inputs.length, work.results);
  }
}

function lengthOf(items: Json): number {
  return Array.isArray(items) ? items.length : 0;
}

function joined(run: Run, id: ActivationId, count: number, results: ReadonlyMap<number, Cell>): Cell {
  const parts: Cell[] = [];
  for (let index = 0; index < count; index++) {
    const part = results.get(index);
    if (part === undefined) throw damaged(run, `completes ${id}, whose body ${index} has no result`);
    parts.push(part);
  }
  return composed(parts);
}

export function containerFailingV1(run: Run, body: BodyOf<'container_failing'>): void {
  closeContainer(run, findContainer(run, body.activation), body.failure);
}

/** It stays where it is: its scope takes an error route, or fails with it. */
export function containerFailedV1(run: Run, body: BodyOf<'container_failed'>, event: RunEvent): void {
  const container = findContainer(run, body.activation);
  container.status = { kind: 'failed', failure: body.failure };
  container.since = event.at;
  findScope(run, container.scope).current = null;
}

export function containerCancelledV1(run: Run, body: BodyOf<'container_cancelled'>, event: RunEvent): void {
  const container = findContainer(run, body.activation);
  container.status = { kind: 'cancelled' };
  container.since = event.at;
  findScope(run, container.scope).current = null;
}
