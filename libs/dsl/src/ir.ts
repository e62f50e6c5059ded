/**
 * The normal form of a definition: what the compiler produces from YAML or from the builder, what is digested,
 * stored and executed. Plain data, every default expanded, durations in milliseconds, no positions and no
 * descriptions (spec 01 "Normal form and digest").
 *
 * Each node kind is one interface here, one module in `nodes/` of the compiler and one processor in `libs/domain`.
 */
import type { Json } from './value.js';

/** A named schema (`order/v1`), or an array or tuple of schema references. Named schemas are nominal. */
export type SchemaRef = string | { readonly array: SchemaRef } | { readonly tuple: readonly SchemaRef[] };

/** Where a binding may read from. `nodes.<key>.output` is written as `{ node: key }`. */
export type Reference = 'workflow.input' | 'scope.input' | 'scope.id' | `nodes.${string}.output`;

/** How a value is built from what is in reach of a node. Exactly one of five forms (spec 01 "Bindings"). */
export type Binding =
  | {
      readonly from: Reference;
      /** JSON pointer (RFC 6901) into the referenced value; absent means the whole value. */
      readonly path?: string;
      /** Taken when the pointer finds nothing; absent means that finding nothing fails the scope. */
      readonly default?: Json;
    }
  | { readonly literal: Json }
  | { readonly object: { readonly [key: string]: Binding } }
  | { readonly array: readonly Binding[] };

export interface ActivityRef {
  readonly name: string;
  readonly version: number;
}

export interface Backoff {
  readonly initialMs: number;
  readonly multiplier: number;
  readonly maxMs: number;
}

export interface RetryPolicy {
  /** Reported codes that are retried; a code that is not listed ends the activity at once. */
  readonly errors: readonly string[];
  /** The attempt budget, the first attempt included. */
  readonly maxAttempts: number;
  readonly backoff: Backoff;
}

export interface ActivityNode {
  readonly kind: 'activity';
  readonly activity: ActivityRef;
  readonly input: Binding;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly next: string;
}

export interface CompleteNode {
  readonly kind: 'complete';
  readonly output: Binding;
}

export interface FailNode {
  readonly kind: 'fail';
  readonly error: { readonly code: string; readonly message: string };
}

/** Every node kind the language has today. */
export type Node = ActivityNode | CompleteNode | FailNode;
export type NodeKind = Node['kind'];

/** A graph of nodes with one input and one output: the whole workflow, or the body of a container. */
export interface Region {
  readonly inputSchema: SchemaRef;
  readonly outputSchema: SchemaRef;
  readonly start: string;
  readonly nodes: { readonly [key: string]: Node };
}

/** A workflow in normal form. */
export interface Definition {
  readonly dsl: 'graphrun/v1';
  readonly id: string;
  readonly version: number;
  /** Time from admission to the end of the run, or null for no limit. */
  readonly runTimeoutMs: number | null;
  readonly root: Region;
}

export type Execution = 'async' | 'blocking';
export type Effects = 'pure' | 'external';
/** What may happen after an attempt whose outcome is unknown. */
export type Recovery = 'RetrySafe' | 'Manual';

/** What a worker promises for one activity (spec 01 "Catalog"). */
export interface Contract {
  readonly name: string;
  readonly version: number;
  readonly inputSchema: SchemaRef;
  readonly outputSchema: SchemaRef;
  readonly execution: Execution;
  readonly effects: Effects;
  readonly recovery: Recovery;
  readonly errorCodes: readonly { readonly code: string; readonly retryable: boolean }[];
  readonly reconciler: { readonly name: string; readonly version: number } | null;
}

/**
 * A definition with all it refers to: enough to run it for ever, whatever is published later. Runs pin the
 * artifact they were admitted with by its digest.
 */
export interface Artifact {
  readonly format: 'graphrun.artifact/v1';
  /** SHA-256 over the canonical JSON of all other fields, in lower-case hex. */
  readonly digest: string;
  readonly definition: Definition;
  /** Contracts of the activities that the definition uses, by `name/vN`. */
  readonly contracts: { readonly [nameAndVersion: string]: Contract };
  /** Schemas that the definition and its contracts use, built-ins included, by `name/vN`. */
  readonly schemas: { readonly [nameAndVersion: string]: Json };
}
