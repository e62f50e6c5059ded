/**
 * What a node kind is to the compiler. Each kind is one module beside this one that calls `defineNodeKind`; the table in
 * `index.ts` maps the kinds to them, and nothing else in the compiler knows them.
 */
import type { BindingScope } from '../bindings/typing.js';
import type { CompileContext } from '../context.js';
import type { Fields, FieldTable } from '../fields.js';
import type { Node, SchemaRef } from '../ir.js';
import type { Span } from '../source/tree.js';
import type { Json, JsonObject } from '../value.js';

/** A way to continue after a node. */
export interface Edge {
  readonly to: string;
  /** Where the target is written. */
  readonly span: Span;
  /** True when the node has succeeded, and its output exists, wherever this edge was taken. */
  readonly success: boolean;
}

/** What the node's output is: its schema, null if it has none, undefined if it cannot be known for a fault. */
export type NodeOutput = SchemaRef | null | undefined;

/** What a node is checked against: the bindings in its reach, and its region's output. */
export interface NodeScope extends BindingScope {
  readonly regionOutput: SchemaRef | undefined;
}

export interface NodeKindModule<Kind extends Node['kind'], Parsed> {
  readonly kind: Kind;
  /** With article, for messages: `an activity node`. */
  readonly what: string;
  readonly fields: FieldTable;
  /** Reads the fields; what is broken is complained about and left undefined. */
  parse(fields: Fields, context: CompileContext): Parsed;
  /** Edges in the order they are followed; `undefined` stands for one whose target could not be read. */
  edges(parsed: Parsed): readonly (Edge | undefined)[];
  output(parsed: Parsed): NodeOutput;
  /** Everything that needs to know what is around the node. */
  check(parsed: Parsed, scope: NodeScope): void;
  /** Called only for definitions without errors. */
  normalize(parsed: Parsed): Extract<Node, { kind: Kind }>;
  /** The reverse of `normalize`: the node as a document says it. The node may be anything; the compiler will judge it. */
  restore(node: JsonObject): JsonObject;
}

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
  readonly kind: string;
  readonly what: string;
  readonly fields: FieldTable;
  parse(key: string, keySpan: Span, fields: Fields, context: CompileContext): ParsedNode;
  restore(node: JsonObject): JsonObject;
}

export function defineNodeKind<Kind extends Node['kind'], Parsed>(module: NodeKindModule<Kind, Parsed>): NodeKind {
  return {
    kind: module.kind,
    what: module.what,
    fields: module.fields,
    restore: (node) => module.restore(node),
    parse(key, keySpan, fields, context) {
      const parsed = module.parse(fields, context);
      return {
        key,
        keySpan,
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
export function readEdge(fields: Fields, field: string, success: boolean): Edge | undefined {
  const found = fields.string(field);
  return found === undefined ? undefined : { to: found.text, span: found.span, success };
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
