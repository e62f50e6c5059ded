/**
 * The state of one run. It is built by appliers only (`appliers/`), from events only; processors (`processors/`)
 * read it. Unions with payloads, not sets of flags: what a state does not have cannot be asked of it.
 *
 * A run is a tree: a scope walks through a region, one node at a time; a container node owns the scopes of its bodies. What
 * has completed is taken out of the tree as soon as its owner has its result, so that a loop of a thousand iterations is
 * as small as one of ten. What has failed stays until its container is left, because a person may open it again.
 */
import type { ActivityRef, Json, Program } from '@graphrun/dsl';
import type { CompensationSummary, Failure, RunPolicy, StopIntent, UnresolvedEffect } from './events.js';
import type { ActivationId, RunId, ScopeId, SessionId, SignalEventId, WaitId, WorkflowId } from './ids.js';

/** A value, and where the history holds it, so that a checkpoint can refer to a large value instead of repeating it. */
export type Cell = RecordedCell | ComposedCell;

export interface RecordedCell {
  readonly value: Json;
  /** The event that holds it, */
  readonly seq: number;
  /** and where in the event's body, as a JSON pointer. */
  readonly at: string;
}

/** An array put together from values that the history holds apart: outputs of items and branches. */
export interface ComposedCell {
  readonly value: readonly Json[];
  readonly parts: readonly Cell[];
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
  | { readonly kind: 'failed'; readonly failure: Failure; readonly compensation: CompensationSummary | null }
  | { readonly kind: 'cancelled'; readonly failure: Failure; readonly compensation: CompensationSummary | null }
  | { readonly kind: 'continued'; readonly successor: RunId }
  | { readonly kind: 'terminated'; readonly failure: Failure; readonly unresolved: readonly UnresolvedEffect[] };

export type ScopeStatus =
  | { readonly kind: 'open' }
  /** Closed to forward work; the failure is its own, null when something around it failed or stopped. */
  | { readonly kind: 'settling'; readonly failure: Failure | null }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

/** What a scope inherits from the loops and foreaches around it, as captured when it opened. */
export interface ScopeFrame {
  readonly loop: { readonly state: Cell; readonly index: number } | null;
  readonly item: { readonly value: Cell; readonly index: number } | null;
}

/** The node a scope is at: an activity or a container, or a wait. */
export type Current = { readonly activation: ActivationId } | { readonly wait: WaitId };

export interface Scope {
  readonly id: ScopeId;
  /** The container whose body this is, and which of its bodies; null for the root. */
  readonly owner: { readonly container: ActivationId; readonly slot: number } | null;
  /** The region, as a JSON pointer into the definition. */
  readonly region: string;
  readonly input: Cell;
  readonly frame: ScopeFrame;
  status: ScopeStatus;
  /**
   * The node that is to be entered next, null while one is under way. Only an open scope enters it; one that is closed keeps
   * it, because a failed run may be opened again and goes on there.
   */
  next: string | null;
  /** What is under way; null between nodes and after the end. */
  current: Current | null;
  /** Outputs of this scope's nodes that have succeeded, by key. */
  readonly outputs: Map<string, Cell>;
  /** Failures whose error route was taken, by key of the node. */
  readonly errors: Map<string, Failure>;
  /** Everything this scope has had, so that it can be forgotten with it. */
  readonly activations: Set<ActivationId>;
  readonly waits: Set<WaitId>;
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
    | { readonly kind: 'returned' }
    | { readonly kind: 'probed' };
}

/** What a probe that was asked has answered last, and how often one was asked. */
export interface Probing {
  /** Probes that were answered or lost so far. */
  readonly asked: number;
  /** UTC ms of the next probe, null while one is out. */
  readonly dueAt: number | null;
}

export type LeafStatus =
  /** Waits for a worker; `generation` is the one that the next grant will have. */
  | { readonly kind: 'ready'; readonly generation: number }
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** The attempt is over; what follows from it is decided in the same commit. */
  | { readonly kind: 'ended'; readonly claim: Claim; readonly failure: Failure }
  | { readonly kind: 'retry_wait'; readonly dueAt: number; readonly generation: number; readonly last: Failure }
  /** Unknown outcome of an external attempt; its reconciler is asked. A report of `claim.generation` still settles it. */
  | { readonly kind: 'reconciling'; readonly claim: Claim; readonly reason: Failure; readonly probing: Probing }
  /** Unknown outcome of an external attempt; a report of `claim.generation` still settles it. */
  | { readonly kind: 'blocked'; readonly claim: Claim; readonly reason: Failure }
  | { readonly kind: 'succeeded'; readonly output: Cell; readonly generation: number }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

/** Work for a worker: an activity node, the compensation of one, or a probe. */
export interface Leaf {
  readonly id: ActivationId;
  readonly scope: ScopeId;
  readonly node: string;
  /** The activity node, as a JSON pointer into the definition: it outlives the scope for compensations. */
  readonly pointer: string;
  readonly input: Cell;
  /** Engine time of the last change of status (of becoming ready, while it is ready), for `explain` and ages. */
  since: number;
  /** Attempts granted so far. */
  attempts: number;
  /** Attempts among them that were handed back unstarted and use up no budget. */
  returned: number;
  /** Attempts that an operator has added to the budget. */
  extended: number;
  /** Attempts that use up no budget any more, because the run was opened again after them. */
  forgiven: number;
  /** How attempts were lost since an outcome was known last, the latest at the end. Not empty: something may have happened. */
  losses: readonly Failure[];
  /** Claim of the last attempt, kept so that its late or repeated report is recognised. */
  last: Claim | null;
  /** The last report that was accepted. */
  reported: Reported | null;
  /** Late results recorded as evidence so far. */
  late: number;
  status: LeafStatus;
}

export type ContainerStatus =
  | { readonly kind: 'open' }
  /** Its open bodies are being settled; the failure is that of a body, null when something around it stops. */
  | { readonly kind: 'settling'; readonly failure: Failure | null }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

/** How far a container is, by its kind. */
export type ContainerWork =
  /** `chosen` is the index of the case, null for the default. */
  | { readonly kind: 'choose'; readonly input: Cell; readonly chosen: number | null; result: Cell | null }
  /** `carry` is the state for the next iteration, `done` the iterations completed. */
  | { readonly kind: 'loop'; readonly count: number | null; carry: Cell; done: number }
  | { readonly kind: 'foreach'; readonly items: Cell; opened: number; readonly results: Map<number, Cell> }
  | { readonly kind: 'parallel'; readonly inputs: readonly Cell[]; opened: number; readonly results: Map<number, Cell> }
  | {
      readonly kind: 'saga';
      readonly input: Cell;
      readonly obligations: ActivationId[];
      aborting: boolean;
      result: Cell | null;
    };

/** An activation of a node that owns regions. */
export interface Container {
  readonly id: ActivationId;
  readonly scope: ScopeId;
  readonly node: string;
  readonly pointer: string;
  since: number;
  status: ContainerStatus;
  readonly work: ContainerWork;
  /** Scopes of its bodies that are open, settling, failed or cancelled. Completed ones are gone. */
  readonly bodies: Set<ScopeId>;
}

export type WaitKind =
  | { readonly kind: 'timer' }
  | {
      readonly kind: 'signal';
      readonly signal: string;
      readonly key: string;
      /** Signals accepted before this sequence do not count; 0 takes buffered ones as well. */
      readonly after: number;
    };

export type WaitStatus =
  | { readonly kind: 'pending' }
  | { readonly kind: 'satisfied'; readonly event: SignalEventId }
  | { readonly kind: 'elapsed' }
  | { readonly kind: 'cancelled' };

/** A scope waits for time, or for a signal. */
export interface Wait {
  readonly id: WaitId;
  readonly scope: ScopeId;
  readonly node: string;
  readonly for: WaitKind;
  /** UTC ms at which it is over; null for a signal that is waited for without end. */
  readonly dueAt: number | null;
  readonly openedAt: number;
  status: WaitStatus;
}

/** A signal that was accepted and that no wait has taken yet. */
export interface InboxEntry {
  readonly id: SignalEventId;
  readonly signal: string;
  readonly key: string;
  readonly payload: Cell;
  /** Sequence of its acceptance: the order in which entries of an address are taken. */
  readonly order: number;
  /** UTC ms of its arrival. */
  readonly arrivedAt: number;
  /** UTC ms. */
  readonly expiresAt: number;
  /** Canonical bytes of the payload, for the quota. */
  readonly bytes: number;
}

export type ObligationStatus =
  /** The effect stands, and will be undone if its saga aborts. */
  | { readonly kind: 'open' }
  /** The input of the compensation could not be built. */
  | { readonly kind: 'blocked_input'; readonly reason: Failure }
  /** Its compensation is a leaf of its own (`a7c`), whose status says how far it is. */
  | { readonly kind: 'compensating' }
  | { readonly kind: 'compensated' }
  /** The compensation failed for good, or nobody knows whether it happened. */
  | { readonly kind: 'blocked_execution'; readonly reason: Failure }
  | { readonly kind: 'irreversible'; readonly reason: string }
  /** An operator gave up on it. */
  | { readonly kind: 'abandoned' };

/**
 * What is owed for a forward success inside a saga. It is gone once it is released (its saga has succeeded, with no saga
 * around it), or once the run has left the saga that undid it by an error route.
 */
export interface Obligation {
  /** The forward activation. */
  readonly forward: ActivationId;
  /** Where it was activated; the scope may be gone. */
  readonly scope: ScopeId;
  /** The activity node, as a JSON pointer. */
  readonly pointer: string;
  readonly node: string;
  /** The activity that undoes it; null when it is irreversible. */
  readonly handler: ActivityRef | null;
  /** Input of the compensation, null while it could not be built or where there is none. */
  input: Cell | null;
  /** The saga that owes it, which may be gone where it could not be undone. */
  saga: ActivationId;
  since: number;
  status: ObligationStatus;
}

export interface Run {
  readonly id: RunId;
  readonly workflowId: WorkflowId;
  readonly ordinal: number;
  readonly namespace: string;
  readonly workflow: string;
  /** Version and digest of the definition: another one from a `reopen` on that names it. */
  version: number;
  digest: string;
  readonly startKey: string | null;
  readonly input: Cell;
  readonly policy: RunPolicy;
  /** UTC ms, null without a run timeout. Disarmed by any stop intent. */
  deadline: number | null;
  readonly admittedAt: number;
  program: Program;
  status: RunStatus;
  /** Who holds the run and since when; nothing new starts meanwhile. */
  paused: { readonly since: number; readonly reason: string; readonly by: string } | null;
  endedAt: number | null;
  /** Sequence of the last event. */
  seq: number;
  /** Engine time of the last event. */
  updatedAt: number;
  /** Bytes of events so far, for the history limit. */
  historyBytes: number;
  /** How many of each there have been: the next one gets the next number. */
  scopeCount: number;
  activationCount: number;
  waitCount: number;
  readonly scopes: Map<ScopeId, Scope>;
  readonly leaves: Map<ActivationId, Leaf>;
  readonly containers: Map<ActivationId, Container>;
  readonly waits: Map<WaitId, Wait>;
  readonly inbox: Map<SignalEventId, InboxEntry>;
  readonly obligations: Map<ActivationId, Obligation>;
  /** Leaves that are not settled, in the order of their activation: what is under way, without a search. */
  readonly open: Set<ActivationId>;
  /** Waits that are pending, in the order of their opening. */
  readonly pending: Set<WaitId>;
  /** Leaves that were forgotten last, oldest first: a report whose receipt was lost may still come again. */
  readonly recent: Leaf[];
  /** Stop intents that came after the first, each recorded once. */
  readonly repeatedStops: Set<StopIntent>;
}
