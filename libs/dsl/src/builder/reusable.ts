/** Reusable regions: put together once, used as the body of any container with their schemas (spec 01 "regions"). */
import type { SchemaRef } from '../ir.js';
import { formatSchemaRef, sameSchema } from '../schema/schema-ref.js';
import { BuildError } from './build-error.js';
import type { Item, Loop } from './options.js';
import type { DocumentFrame, ItemFrame, LoopFrame } from './origin.js';
import type { Ended, Mode, Output, RegionPath } from './path.js';
import type { AnySchema } from './witness.js';

/** What a reusable region reads from around the places where it is used, beside its input. */
export interface Needs {
  /** The input of the workflow. */
  readonly workflow?: AnySchema;
  /** The carry of the nearest loop. */
  readonly loop?: AnySchema;
  /** The item of the nearest foreach. */
  readonly item?: AnySchema;
}

/** What a region needs that reads its input only. */
export interface NoNeeds {
  readonly workflow?: never;
  readonly loop?: never;
  readonly item?: never;
}

/** What `Needs` gives: `around.workflow.input`, `around.loop.state`, `around.item.value` and the indices. */
export type Around<N extends Needs> = {
  readonly [K in keyof N]: N[K] extends AnySchema
    ? K extends 'workflow'
      ? { readonly input: Output<N[K]> }
      : K extends 'loop'
        ? Loop<N[K]>
        : Item<N[K]>
    : never;
};

/** A region that containers use by its name. One with the mode `saga` is used inside sagas only. */
export interface ReusableRegion<In extends AnySchema, Out extends AnySchema, out M extends Mode> {
  readonly name: string;
  readonly inputSchema: In;
  readonly outputSchema: Out;
  readonly mode: M;
}

export interface ReusableOptions<In extends AnySchema, Out extends AnySchema, M extends Mode, N extends Needs> {
  readonly inputSchema: In;
  readonly outputSchema: Out;
  /** `saga` for a region whose external activities say how they are undone; default `plain`. */
  readonly mode?: M;
  readonly needs?: N;
}

type Assemble<In extends AnySchema, Out extends AnySchema, M extends Mode, N extends Needs> = (
  region: RegionPath<In, Out, M, never>,
  around: Around<N>,
) => Ended;

/**
 * A region under a name, for the `body` of containers. It is put together when a workflow uses it for the first time, and
 * stands once in its document, under `regions`.
 */
export function reusable<
  In extends AnySchema,
  Out extends AnySchema,
  const M extends Mode = 'plain',
  const N extends Needs = NoNeeds,
>(
  name: string,
  options: ReusableOptions<In, Out, M, N>,
  assemble: Assemble<In, Out, M, N>,
): ReusableRegion<In, Out, M> {
  // M is `plain` unless `mode` says otherwise: nothing else can be inferred for it.
  const mode = options.mode ?? ('plain' as M);
  const region = { name, inputSchema: options.inputSchema, outputSchema: options.outputSchema, mode };
  DEFINITIONS.set(region, new ReusableDefinition(region, options.needs ?? {}, assemble));
  return region;
}

const DEFINITIONS = new WeakMap<object, ReusableDefinition>();

/** What is behind a reusable region; undefined for other bodies. */
export function definitionOf(body: object): ReusableDefinition | undefined {
  return DEFINITIONS.get(body);
}

/** How a body is put together: `around` is what its callback gets beside the region. */
export type AssembleBody = (region: unknown, around: unknown) => unknown;

export class ReusableDefinition {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: SchemaRef;
  readonly outputSchema: SchemaRef;
  /** Frames of its own: what the region reads are those of wherever it is used. */
  readonly loop: LoopFrame | null;
  readonly item: ItemFrame | null;
  readonly assemble: AssembleBody;

  constructor(
    region: ReusableRegion<AnySchema, AnySchema, Mode>,
    readonly needs: Needs,
    assemble: (region: never, around: never) => unknown,
  ) {
    const { loop, item } = needs;
    this.name = region.name;
    this.title = `the region "${region.name}"`;
    this.inputSchema = region.inputSchema.ref;
    this.outputSchema = region.outputSchema.ref;
    this.loop = loop === undefined ? null : { title: `the loop around ${this.title}`, stateSchema: loop.ref };
    this.item = item === undefined ? null : { title: `the foreach around ${this.title}`, itemSchema: item.ref };
    // Called with what its parameters say: `reusable` gave them their types.
    this.assemble = assemble as AssembleBody;
  }

  /** Throws `BuildError` unless what it needs is around it. */
  requireNeeds(user: string, document: DocumentFrame, loop: LoopFrame | null, item: ItemFrame | null): void {
    const { needs } = this;
    this.#require(user, 'a workflow input', needs.workflow, document.inputSchema);
    this.#require(user, 'a loop state', needs.loop, loop?.stateSchema);
    this.#require(user, 'a foreach item', needs.item, item?.itemSchema);
  }

  #require(user: string, what: string, needed: AnySchema | undefined, found: SchemaRef | undefined): void {
    if (needed === undefined || (found !== undefined && sameSchema(needed.ref, found))) return;
    const there = found === undefined ? 'there is none' : `here it is ${formatSchemaRef(found)}`;
    throw new BuildError(`${user} uses ${this.title}, which needs ${what} of ${formatSchemaRef(needed.ref)}; ${there}`);
  }
}
