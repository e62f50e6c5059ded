/** Appliers of scopes: they open, walk through their region, and end. */
import { itemOf, recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { ScopeId } from '../ids.js';
import { bodyPointer, nodeAt, regionAt, ROOT_REGION } from '../program-index.js';
import type { Cell, Container, Run, Scope, ScopeFrame } from '../state.js';
import { closeContainer, closeScope } from './close.js';
import { damaged, findContainer, findScope } from './find.js';
import { forgetContainer, forgetScope } from './forget.js';

const NO_FRAME: ScopeFrame = { loop: null, item: null };

export function scopeOpenedV1(run: Run, body: BodyOf<'scope_opened'>, event: RunEvent): void {
  addScope(run, body.scope, null, ROOT_REGION, recorded(body.input, event.seq, '/input'), NO_FRAME);
}

export function bodyOpenedV1(run: Run, body: BodyOf<'body_opened'>): void {
  const container = findContainer(run, body.owner);
  const around = findScope(run, container.scope);
  const node = nodeAt(run.program, container.pointer);
  const input = inputOf(run, container, body.slot);
  const region = container.pointer + bodyPointer(node, body.slot);
  const owner = { container: container.id, slot: body.slot };
  addScope(run, body.scope, owner, region, input, frameOf(container, around.frame, input, body.slot));
  container.bodies.add(body.scope);
  if ('opened' in container.work) container.work.opened = body.slot + 1;
}

function addScope(run: Run, id: ScopeId, owner: Scope['owner'], region: string, input: Cell, frame: ScopeFrame): void {
  run.scopeCount += 1;
  run.scopes.set(id, {
    id,
    owner,
    region,
    input,
    frame,
    status: { kind: 'open' },
    next: regionAt(run.program, region).start,
    current: null,
    outputs: new Map(),
    errors: new Map(),
    activations: new Set(),
    waits: new Set(),
  });
}

/** What a body is given stands in its container. */
function inputOf(run: Run, { id, work }: Container, slot: number): Cell {
  switch (work.kind) {
    case 'choose':
    case 'saga':
      return work.input;
    case 'loop':
      return work.carry;
    case 'foreach':
      return itemOf(work.items, slot);
    case 'parallel': {
      const input = work.inputs[slot];
      if (input === undefined) throw damaged(run, `opens branch ${slot} of ${id}, which it does not have`);
      return input;
    }
  }
}

/** Frames are inherited, and a loop or a foreach puts its own in the place of what was there. */
function frameOf({ work }: Container, around: ScopeFrame, input: Cell, slot: number): ScopeFrame {
  if (work.kind === 'loop') return { ...around, loop: { state: input, index: slot } };
  return work.kind === 'foreach' ? { ...around, item: { value: input, index: slot } } : around;
}

/** The failure is the first of its container, so the container and everything in it is closed with the scope. */
export function scopeFailingV1(run: Run, body: BodyOf<'scope_failing'>): void {
  const scope = findScope(run, body.scope);
  closeScope(run, scope, body.failure);
  if (scope.owner !== null) closeContainer(run, findContainer(run, scope.owner.container), body.failure);
}

export function scopeCompletedV1(run: Run, body: BodyOf<'scope_completed'>, event: RunEvent): void {
  const scope = findScope(run, body.scope);
  if (scope.owner === null) {
    scope.status = { kind: 'completed' };
    scope.next = null;
    return;
  }
  const container = findContainer(run, scope.owner.container);
  takeResult(container, scope.owner.slot, recorded(body.output, event.seq, '/output'));
  container.bodies.delete(scope.id);
  forgetScope(run, scope.id);
}

function takeResult({ work }: Container, slot: number, output: Cell): void {
  switch (work.kind) {
    case 'choose':
    case 'saga':
      work.result = output;
      return;
    case 'loop':
      work.carry = output;
      work.done = slot + 1;
      return;
    case 'foreach':
    case 'parallel':
      work.results.set(slot, output);
  }
}

export function scopeFailedV1(run: Run, body: BodyOf<'scope_failed'>): void {
  const scope = findScope(run, body.scope);
  scope.status = { kind: 'failed', failure: body.failure };
}

export function scopeCancelledV1(run: Run, body: BodyOf<'scope_cancelled'>): void {
  const scope = findScope(run, body.scope);
  scope.status = { kind: 'cancelled' };
}

/** What failed is left behind: nobody opens it again once the run has taken another way. */
export function errorRoutedV1(run: Run, body: BodyOf<'error_routed'>): void {
  const scope = findScope(run, body.scope);
  for (const activation of scope.activations) {
    const container = run.containers.get(activation);
    if (container?.node === body.node) {
      forgetContainer(run, activation);
      scope.activations.delete(activation);
    }
  }
  scope.errors.set(body.node, body.failure);
  scope.current = null;
  scope.next = body.to;
}
