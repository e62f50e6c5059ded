/**
 * What was seen of a run, in the words of the predictions. Values hold `scopeId(path)` where the run had the id of a scope,
 * and `engineFailure(code).message` where the engine had words of its own.
 */
import type { Json } from '@graphrun/dsl';
import type { Failure } from './failure.js';
import type { Captured, ContainerKind } from './prediction.js';

export interface Observation {
  readonly outcome: SeenOutcome;
  readonly root: SeenScope;
  /** Everything that happened in an order that counts, in that order. */
  readonly facts: readonly Fact[];
}

export type SeenOutcome =
  | { readonly kind: 'succeeded'; readonly output: Json }
  | { readonly kind: 'failed' | 'cancelled'; readonly failure: Failure; readonly compensation: SeenSummary | null }
  | { readonly kind: 'continued'; readonly input: Json }
  | { readonly kind: 'waiting' };

/** What the outcome says about effects. */
export interface SeenSummary {
  readonly complete: boolean;
  /** Paths and reasons. */
  readonly irreversible: readonly string[];
  readonly unresolved: readonly string[];
}

export interface SeenScope {
  readonly path: string;
  readonly input: Json;
  readonly steps: readonly SeenStep[];
  readonly end: SeenEnd;
}

export type SeenEnd =
  | { readonly kind: 'completed'; readonly output: Json }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'open' };

export type SeenStep = SeenActivity | SeenContainer | SeenWait | SeenRoute;

export interface SeenActivity {
  readonly kind: 'activity';
  readonly path: string;
  readonly input: Json;
  /** Attempts that were granted and not handed back unstarted. */
  readonly attempts: number;
  readonly end: SeenEnd;
}

export interface SeenContainer {
  readonly kind: 'container';
  readonly path: string;
  readonly container: ContainerKind;
  readonly captured: Captured;
  /** In the order in which they opened. */
  readonly bodies: readonly SeenScope[];
  /** The most bodies that were under way at once. */
  readonly most: number;
  /** Completed without an output: what it is follows from the bodies. */
  readonly end: { readonly kind: 'completed' } | Exclude<SeenEnd, { readonly kind: 'completed' }>;
}

export interface SeenWait {
  readonly kind: 'wait';
  readonly path: string;
  readonly address: { readonly signal: string; readonly key: string } | null;
  readonly end:
    | { readonly kind: 'elapsed' | 'cancelled' | 'open' }
    | { readonly kind: 'satisfied'; readonly signal: string; readonly payload: Json };
}

export interface SeenRoute {
  readonly kind: 'route';
  readonly path: string;
  readonly failure: Failure;
  readonly to: string;
}

export type Fact =
  /** A worker was told to begin; `handler` is `name/vN`. */
  | {
      readonly kind: 'begun';
      readonly path: string;
      readonly role: 'forward' | 'compensation';
      readonly handler: string;
      readonly input: Json;
    }
  /** A step of a scope, or a body, began. */
  | { readonly kind: 'entered'; readonly path: string; readonly what: 'activity' | 'saga' | 'other' }
  /** An activity came to its result. */
  | { readonly kind: 'settled'; readonly path: string; readonly succeeded: boolean }
  /** A container has its result. */
  | { readonly kind: 'completed'; readonly path: string }
  /** A container is closed to forward work, with all that is in it; the path is empty for the whole run. */
  | { readonly kind: 'closed'; readonly path: string }
  /** Somebody outside wants the run to stop. */
  | { readonly kind: 'asked'; readonly code: string }
  /** A container that had failed, and was undone if it was a saga, is over. */
  | { readonly kind: 'over'; readonly path: string }
  | { readonly kind: 'owes'; readonly path: string; readonly owed: SeenOwed }
  | { readonly kind: 'supplied'; readonly path: string }
  | { readonly kind: 'undoing'; readonly path: string }
  /** In so many attempts that were not handed back. */
  | { readonly kind: 'undone'; readonly path: string; readonly attempts: number }
  /** An error route takes the failure of a container. */
  | { readonly kind: 'left'; readonly path: string };

export type SeenOwed =
  | { readonly kind: 'undone'; readonly handler: string; readonly input: Json }
  | { readonly kind: 'lacks_input'; readonly handler: string }
  | { readonly kind: 'irreversible'; readonly reason: string };
