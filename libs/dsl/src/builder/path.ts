/**
 * Paths: where the next node goes. A path is a place in a region from which nodes are added one after the other; each
 * new node follows the one before. It ends with `complete`, `fail`, `continueAsNew` or `goTo`. Nodes that can go on in
 * several ways (a timed wait, a node with error routes) open a path for each way, which ends or joins again.
 */
import type { Effects } from '../ir.js';
import type { Expression } from './bound.js';
import type { Input } from './input.js';
import type {
  ActivityOptions,
  ArrayOf,
  Branch,
  BranchOptions,
  ChooseOptions,
  CompensationOptions,
  Continuing,
  Delay,
  Described,
  ForeachOptions,
  RepeatOptions,
  RetryCode,
  SagaOptions,
  TupleOf,
  WaitOptions,
  WhileOptions,
} from './options.js';
import type { Signal } from './signal.js';
import type { ActivityReference, AnySchema, builtin, IdentityOf, ValueOf } from './witness.js';

declare const ENDED: unique symbol;
declare const JOINED: unique symbol;
declare const UNCERTAIN: unique symbol;
declare const TAIL: unique symbol;

/** Proof that a path has ended. */
export interface Ended {
  readonly [ENDED]: true;
}

/** Proof that a path goes on with whatever follows the node that opened it. */
export interface Joined {
  readonly [JOINED]: true;
}

export type Continuation = Ended | Joined;

/** Inside a saga every external activity says how it is undone; outside none does. */
export type Mode = 'plain' | 'saga';

/** An expression for a whole value of the schema `S`. */
export type Output<S extends AnySchema> = Expression<IdentityOf<S>, ValueOf<S>>;

/** What is known about a failure on the path that handles it (`nodes.<key>.error`). */
export type Failure = Expression<null, { readonly code: string; readonly message: string }>;

/** A path to take after a failure with one of the codes. */
export interface ErrorRoute<P, Then extends Continuation = Continuation> {
  readonly codes: readonly string[] | 'any';
  readonly then: (path: P, error: Failure) => Then;
}

/** A node whose output is certain for all that follows. */
export interface Done<S extends AnySchema> {
  readonly output: Output<S>;
}

/** A node after which several paths go on, so that there may be no output. Use it in `onSuccess` or `onSignal`. */
export interface OutputNotCertain {
  readonly [UNCERTAIN]: true;
}

/** What follows a node, by how its own path (`Success`) and the others (`Other`) go on. */
export type After<S extends AnySchema, Success extends Continuation, Other extends Continuation> = [
  Success | Other,
] extends [Ended]
  ? Ended
  : [Other] extends [Ended]
    ? Done<S>
    : OutputNotCertain;

type EndsOf<Routes extends readonly ErrorRoute<never>[]> = ReturnType<Routes[number]['then']>;

/** `Output` is what the region gives, `Next` what `continueAsNew` takes: never outside a root region. */
export type Path<Out extends AnySchema, M extends Mode, Next extends AnySchema> = Steps<Out, M, Next> &
  ([Next] extends [never] ? unknown : Restarting<Next>);

/** A path that others of its region go to. */
export type Tail<Out extends AnySchema, M extends Mode, Next extends AnySchema> = Path<Out, M, Next> & {
  readonly [TAIL]: true;
};

/** A path from the start of a region, with what the region was given. */
export type RegionPath<In extends AnySchema, Out extends AnySchema, M extends Mode, Next extends AnySchema> = Path<
  Out,
  M,
  Next
> & {
  /** In the root `workflow.input`, which every region below can read; in a body `scope.input`. */
  readonly input: Output<In>;
  /** `scope.input` and `scope.id`; the id is globally unique. */
  readonly scope: { readonly input: Output<In>; readonly id: Expression<'string/v1', string> };
};

interface Restarting<Next extends AnySchema> {
  /** Ends this run and starts the next one of the same workflow id with that input. */
  continueAsNew(key: string, input: Input<Next>, described?: Described): Ended;
}

interface Steps<Out extends AnySchema, M extends Mode, Next extends AnySchema> {
  /** Calls a handler. */
  readonly activity: M extends 'saga' ? SagaActivity<Path<Out, M, Next>> : PlainActivity<Path<Out, M, Next>>;

