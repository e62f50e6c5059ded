/**
 * What a node kind is to the compiler. Each kind is one module beside this one that calls `defineNodeKind`; the table in
 * `index.ts` maps the kinds to them, and nothing else in the compiler knows them.
 */
import type { BindingScope } from '../bindings/typing.js';
import type { CompileContext } from '../context.js';
import type { Fields, FieldTable } from '../fields.js';
import type { Node, Region, SchemaRef } from '../ir.js';
import type { Span } from '../source/tree.js';
import type { Syntax } from '../syntax.js';
import type { Json, JsonObject } from '../value.js';

/** What exists for certain after an edge was taken: the output of the node it leaves, or its error. */
export type Proof = 'output' | 'error';

/** A way to continue after a node. */
export interface Edge {
  readonly to: string;
  /** Where the target is written. */
  readonly span: Span;
  /** Null when nothing is known of the node: a timeout left neither output nor error. */
  readonly proves: Proof | null;
}

/** What the node's output is: its schema, null if it has none, undefined if it cannot be known for a fault. */
export type NodeOutput = SchemaRef | null | undefined;

/** What a region inherits from around it (spec 01 "Bindings", frames). */
export interface RegionFrame {
  /** Schema of `workflow.input`, undefined when it is broken. */
  readonly workflowInput: SchemaRef | undefined;
  /** Schema of `loop.state` of the nearest loop; null outside of loops, undefined when it is broken. */
  readonly loopState: SchemaRef | null | undefined;
  /** Schema of `item.value` of the nearest foreach; null outside of them, undefined when it is broken. */
  readonly itemValue: SchemaRef | null | undefined;
  readonly insideSaga: boolean;
  readonly isRoot: boolean;
  /** Nodes of the regions around, which are out of reach: for hints only. */
  readonly around: readonly ReadonlyMap<string, unknown>[];
}

/** Where a node stands, and how it reads the regions it owns. */
export interface NodePlace {
  readonly key: string;
  readonly keySpan: Span;
  /** The node, as a JSON pointer into the definition. */
  readonly pointer: string;
  /** The body in `field`, which stands at `pointer` below the node; undefined after reporting that it is none. */
  body(fields: Fields, field: string, pointer: string): ParsedBody | undefined;
}

/** A schema that a body states: undefined where it is broken. */
export interface StatedSchema {
  readonly ref: SchemaRef | undefined;
  readonly span: Span;
}

/** A schema that its container fixes for a body, and what says so, for messages. */
export interface FixedSchema {
  readonly ref: SchemaRef | undefined;
  readonly by: string;
}

/** A body as it is written. Its schemas are settled by its container, which may fix either of them. */
export interface ParsedBody {
  /** Null where the body leaves it out. */
  readonly input: StatedSchema | null;
  readonly output: StatedSchema | null;
  /** Complains where a fixed schema is stated differently, and where one that nothing fixes is left out. */
  settle(fixed: { readonly input?: FixedSchema | null; readonly output?: FixedSchema | null }): SettledBody;
}

export interface SettledBody {
  readonly inputSchema: SchemaRef | undefined;
  readonly outputSchema: SchemaRef | undefined;
  /** Checks everything that needs the whole region; complaints only. */
  check(frame: RegionFrame): void;
  /** Called only for definitions without errors. */
  normalize(): Region;
}

/** What a node is checked against: the bindings in its reach, its region's output, and what surrounds it. */
export interface NodeScope extends BindingScope {
  readonly keySpan: Span;
  readonly regionOutput: SchemaRef | undefined;
  readonly frame: RegionFrame;
  /** The same place seen with another frame: conditions of loops see their own loop. */
  within(frame: RegionFrame): BindingScope;
}

export interface NodeKindModule<Kind extends Node['kind'], Parsed> {
  readonly kind: Kind;
  /** With article, for messages: `an activity node`. */
  readonly what: string;
  /** What the kind does, in a sentence for whoever writes a document. */
  readonly about: string;
  readonly fields: FieldTable;
  /** What the table of fields cannot say, for the JSON Schema that editors use. */
  readonly constraint?: Syntax;
  /** Reads the fields; what is broken is complained about and left undefined. */
  parse(fields: Fields, place: NodePlace, context: CompileContext): Parsed;
  /** Edges in the order they are followed; `undefined` stands for one whose target could not be read. */
  edges(parsed: Parsed): readonly (Edge | undefined)[];
  output(parsed: Parsed): NodeOutput;
  /** Everything that needs to know what is around the node. */
  check(parsed: Parsed, scope: NodeScope): void;
  /** Called only for definitions without errors. */
  normalize(parsed: Parsed): Extract<Node, { kind: Kind }>;
  /** The reverse of `normalize`: the node as a document says it. The node may be anything; the compiler will judge it. */
  restore(node: JsonObject, restoreRegion: RestoreRegion): JsonObject;
}

/** A region of the normal form as a document says it. */
export type RestoreRegion = (region: Json | undefined) => Json;

/** A node of the document, with what its kind knows about it. */
export interface ParsedNode {
  readonly key: string;
  readonly keySpan: Span;
  readonly edges: readonly (Edge | undefined)[];
  readonly output: NodeOutput;
  check(scope: NodeScope): void;
  normalize(): Node;
}

/** A kind with its private shape closed over, so that kinds of different shapes fit one table. */
export interface NodeKind {
  readonly kind: Node['kind'];
  readonly what: string;
  readonly about: string;
  readonly fields: FieldTable;
  readonly constraint: Syntax | null;
  parse(fields: Fields, place: NodePlace, context: CompileContext): ParsedNode;
  restore(node: JsonObject, restoreRegion: RestoreRegion): JsonObject;
}

export function defineNodeKind<Kind extends Node['kind'], Parsed>(module: NodeKindModule<Kind, Parsed>): NodeKind {
  return {
    kind: module.kind,
    what: module.what,
    about: module.about,
    fields: module.fields,
    constraint: module.constraint ?? null,
    restore: (node, restoreRegion) => module.restore(node, restoreRegion),
    parse(fields, place, context) {
      const parsed = module.parse(fields, place, context);
      return {
        key: place.key,
        keySpan: place.keySpan,
        edges: module.edges(parsed),
        output: module.output(parsed),
        check: (scope) => {
          module.check(parsed, scope);
        },
        normalize: () => module.normalize(parsed),
      };
    },
  };
}

/** Reads an edge field such as `next`. */
export function readEdge(fields: Fields, field: string, proves: Proof | null): Edge | undefined {
  const found = fields.string(field);
  return found === undefined ? undefined : { to: found.text, span: found.span, proves };
}

/** The value of something that a definition without errors has. */
export function sound<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The normal form was asked for although a field is broken');
  return value;
}

/** A duration of the normal form as a document says it; anything else stays as it is, for the compiler to refuse. */
export function restoreDuration(durationMs: Json | undefined): Json {
  return typeof durationMs === 'number' ? `${durationMs}ms` : (durationMs ?? null);
}
