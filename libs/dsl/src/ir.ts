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

/** Where a binding may read from (spec 01 "Bindings"); which of them exist depends on the place. */
export type Reference =
  | 'workflow.input'
  | 'scope.input'
  | 'scope.id'
  | 'loop.state'
  | 'loop.index'
  | 'item.value'
  | 'item.index'
  | 'forward.input'
  | 'forward.output'
  | `nodes.${string}.output`
  | `nodes.${string}.error`;

/** A reference, and a JSON pointer (RFC 6901) into its value; without a path it is the whole value. */
export interface Projection {
  readonly from: Reference;
  readonly path?: string;
}

/** How a value is built from what is in reach of a node. Exactly one of five forms (spec 01 "Bindings"). */
export type Binding =
  | (Projection & {
      /** Taken when the pointer finds nothing; absent means that finding nothing fails the scope. */
      readonly default?: Json;
    })
  | { readonly literal: Json }
  | { readonly object: { readonly [key: string]: Binding } }
  | { readonly array: readonly Binding[] };

/** Operators that compare two values. `eq` and `ne` take scalars, the others numbers of one kind. */
export type ComparisonOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** A truth value over what is in reach: exactly one operator (spec 01 "Conditions"). */
export type Condition =
  | { readonly eq: readonly [Binding, Binding] }
  | { readonly ne: readonly [Binding, Binding] }
  | { readonly lt: readonly [Binding, Binding] }
  | { readonly le: readonly [Binding, Binding] }
  | { readonly gt: readonly [Binding, Binding] }
  | { readonly ge: readonly [Binding, Binding] }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly exists: Projection };

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

/** How a completed effect is undone, or that it cannot be. */
export type Compensation =
  | {
      readonly kind: 'activity';
      readonly activity: ActivityRef;
      /** Reads `forward.input` and `forward.output` only. */
      readonly input: Binding;
      readonly timeoutMs: number;
      readonly retry: RetryPolicy;
    }
  | { readonly kind: 'irreversible'; readonly reason: string };

/** An edge that is taken when the node has failed with one of the codes, once that failure is settled. */
export interface ErrorRoute {
  readonly codes: readonly string[] | 'any';
  readonly next: string;
}

/** What activities and containers have in common. */
interface Continuing {
  readonly next: string;
  /** Tried in order, the first match is taken; absent when the document has none. */
  readonly onError?: readonly ErrorRoute[];
}

export interface ActivityNode extends Continuing {
  readonly kind: 'activity';
  readonly activity: ActivityRef;
  readonly input: Binding;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  /** Only inside sagas; every external activity there has one. */
  readonly compensation?: Compensation;
}

export interface ChooseCase {
  readonly name: string;
  readonly when: Condition;
  readonly body: Region;
}

/** The first case whose condition holds, or the default. Conditions are evaluated in the enclosing region. */
export interface ChooseNode extends Continuing {
  readonly kind: 'choose';
  readonly input: Binding;
  readonly cases: readonly ChooseCase[];
  readonly default: Region;
}

interface Loop extends Continuing {
  /** The first carry. */
  readonly state: Binding;
  /** Schema of the carry, which is input and output of the body. */
  readonly stateSchema: SchemaRef;
  readonly maxIterations: number;
  readonly body: Region;
}

/** Checks before each iteration. */
export interface WhileNode extends Loop {
  readonly kind: 'while';
  readonly condition: Condition;
}

/** Checks after each iteration. */
export interface DoWhileNode extends Loop {
  readonly kind: 'do_while';
  readonly condition: Condition;
}

export interface RepeatNode extends Loop {
  readonly kind: 'repeat';
  /** An integer from 0 to `maxIterations`, captured once. */
  readonly count: Binding;
}

export interface ForeachNode extends Continuing {
  readonly kind: 'foreach';
  readonly items: Binding;
  readonly itemSchema: SchemaRef;
  readonly maxItems: number;
  readonly maxConcurrency: number;
  readonly body: Region;
}

export interface ParallelBranch {
  readonly name: string;
  readonly input: Binding;
  readonly body: Region;
}

export interface ParallelNode extends Continuing {
  readonly kind: 'parallel';
  readonly branches: readonly ParallelBranch[];
}

export interface SagaNode extends Continuing {
  readonly kind: 'saga';
  readonly input: Binding;
  readonly body: Region;
}

export interface DelayNode {
  readonly kind: 'delay';
  /** Milliseconds, a positive integer. A duration of the document is a literal here. */
  readonly duration: Binding;
  readonly next: string;
}

export interface WaitUntilNode {
  readonly kind: 'wait_until';
  /** UTC milliseconds, an integer from 0. */
  readonly at: Binding;
  readonly next: string;
}

export type ConsumeFrom = 'buffered' | 'after_activation';

export interface WaitSignalNode {
  readonly kind: 'wait_signal';
  readonly signal: string;
  /** A string. */
  readonly key: Binding;
  /** Null waits for ever; then there is no `onTimeout`. */
  readonly timeoutMs: number | null;
  readonly consumeFrom: ConsumeFrom;
  readonly next: string;
  readonly onTimeout?: string;
}

export interface CompleteNode {
  readonly kind: 'complete';
  readonly output: Binding;
}

export interface FailNode {
  readonly kind: 'fail';
  readonly error: { readonly code: string; readonly message: string };
}

/** Ends the run and starts the next run of the same workflow id. Root region only. */
export interface ContinueAsNewNode {
  readonly kind: 'continue_as_new';
  readonly input: Binding;
}

/** Nodes that own regions. */
export type ContainerNode = ChooseNode | WhileNode | DoWhileNode | RepeatNode | ForeachNode | ParallelNode | SagaNode;

/** Nodes that end their region. */
export type TerminalNode = CompleteNode | FailNode | ContinueAsNewNode;

export type Node = ActivityNode | ContainerNode | DelayNode | WaitUntilNode | WaitSignalNode | TerminalNode;
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
  /** Signals the workflow waits for, by name; absent when the document declares none. */
  readonly signals?: { readonly [name: string]: { readonly schema: SchemaRef } };
  /** What runs can be found by: projections of `workflow.input`; absent when the document has none. */
  readonly searchAttributes?: { readonly [name: string]: Binding };
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
