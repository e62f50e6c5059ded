/** What can be said about nodes, beside what follows what (spec 01 "Nodes"). Field for field as in a document. */
import type { ConsumeFrom, Effects } from '../ir.js';
import type { Bound, Expression } from './bound.js';
import type { Condition } from './condition.js';
import type { Input } from './input.js';
import type { Continuation, Ended, ErrorRoute, Mode, Output, RegionPath } from './path.js';
import type { ReusableRegion } from './reusable.js';
import type { ActivityReference, AnySchema, Schema, ValueOf, IdentityOf, builtin } from './witness.js';

/** A positive integer and a unit. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** For people: shown in pictures and in the console, outside the digest. */
export interface Described {
  readonly description?: string;
  readonly labels?: { readonly [label: string]: string | number | boolean };
}

export interface Retry<Code extends string> {
  /** Codes to retry; the contract declares them as retryable. */
  readonly errors?: readonly Code[];
  /** 1 to 10, the first attempt included. */
  readonly maxAttempts?: number;
  readonly backoff?: { readonly initial?: Duration; readonly multiplier?: number; readonly max?: Duration };
}

/** Codes that may be retried: those of the contract, and of pure work also what its handler throws. */
export type RetryCode<Retryable extends string, Effect extends Effects> =
  Retryable | ('pure' extends Effect ? 'activity.unhandled' : never);

interface Work<Code extends string> {
  /** Of one attempt; default 5m. */
  readonly timeout?: Duration;
  readonly retry?: Retry<Code>;
}

// -------------------------------------------------------------------------------------------------- continuations

/** How activities and containers go on. `P` is the kind of path it happens on, `Value` what the node gives. */
export interface Continuing<
  P,
  Value extends AnySchema,
  Success extends Continuation,
  Routes extends readonly ErrorRoute<P>[],
> extends Described {
  /**
   * The path of success, when it needs one of its own because other paths join after it: the output is certain here.
   * Without it, success goes on with the next node of the path.
   */
  readonly onSuccess?: (path: P, output: Output<Value>) => Success;
  /** Paths to take when the node has failed and the failure is settled, tried in order (`on_error`). */
  readonly onError?: Routes;
}

// ----------------------------------------------------------------------------------------------------- activities

export interface ActivityOptions<
  P,
  Out extends AnySchema,
  Code extends string,
  Success extends Continuation,
  Routes extends readonly ErrorRoute<P>[],
>
  extends Work<Code>, Continuing<P, Out, Success, Routes> {}

/** What a compensation can read: what its activity took and gave. */
export interface Forward<In extends AnySchema, Out extends AnySchema> {
  readonly input: Output<In>;
  readonly output: Output<Out>;
}

/** How an effect is undone when its saga fails, or that it cannot be. */
export type CompensationOptions<
  In extends AnySchema,
  Out extends AnySchema,
  UndoIn extends AnySchema,
  // A type of its own, so that texts and tuples that are written out keep their precise types.
  UndoInput extends Input<UndoIn>,
  UndoRetryable extends string,
  UndoEffect extends Effects,
> =
  | (Work<NoInfer<RetryCode<UndoRetryable, UndoEffect>>> & {
      readonly activity: ActivityReference<UndoIn, AnySchema, UndoRetryable, UndoEffect>;
      readonly input: (forward: Forward<In, Out>) => UndoInput;
    })
  | { readonly irreversible: string };

// ----------------------------------------------------------------------------------------------------- containers

/** A region of a container: put together in place, or a reusable one with the very schemas. */
export type Body<In extends AnySchema, Out extends AnySchema, M extends Mode> =
  ((region: RegionPath<In, Out, M, never>) => Ended) | ReusableRegion<In, Out, M | 'plain'>;

/** The nearest loop: its carry and the count of completed iterations. */
export interface Loop<State extends AnySchema> {
  readonly state: Output<State>;
  readonly index: Expression<'integer/v1', number>;
}

/** The nearest foreach: its item and the position of it. */
export interface Item<Value extends AnySchema> {
  readonly value: Output<Value>;
  readonly index: Expression<'integer/v1', number>;
}

