/**
 * The state of one run. It is built by appliers only (`appliers/`), from events only; processors (`processors/`)
 * read it. Unions with payloads, not sets of flags: what a state does not have cannot be asked of it.
 */
import type { Json, Program } from '@graphrun/dsl';
import type { Failure, RunPolicy, StopIntent } from './events.js';
import type { ActivationId, RunId, ScopeId, SessionId, WorkflowId } from './ids.js';

/** A value and the event that holds it, so that a checkpoint can refer to a large value instead of repeating it. */
export interface Cell {
  readonly value: Json;
  readonly seq: number;
}

/** Why the run is to end, from its first stop intent on. */
export interface Stop {
  readonly intent: StopIntent;
  readonly failure: Failure;
}

export type RunStatus =
  | { readonly kind: 'active' }
  | { readonly kind: 'stopping'; readonly intent: StopIntent; readonly failure: Failure }
  /** A person must say what happened; `stop` is what continues then, null for the ordinary course. */
  | { readonly kind: 'blocked'; readonly stop: Stop | null }
  | { readonly kind: 'succeeded'; readonly output: Cell }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled'; readonly failure: Failure };

export type ScopeStatus =
  | { readonly kind: 'open' }
  | { readonly kind: 'settling'; readonly failure: Failure | null }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

export interface Scope {
  readonly id: ScopeId;
  readonly input: Cell;
  status: ScopeStatus;
  /** The node that is to be entered next, null while an activation is under way or after the end. */
  next: string | null;
  /** Activation of each node of this scope that has been reached. */
  readonly activations: Map<string, ActivationId>;
}

export interface Claim {
  readonly attempt: number;
  readonly generation: number;
  readonly session: SessionId;
  readonly deadline: number;
}

/** The report that decided an attempt, kept so that its repeat gets the same answer. */
export interface Reported {
  readonly generation: number;
  readonly session: SessionId;
  /** A success's output stands in the leaf's status; an error keeps what was reported. */
  readonly outcome:
    | { readonly kind: 'success' }
    | { readonly kind: 'error'; readonly failure: Failure }
    | { readonly kind: 'returned' };
}

export type LeafStatus =
  /** Waits for a worker; `generation` is the one that the next grant will have. */
  | { readonly kind: 'ready'; readonly generation: number }
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** The attempt is over; what follows from it is decided in the same commit. */
  | { readonly kind: 'ended'; readonly claim: Claim; readonly failure: Failure }
  | { readonly kind: 'retry_wait'; readonly dueAt: number; readonly generation: number; readonly last: Failure }
  /** Unknown outcome of an external attempt; a report of `claim.generation` still settles it. */
  | { readonly kind: 'blocked'; readonly claim: Claim; readonly reason: Failure }
  | { readonly kind: 'succeeded'; readonly output: Cell; readonly generation: number }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

/** An activated activity node. */
export interface Leaf {
  readonly id: ActivationId;
  readonly scope: ScopeId;
  readonly node: string;
  readonly input: Cell;
  /** Engine time of the last change of status (of becoming ready, while it is ready), for `explain` and ages. */
  since: number;
  /** Attempts granted so far. */
  attempts: number;
  /** Attempts among them that were handed back unstarted and use up no budget. */
  returned: number;
  /** Attempts whose outcome was lost since an outcome was known last. Not zero: something may have happened. */
  losses: number;
  /** Claim of the last attempt, kept so that its late or repeated report is recognised. */
  last: Claim | null;
  /** The last report that was accepted. */
  reported: Reported | null;
  /** Late results recorded as evidence so far. */
  late: number;
  status: LeafStatus;
}

export interface Run {
  readonly id: RunId;
  readonly workflowId: WorkflowId;
  readonly ordinal: number;
  readonly namespace: string;
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  readonly startKey: string | null;
  readonly input: Cell;
  readonly policy: RunPolicy;
  /** UTC ms, null without a run timeout. Disarmed by any stop intent. */
  readonly deadline: number | null;
  readonly admittedAt: number;
  readonly program: Program;
  status: RunStatus;
  endedAt: number | null;
  /** Sequence of the last event. */
  seq: number;
  /** Engine time of the last event. */
  updatedAt: number;
  /** Bytes of events so far, for the history limit. */
  historyBytes: number;
  readonly scopes: Map<ScopeId, Scope>;
  readonly leaves: Map<ActivationId, Leaf>;
  /** Leaves that are not settled, in the order of their activation: what is under way, without a search. */
  readonly open: Set<ActivationId>;
  /** Stop intents that came after the first, each recorded once. */
  readonly repeatedStops: Set<StopIntent>;
  /** A transition is due that needs nobody else; after a commit: more were due than one commit may hold. */
  progressDue: boolean;
}
