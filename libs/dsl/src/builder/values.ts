/** The references of the language as expressions. What the builder does needs no types; its interfaces have them. */
import { Projected } from './bound.js';
import type { DocumentFrame, ForwardFrame, ItemFrame, LoopFrame, Origin, RegionFrame } from './origin.js';

export type Value = Projected<null, unknown>;

export function workflowInput(document: DocumentFrame): Value {
  return new Projected({ kind: 'workflow', document }, 'workflow.input');
}

export function scopeInput(region: RegionFrame): Value {
  return new Projected({ kind: 'scope', region, what: 'input' }, 'scope.input');
}

export function scopeId(region: RegionFrame): Value {
  return new Projected({ kind: 'scope', region, what: 'id' }, 'scope.id');
}

export function nodeOutput(region: RegionFrame, node: string): Value {
  return new Projected({ kind: 'node', region, node, port: 'output' }, `nodes.${node}.output`);
}

export function nodeError(region: RegionFrame, node: string): Value {
  return new Projected({ kind: 'node', region, node, port: 'error' }, `nodes.${node}.error`);
}

export function loopValues(frame: LoopFrame): { readonly state: Value; readonly index: Value } {
  const origin: Origin = { kind: 'loop', frame };
  return { state: new Projected(origin, 'loop.state'), index: new Projected(origin, 'loop.index') };
}

export function itemValues(frame: ItemFrame): { readonly value: Value; readonly index: Value } {
  const origin: Origin = { kind: 'item', frame };
  return { value: new Projected(origin, 'item.value'), index: new Projected(origin, 'item.index') };
}

export function forwardValues(frame: ForwardFrame): { readonly input: Value; readonly output: Value } {
  const origin: Origin = { kind: 'forward', frame };
  return { input: new Projected(origin, 'forward.input'), output: new Projected(origin, 'forward.output') };
}
