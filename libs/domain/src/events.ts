/**
 * The events of a run (spec 02 "Events"): the only way its state changes. Each has a kind, a version and a
 * sequence in its run that starts at 1 and has no gap. An event that was written once is read for ever: a changed
 * meaning is a new version with an applier of its own.
 */
import type { ActivityRef, Json } from '@graphrun/dsl';
import type { ActivationId, CommandId, RunId, ScopeId, SessionId, SignalEventId, WaitId, WorkflowId } from './ids.js';

/** Why a scope or a run failed; codes come from `docs/errors.md`, from a contract, or from a `fail` node. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What brought an event about: a client's command, or the engine itself. */
export type Cause =
  { readonly command: CommandId } | { readonly internal: 'claim' | 'report' | 'expire' | 'timer' | 'progress' };

/** Limits and retention that a run keeps from its admission on. Local settings never change their meaning. */
export interface RunPolicy {
  readonly terminalHistoryMs: number;
  readonly tombstoneMs: number;
}

/**
 * Why an attempt ended without an outcome. All leave it unknown whether the effect happened, but `returned`: the
 * worker handed the attempt back unstarted.
 */
export type LossReason =
  'timeout' | 'lease' | 'worker_lost' | 'unhandled' | 'bad_output' | 'result_too_large' | 'returned';

export type StopIntent = 'failure' | 'cancel' | 'timeout';

/** An effect that an outcome has to speak of, because it was not undone. */
export interface EffectNote {
  readonly activation: ActivationId;
  readonly node: string;
  /** The compensation's activity as `name/vN`, null for what is irreversible. */
  readonly handler: string | null;
  readonly reason: string;
}

/** An effect of a terminated run that nobody has settled or undone. */
export interface UnresolvedEffect extends EffectNote {
  /** From the root: `nodes.each[17].nodes.pay`. */
  readonly path: string;
}

/** What became of the effects of sagas that did not succeed (spec 03 "Sagas"). */
export interface CompensationSummary {
  /** True when everything was undone that can be. */
  readonly complete: boolean;
  readonly irreversible: readonly EffectNote[];
  readonly unresolved: readonly EffectNote[];
}

/** The answer of a reconciler. */
export type ProbeAnswer = 'applied' | 'not_applied' | 'unknown';

/** What an operator has decided about something that is blocked. */
export type Resolution =
  /** The attempt had its effect, and this is its output. */
  | { readonly kind: 'applied'; readonly output: Json }
  /** It had none, and it cannot happen any more. */
  | { readonly kind: 'not_applied' }
  /** More attempts with the same effect key. */
  | { readonly kind: 'retry'; readonly attempts: number }
  | { readonly kind: 'fail'; readonly failure: Failure }
  /** Input for a compensation that could not be built. */
  | { readonly kind: 'input'; readonly input: Json };

