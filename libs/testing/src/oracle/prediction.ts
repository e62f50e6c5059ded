/**
 * What a run will do, as a tree: each scope has its course, the steps it takes if nobody stops it. What a scope does
 * depends on its input alone, never on what happens beside it, so the tree holds for every order in which work ends. Where
 * a body fails, those beside it are stopped somewhere along their courses: each then shows a beginning of its course.
 */
import type { Json } from '@graphrun/dsl';
import type { Failure } from './failure.js';

export interface Prediction {
  readonly outcome: Outcome;
  readonly root: Course;
}

export type Outcome =
  | { readonly kind: 'succeeded'; readonly output: Json }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'continued'; readonly input: Json }
  /** A wait that nobody answers: the run stands there for ever. */
  | { readonly kind: 'waiting' };

/** The way of one scope through its region. */
export interface Course {
  /** `nodes.each[3]`; empty for the root. */
  readonly path: string;
  readonly input: Json;
  readonly steps: readonly Step[];
  readonly end: CourseEnd;
}

export type CourseEnd =
  | { readonly kind: 'completed'; readonly output: Json }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'continued'; readonly input: Json }
  /** Its last step has no end. */
  | { readonly kind: 'never' };

export type Step = ActivityStep | ContainerStep | WaitStep | RouteStep;

/** How a node ends. */
export type Ended =
  | { readonly kind: 'completed'; readonly output: Json }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'never' };

export interface ActivityStep {
  readonly kind: 'activity';
  readonly path: string;
  /** `name/vN`. */
  readonly activity: string;
  readonly input: Json;
  /** At least one. */
  readonly attempts: readonly AttemptForecast[];
  readonly ended: Ended;
  /** What it owes once it has succeeded; null outside sagas, and for pure work that is not undone. */
  readonly owes: Owed | null;
}

/** An attempt, and what becomes of the activity if its scope is closed before another one begins. */
export interface AttemptForecast {
  readonly settles: Ended;
  /** True when it may also end as cancelled: nothing has happened, or nothing that matters. */
  readonly mayBeCancelled: boolean;
}

/** An obligation: how an effect is undone. */
export type Owed =
  | {
      readonly kind: 'undone';
      /** `name/vN`. */
      readonly handler: string;
      readonly input: Json;
      /** The input could not be built, and an operator supplied it. */
      readonly supplied: boolean;
      /** Attempts until it is done, by itself or by an operator's word. */
      readonly attempts: number;
    }
  | { readonly kind: 'irreversible'; readonly reason: string };

export type ContainerKind = 'choose' | 'while' | 'do_while' | 'repeat' | 'foreach' | 'parallel' | 'saga';

export interface ContainerStep {
  readonly kind: 'container';
  readonly path: string;
  readonly container: ContainerKind;
  /** What it took from its scope when it was reached. */
  readonly captured: Captured;
  /** In order. Those of `foreach` and `parallel` are under way together, those of loops one after the other. */
  readonly bodies: readonly Course[];
  /** How many bodies are under way at once. */
  readonly window: number;
  /** Index of the body that failed first, null if the container does not fail by a body. */
  readonly primary: number | null;
  readonly ended: Ended;
}

export type Captured =
  | { readonly kind: 'choose'; readonly input: Json; readonly chosen: number | null }
  | { readonly kind: 'loop'; readonly state: Json; readonly count: number | null }
  | { readonly kind: 'foreach'; readonly items: readonly Json[] }
  | { readonly kind: 'parallel'; readonly inputs: readonly Json[] }
  | { readonly kind: 'saga'; readonly input: Json };

export interface WaitStep {
  readonly kind: 'wait';
  readonly path: string;
  /** Null for time. */
  readonly address: { readonly signal: string; readonly key: string } | null;
  readonly ended: WaitEnd;
}

export type WaitEnd =
  | { readonly kind: 'elapsed' }
  | { readonly kind: 'satisfied'; readonly signal: string; readonly payload: Json }
  | { readonly kind: 'never' };

/** An error route is taken. */
export interface RouteStep {
  readonly kind: 'route';
  readonly path: string;
  readonly failure: Failure;
  /** Key of the node it leads to. */
  readonly to: string;
}