export interface SagaOptions<In extends AnySchema, Out extends AnySchema> {
  readonly input: Input<In>;
  readonly inputSchema: In;
  readonly outputSchema: Out;
  readonly body: Body<In, Out, 'saga'>;
}

export interface ChooseOptions<In extends AnySchema, Out extends AnySchema, M extends Mode> {
  readonly input: Input<In>;
  /** What all bodies take. */
  readonly inputSchema: In;
  /** What all bodies give. */
  readonly outputSchema: Out;
  /** The first whose condition holds. Conditions read what the node itself can read. */
  readonly cases: readonly (Described & {
    readonly name: string;
    readonly when: Condition;
    readonly body: Body<In, Out, M>;
  })[];
  /** When no condition holds. */
  readonly default: Body<In, Out, M>;
}

export interface LoopOptions<State extends AnySchema, M extends Mode> {
  /** The first carry. */
  readonly state: Input<State>;
  /** What the body takes and gives. */
  readonly stateSchema: State;
  /** 1 to 1000. */
  readonly maxIterations: number;
  readonly body:
    | ((region: RegionPath<State, State, M, never>, loop: Loop<State>) => Ended)
    | ReusableRegion<State, State, M | 'plain'>;
}

export interface WhileOptions<State extends AnySchema, M extends Mode> extends LoopOptions<State, M> {
  /** Of the current carry and the count of completed iterations. */
  readonly condition: (loop: Loop<State>) => Condition;
}

export interface RepeatOptions<State extends AnySchema, M extends Mode> extends LoopOptions<State, M> {
  /** From 0 to `maxIterations`. */
  readonly count: Input<typeof builtin.integer>;
}

export interface ForeachOptions<ItemSchema extends AnySchema, Out extends AnySchema, M extends Mode> {
  readonly items: Input<ArrayOf<ItemSchema>>;
  readonly itemSchema: ItemSchema;
  /** What each item becomes. */
  readonly outputSchema: Out;
  /** 1 to 1000. */
  readonly maxItems: number;
  /** 1 to 32, default 8. */
  readonly maxConcurrency?: number;
  readonly body:
    | ((region: RegionPath<ItemSchema, Out, M, never>, item: Item<ItemSchema>) => Ended)
    | ReusableRegion<ItemSchema, Out, M | 'plain'>;
}

export type ArrayOf<S extends AnySchema> = Schema<{ readonly array: IdentityOf<S> }, readonly ValueOf<S>[]>;

export interface BranchOptions<In extends AnySchema, Out extends AnySchema, M extends Mode> extends Described {
  readonly input: Input<In>;
  readonly inputSchema: In;
  readonly outputSchema: Out;
  readonly body: Body<In, Out, M>;
}

/** One branch of a `parallel`. */
export interface Branch<Out extends AnySchema> {
  readonly name: string;
  readonly outputSchema: Out;
}

/** What branches give, in their order. */
export type TupleOf<Branches extends readonly Branch<AnySchema>[]> = Schema<
  { readonly tuple: { readonly [K in keyof Branches]: IdentityOf<Branches[K]['outputSchema']> } },
  { readonly [K in keyof Branches]: ValueOf<Branches[K]['outputSchema']> }
>;

// ---------------------------------------------------------------------------------------------------------- waits

/** `'10ms'`, a literal one, or an integer of milliseconds above 0. */
export type Delay = Duration | Bound<null, Duration> | Input<typeof builtin.integer>;

interface SignalOptions<P, Payload extends AnySchema, Success extends Continuation> extends Described {
  /** Signals with this key are taken. */
  readonly key: Input<typeof builtin.string>;
  /** Whether a signal that came before the wait began counts; default `buffered`. */
  readonly consumeFrom?: ConsumeFrom;
  /** The path of the signal, when it needs one of its own because the timeout joins after it. */
  readonly onSignal?: (path: P, payload: Output<Payload>) => Success;
}

/** A wait for ever, or one with a timeout and the path to take then, on which there is no payload. */
export type WaitOptions<
  P,
  Payload extends AnySchema,
  Success extends Continuation,
  Late extends Continuation,
> = SignalOptions<P, Payload, Success> &
  (
    | { readonly timeout: null; readonly onTimeout?: never }
    | { readonly timeout: Duration; readonly onTimeout: (path: P) => Late }
  );
