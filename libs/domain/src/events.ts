/**
 * The events of a run (spec 02 "Events"): the only way its state changes. Each has a kind, a version and a
 * sequence in its run that starts at 1 and has no gap. An event that was written once is read for ever: a changed
 * meaning is a new version with an applier of its own.
 */
import type { Json } from '@graphrun/dsl';
import type { ActivationId, CommandId, RunId, ScopeId, SessionId, WorkflowId } from './ids.js';

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
  | { readonly kind: 'run_failed'; readonly failure: Failure }
  | { readonly kind: 'run_cancelled'; readonly failure: Failure }
  | { readonly kind: 'scope_opened'; readonly scope: ScopeId; readonly role: 'root'; readonly input: Json }
  | { readonly kind: 'scope_completed'; readonly scope: ScopeId; readonly output: Json }
  | { readonly kind: 'scope_failed'; readonly scope: ScopeId; readonly failure: Failure }
  | { readonly kind: 'scope_cancelled'; readonly scope: ScopeId }
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