  /** The first case whose condition holds, or the default. */
  choose<
    In extends AnySchema,
    Chosen extends AnySchema,
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    options: ChooseOptions<In, Chosen, M> & Continuing<Path<Out, M, Next>, Chosen, S, R>,
  ): After<Chosen, S, EndsOf<R>>;

  /** Repeats while a condition holds, which is looked at before each iteration. Gives the last carry. */
  while<
    State extends AnySchema,
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    options: WhileOptions<State, M> & Continuing<Path<Out, M, Next>, State, S, R>,
  ): After<State, S, EndsOf<R>>;

  /** Repeats while a condition holds, which is looked at after each iteration. Gives the last carry. */
  doWhile<
    State extends AnySchema,
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    options: WhileOptions<State, M> & Continuing<Path<Out, M, Next>, State, S, R>,
  ): After<State, S, EndsOf<R>>;

  /** Repeats a number of times. Gives the last carry. */
  repeat<
    State extends AnySchema,
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    options: RepeatOptions<State, M> & Continuing<Path<Out, M, Next>, State, S, R>,
  ): After<State, S, EndsOf<R>>;

  /** Runs the body for each item, several at once. Gives the results in the order of the items. */
  foreach<
    ItemSchema extends AnySchema,
    Result extends AnySchema,
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    options: ForeachOptions<ItemSchema, Result, M> & Continuing<Path<Out, M, Next>, ArrayOf<Result>, S, R>,
  ): After<ArrayOf<Result>, S, EndsOf<R>>;

  /** Runs 1 to 16 branches at once. Gives the tuple of their results. */
  parallel<
    const Branches extends readonly [Branch<AnySchema>, ...Branch<AnySchema>[]],
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    branches: Branches,
    options?: Continuing<Path<Out, M, Next>, TupleOf<Branches>, S, R>,
  ): After<TupleOf<Branches>, S, EndsOf<R>>;

  /** A branch for `parallel`. */
  branch<In extends AnySchema, Result extends AnySchema>(
    name: string,
    options: BranchOptions<In, Result, M>,
  ): Branch<Result>;

  /** A region that undoes its effects when it fails. */
  saga<
    In extends AnySchema,
    Result extends AnySchema,
    S extends Continuation = Joined,
    const R extends readonly ErrorRoute<Path<Out, M, Next>>[] = readonly ErrorRoute<Path<Out, M, Next>, never>[],
  >(
    key: string,
    options: SagaOptions<In, Result> & Continuing<Path<Out, M, Next>, Result, S, R>,
  ): After<Result, S, EndsOf<R>>;

  /** Waits for a time, up to 365 days. */
  delay(key: string, duration: Delay, described?: Described): void;

  /** Waits until a moment in UTC milliseconds. */
  waitUntil(key: string, at: Input<typeof builtin.integer>, described?: Described): void;

  /** Waits for a signal; with a timeout there are two ways on. */
  waitSignal<Payload extends AnySchema, S extends Continuation = Joined, Late extends Continuation = never>(
    key: string,
    signal: Signal<Payload>,
    options: WaitOptions<Path<Out, M, Next>, Payload, S, Late>,
  ): After<Payload, S, Late>;

  /** Ends the region with its output. */
  complete(key: string, output: Input<Out>, described?: Described): Ended;

  /** Fails the region with an error of your own; the message has at most 1 KiB. */
  fail(key: string, error: { readonly code: string; readonly message: string }, described?: Described): Ended;

  /** A place that several paths lead to with `goTo`, before nodes are added to it. */
  tail(): Tail<Out, M, Next>;

  /** Ends this path at a tail, which goes on for it. */
  goTo(tail: Tail<Out, M, Next>): Ended;

  /** Goes on with whatever follows the node that opened this path. */
  join(): Joined;
}

type PlainActivity<P> = <
  In extends AnySchema,
  Out extends AnySchema,
  Retryable extends string,
  Effect extends Effects,
  S extends Continuation = Joined,
  const R extends readonly ErrorRoute<P>[] = readonly ErrorRoute<P, never>[],
>(
  key: string,
  activity: ActivityReference<In, Out, Retryable, Effect>,
  input: Input<In>,
  options?: ActivityOptions<P, Out, NoInfer<RetryCode<Retryable, Effect>>, S, R>,
) => After<Out, S, EndsOf<R>>;

type SagaActivity<P> = <
  In extends AnySchema,
  Out extends AnySchema,
  Retryable extends string,
  Effect extends Effects,
  UndoIn extends AnySchema,
  const UndoInput extends Input<UndoIn>,
  UndoRetryable extends string,
  UndoEffect extends Effects,
  S extends Continuation = Joined,
  const R extends readonly ErrorRoute<P>[] = readonly ErrorRoute<P, never>[],
>(
  key: string,
  activity: ActivityReference<In, Out, Retryable, Effect>,
  input: Input<In>,
  ...options: CompensatedOptions<
    Effect,
    ActivityOptions<P, Out, NoInfer<RetryCode<Retryable, Effect>>, S, R>,
    CompensationOptions<In, Out, UndoIn, UndoInput, UndoRetryable, UndoEffect>
  >
) => After<Out, S, EndsOf<R>>;

/** An external activity must say how it is undone, a pure one may. */
type CompensatedOptions<Effect extends Effects, Options, Compensation> = 'external' extends Effect
  ? [options: Options & { readonly compensation: Compensation }]
  : [options?: Options & { readonly compensation?: Compensation }];