export type EventBody =
  | {
      readonly kind: 'run_admitted';
      readonly run: RunId;
      readonly workflowId: WorkflowId;
      /** 1 for the first run of a WorkflowId, one more for each successor. */
      readonly ordinal: number;
      readonly namespace: string;
      readonly workflow: string;
      readonly version: number;
      /** Digest of the pinned artifact. */
      readonly digest: string;
      readonly startKey: string | null;
      readonly input: Json;
      readonly policy: RunPolicy;
      /** UTC ms at which the run times out, or null. */
      readonly deadline: number | null;
    }
  | { readonly kind: 'run_stop_intended'; readonly intent: StopIntent; readonly failure: Failure }
  /** A later intent, acknowledged; the first one has fixed the outcome. */
  | { readonly kind: 'run_stop_repeated'; readonly intent: StopIntent; readonly failure: Failure }
  | { readonly kind: 'run_succeeded'; readonly output: Json }
  | { readonly kind: 'run_failed'; readonly failure: Failure; readonly compensation?: CompensationSummary }
  | { readonly kind: 'run_cancelled'; readonly failure: Failure; readonly compensation?: CompensationSummary }
  | { readonly kind: 'run_paused'; readonly reason: string }
  | { readonly kind: 'run_resumed'; readonly reason: string }
  /** The next run of the same WorkflowId was admitted in the same commit. */
  | { readonly kind: 'run_continued'; readonly successor: RunId; readonly input: Json }
  /** An operator ended the run at once; nothing was settled or undone. */
  | { readonly kind: 'run_terminated'; readonly failure: Failure; readonly unresolved: readonly UnresolvedEffect[] }
  /** An operator opened a failed run again where it had failed and where it was closed for that. */
  | {
      readonly kind: 'run_reopened';
      readonly reason: string;
      /** Activities that are ready again, with fresh budgets. */
      readonly activations: readonly ActivationId[];
      /** Sagas whose undoing had begun: each starts its body anew. */
      readonly restarted: readonly ActivationId[];
      /** UTC ms at which the run times out, or null. */
      readonly deadline: number | null;
      /** The definition that the run has from here on; absent when it keeps its own. */
      readonly definition?: { readonly version: number; readonly digest: string };
    }
  | { readonly kind: 'scope_opened'; readonly scope: ScopeId; readonly role: 'root'; readonly input: Json }
  /**
   * A body of a container begins. Its input is what the container captured, so it stands in the container's event and not
   * here: the case's or branch's or saga's input, the carry, or the item.
   */
  | {
      readonly kind: 'body_opened';
      readonly scope: ScopeId;
      readonly owner: ActivationId;
      /** Which body: the case (-1 is the default), the iteration, the item or the branch, from 0. */
      readonly slot: number;
    }
  /** The scope has failed; it and all of its container is closed to forward work from here on. */
  | { readonly kind: 'scope_failing'; readonly scope: ScopeId; readonly failure: Failure }
  | { readonly kind: 'scope_completed'; readonly scope: ScopeId; readonly output: Json }
  | { readonly kind: 'scope_failed'; readonly scope: ScopeId; readonly failure: Failure }
  | { readonly kind: 'scope_cancelled'; readonly scope: ScopeId }
  /** A failure of a node was taken by one of its error routes, once it was settled. */
  | {
      readonly kind: 'error_routed';
      readonly scope: ScopeId;
      readonly node: string;
      readonly failure: Failure;
      readonly to: string;
    }
  | {
      readonly kind: 'choose_entered';
      readonly activation: ActivationId;
      readonly scope: ScopeId;
      readonly node: string;
      readonly input: Json;
      /** Index of the first case that held, null for the default. */
      readonly chosen: number | null;
    }
  | {
      readonly kind: 'loop_entered';
      readonly activation: ActivationId;
      readonly scope: ScopeId;
      readonly node: string;
      /** The first carry. */
      readonly state: Json;
      /** Iterations of a `repeat`, absent for the other loops. */
      readonly count?: number;
    }
  | {
      readonly kind: 'foreach_entered';
      readonly activation: ActivationId;
      readonly scope: ScopeId;
      readonly node: string;
      readonly items: readonly Json[];
    }
  | {
      readonly kind: 'parallel_entered';
      readonly activation: ActivationId;
      readonly scope: ScopeId;
      readonly node: string;
      /** Inputs of all branches, frozen before any of them begins. */
      readonly inputs: readonly Json[];
    }
  | {
      readonly kind: 'saga_entered';
      readonly activation: ActivationId;
      readonly scope: ScopeId;
      readonly node: string;
      readonly input: Json;
    }
  /** The container has its result, which follows from what its bodies returned. */
  | { readonly kind: 'container_completed'; readonly activation: ActivationId }
  /** A node failed without a body being at fault: a limit, a count or items out of range. Its bodies are settled first. */
  | { readonly kind: 'container_failing'; readonly activation: ActivationId; readonly failure: Failure }
  | { readonly kind: 'container_failed'; readonly activation: ActivationId; readonly failure: Failure }
  | { readonly kind: 'container_cancelled'; readonly activation: ActivationId }
  | {
      readonly kind: 'timer_set';
      readonly wait: WaitId;
      readonly scope: ScopeId;
      readonly node: string;
      /** UTC ms. */
      readonly dueAt: number;
    }
  | { readonly kind: 'timer_fired'; readonly wait: WaitId }
  | {
      readonly kind: 'wait_opened';
      readonly wait: WaitId;
      readonly scope: ScopeId;
      readonly node: string;
      readonly signal: string;
      readonly key: string;
      /** UTC ms, null without a timeout. */
      readonly dueAt: number | null;
      /** True when signals from before this event count. */
      readonly buffered: boolean;
    }
  /** The wait takes the earliest signal that it may, in the commit in which both are there. */
  | { readonly kind: 'wait_satisfied'; readonly wait: WaitId; readonly event: SignalEventId }
  | { readonly kind: 'wait_timed_out'; readonly wait: WaitId }
  /** The scope of the wait is closed; for timers and for signals. */
  | { readonly kind: 'wait_cancelled'; readonly wait: WaitId }
  | {
      readonly kind: 'signal_accepted';
      readonly event: SignalEventId;
      readonly signal: string;
      readonly key: string;
      readonly payload: Json;
      /** UTC ms at which it came to the log. */
      readonly arrivedAt: number;
      /** UTC ms. */
      readonly expiresAt: number;
    }
  | { readonly kind: 'signal_expired'; readonly event: SignalEventId }
  | {
      readonly kind: 'obligation_registered';
      readonly activation: ActivationId;
      readonly handler: ActivityRef;
      readonly input: Json;
    }
  | {
      readonly kind: 'obligation_blocked';
      readonly activation: ActivationId;
      readonly handler: ActivityRef;
      readonly reason: Failure;
    }
  | { readonly kind: 'obligation_irreversible'; readonly activation: ActivationId; readonly reason: string }
  /** An inner saga succeeded: what it owes is owed by the saga around it, as one group. */
  | { readonly kind: 'obligations_transferred'; readonly from: ActivationId; readonly to: ActivationId }
  /** A saga succeeded and no saga is around it. */
  | { readonly kind: 'obligations_released'; readonly saga: ActivationId }
  | { readonly kind: 'saga_abort_started'; readonly saga: ActivationId }
  /** The compensation of `activation` becomes work for a worker. `handler` is the name of its activity. */
  | { readonly kind: 'compensation_started'; readonly activation: ActivationId; readonly handler: string }
  | {
      readonly kind: 'compensation_completed';
      readonly activation: ActivationId;
      readonly generation: number;
      readonly output: Json;
    }
  | { readonly kind: 'compensation_blocked'; readonly activation: ActivationId; readonly reason: Failure }
  | { readonly kind: 'obligation_abandoned'; readonly activation: ActivationId; readonly reason: string }
  /** The reconciler of an attempt will be asked at this time. */
  | {
      readonly kind: 'reconciliation_requested';
      readonly activation: ActivationId;
      readonly reason: Failure;
      readonly dueAt: number;
    }
  /** A probe becomes work for a worker. */
  | { readonly kind: 'probe_started'; readonly activation: ActivationId }
  | {
      readonly kind: 'probe_answered';
      readonly activation: ActivationId;
      readonly answer: ProbeAnswer;
      /** UTC ms of the next probe, null when there is none. */
      readonly nextAt: number | null;
    }
  | {
      readonly kind: 'intervention_resolved';
      readonly activation: ActivationId;
      readonly resolution: Resolution;
      readonly reason: string;
    }
  | {
      readonly kind: 'activity_activated';
      readonly activation: ActivationId;
      readonly scope: ScopeId;
      readonly node: string;
      readonly input: Json;
    }
  | {
      readonly kind: 'attempt_granted';
      readonly activation: ActivationId;
      readonly attempt: number;
      readonly generation: number;
      readonly session: SessionId;
      /** UTC ms: grant time + timeout, fixed. */
      readonly deadline: number;
    }
  | {
      readonly kind: 'attempt_lost';
      readonly activation: ActivationId;
      readonly generation: number;
      readonly reason: LossReason;
      readonly message: string;
    }
  | {
      readonly kind: 'attempt_failed';
      readonly activation: ActivationId;
      readonly generation: number;
      readonly failure: Failure;
    }
  | {
      readonly kind: 'retry_scheduled';
      readonly activation: ActivationId;
      readonly delayMs: number;
      /** UTC ms at which the leaf is ready again. */
      readonly dueAt: number;
    }
  /** The backoff is over: the leaf is ready for its next attempt. */
  | { readonly kind: 'retry_due'; readonly activation: ActivationId }
  | {
      readonly kind: 'activity_succeeded';
      readonly activation: ActivationId;
      readonly generation: number;
      readonly output: Json;
    }
  | { readonly kind: 'activity_failed'; readonly activation: ActivationId; readonly failure: Failure }
  | { readonly kind: 'activity_cancelled'; readonly activation: ActivationId }
  /** A result that came after its attempt was decided: kept as evidence, changes nothing. */
  | {
      readonly kind: 'late_result_observed';
      readonly activation: ActivationId;
      readonly generation: number;
      readonly session: SessionId;
      readonly outcome: 'success' | 'error';
    }
  /** The outcome of an external attempt is unknown and nobody may repeat it: a person must say what happened. */
  | { readonly kind: 'intervention_required'; readonly activation: ActivationId; readonly reason: Failure };

export type EventKind = EventBody['kind'];
export type BodyOf<K extends EventKind> = Extract<EventBody, { readonly kind: K }>;

/** An event as stored: `{seq, at, v, cause, by, body}`. */
export interface RunEvent {
  readonly seq: number;
  /** Engine time of the commit that wrote it, UTC ms. */
  readonly at: number;
  /** Version of the event's shape. */
  readonly v: number;
  readonly cause: Cause;
  /** Principal of the client, session of the worker, or `engine`. */
  readonly by: string;
  readonly body: EventBody;
}
