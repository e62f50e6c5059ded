/**
 * Where a value comes from, and from where it can be read (spec 01 "Bindings", frames). The builder checks reach at the
 * call that uses a value, so that the stack of the error leads to the line; the compiler checks it once more.
 */
import type { SchemaRef } from '../ir.js';
import { BuildError } from './build-error.js';

/** A document that is being put together. */
export interface DocumentFrame {
  readonly title: string;
  readonly inputSchema: SchemaRef;
}

/** A region of a document. */
export interface RegionFrame {
  /** As a message names it: `the body of "book"`. */
  readonly title: string;
  readonly document: DocumentFrame;
}

export interface LoopFrame {
  readonly title: string;
  readonly stateSchema: SchemaRef;
}

export interface ItemFrame {
  readonly title: string;
  readonly itemSchema: SchemaRef;
}

/** The input of one compensation. */
export interface ForwardFrame {
  readonly node: string;
}

export type Port = 'output' | 'error';

/** Something that is certain on a way through a region: that a node has succeeded, or that it has failed. */
export type Fact = `${string}.${Port}`;

export function factOf(node: string, port: Port): Fact {
  return `${node}.${port}`;
}

export type Origin =
  | { readonly kind: 'workflow'; readonly document: DocumentFrame }
  | { readonly kind: 'scope'; readonly region: RegionFrame; readonly what: 'input' | 'id' }
  | { readonly kind: 'node'; readonly region: RegionFrame; readonly node: string; readonly port: Port }
  | { readonly kind: 'loop'; readonly frame: LoopFrame }
  | { readonly kind: 'item'; readonly frame: ItemFrame }
  | { readonly kind: 'forward'; readonly frame: ForwardFrame };

/** From where a value is read. */
export interface Place {
  /** As a message names it: `"finish"`. */
  readonly reader: string;
  readonly region: RegionFrame;
  /** What is certain here. */
  readonly facts: ReadonlySet<Fact>;
  /** The nearest loop and foreach, which the condition of a loop sees already from inside. */
  readonly loop: LoopFrame | null;
  readonly item: ItemFrame | null;
  /** Set in the input of a compensation, which reads nothing else. */
  readonly forward: ForwardFrame | null;
}

/** Throws `BuildError` when `origin` is out of reach of `place`. */
export function requireReach(origin: Origin, place: Place): void {
  const complaint = complaintAbout(origin, place);
  if (complaint !== null) throw new BuildError(`${place.reader} ${complaint}`);
}

function complaintAbout(origin: Origin, place: Place): string | null {
  if (origin.kind === 'forward') {
    if (origin.frame === place.forward) return null;
    return `uses what "${origin.frame.node}" took or gave; only the input of its compensation can read that so`;
  }
  if (place.forward !== null) {
    return `uses ${describe(origin)}; a compensation reads only what its activity took and gave, and literals`;
  }
  switch (origin.kind) {
    case 'workflow':
      if (origin.document === place.region.document) return null;
      return `uses the input of another workflow, ${origin.document.title}`;
    case 'scope':
      if (origin.region === place.region) return null;
      return `uses ${describe(origin)}, which ${place.region.title} cannot see; ${PASS_IT}`;
    case 'node':
      return complaintAboutNode(origin, place);
    case 'loop':
      return place.loop === origin.frame ? null : `uses ${describe(origin)}; ${nearest('loop', place.loop)}`;
    case 'item':
      return place.item === origin.frame ? null : `uses ${describe(origin)}; ${nearest('foreach', place.item)}`;
  }
}

const PASS_IT = 'pass it in through the input of that region';

function complaintAboutNode(origin: Extract<Origin, { kind: 'node' }>, place: Place): string | null {
  const { node, port, region } = origin;
  if (region !== place.region) {
    return `uses ${describe(origin)}, which ${place.region.title} cannot see; ${PASS_IT}`;
  }
  if (place.facts.has(factOf(node, port))) return null;
  const what = port === 'output' ? 'succeeded' : 'failed';
  return `uses ${describe(origin)}, but a path leads here on which "${node}" has not ${what}`;
}

function describe(origin: Origin): string {
  switch (origin.kind) {
    case 'workflow':
      return 'the input of the workflow';
    case 'scope':
      return `the ${origin.what} of ${origin.region.title}`;
    case 'node':
      return `the ${origin.port} of "${origin.node}"`;
    case 'loop':
      return `the state or index of ${origin.frame.title}`;
    case 'item':
      return `the item or index of ${origin.frame.title}`;
    case 'forward':
      return `what "${origin.frame.node}" took or gave`;
  }
}

function nearest(what: string, frame: LoopFrame | ItemFrame | null): string {
  return frame === null ? `there is no ${what} around it here` : `the nearest ${what} here is ${frame.title}`;
}
