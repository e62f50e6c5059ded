/**
 * Commands of a run (spec 02 "Commands"), as the domain sees them: already authenticated, resolved and given their
 * time. What they look like on the wire stands in `libs/protocol`.
 */
import type { Json, Program } from '@graphrun/dsl';
import type { Failure, LossReason } from './events.js';
import type { ActivationId, CommandId, RunId, SessionId, WorkflowId } from './ids.js';

/** What comes in from outside with each command, so that the domain needs no clock and no dice. */
export interface CommandContext {
  /** Engine time of the batch, UTC ms. Never runs backwards in a run. */
  readonly now: number;
  /** When the message reached the log, UTC ms: what arrived in time counts, whenever it is applied. */
  readonly arrivedAt: number;
  /** Seed for what is random (backoff jitter): 32 bits, drawn once by the owner. */
  readonly entropy: number;
  /** Principal, session or `engine`. */
  readonly by: string;
}

export interface StartCommand {
  readonly kind: 'start';
  readonly commandId: CommandId;
  readonly run: RunId;
  readonly workflowId: WorkflowId;
  readonly ordinal: number;
  readonly namespace: string;
  readonly startKey: string | null;
  readonly program: Program;
  readonly input: Json;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly commandId: CommandId;
  readonly reason: string;
}

/** A worker asks for the attempt that it was offered. */
export interface ClaimCommand {
  readonly kind: 'claim';
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
}

export type ReportOutcome =
  | { readonly kind: 'success'; readonly output: Json }
  /** A code the handler chose to report; retried only as contract and node allow. */
  | { readonly kind: 'error'; readonly failure: Failure }
  /** The handler threw something else, or its output could not be sent: `activity.unhandled`, `worker.result_too_large`. */
  | { readonly kind: 'unhandled'; readonly failure: Failure }
  /** The worker hands the offer back unstarted (draining, unknown contract): costs no attempt. */
  | { readonly kind: 'returned'; readonly reason: string };

export interface ReportCommand {
  readonly kind: 'report';
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
  /** True when the work ran without a committed grant: one message claims and reports (pure work only). */
  readonly lax: boolean;
  readonly outcome: ReportOutcome;
}

/** The owner found that a claim's lease ended, its deadline passed or its worker is gone. */
export interface ExpireCommand {
  readonly kind: 'expire';
  readonly activation: ActivationId;
  readonly generation: number;
  readonly reason: Extract<LossReason, 'timeout' | 'lease' | 'worker_lost'>;
}

/** A recorded time has come: `activation` names a retry, its absence the run's own deadline. */
export interface TimerCommand {
  readonly kind: 'timer';
  readonly activation: ActivationId | null;
  readonly dueAt: number;
}

/** Continue a run that had more to do than one commit may hold. */
export interface ProgressCommand {
  readonly kind: 'progress';
}

export type RunCommand =
  StartCommand | CancelCommand | ClaimCommand | ReportCommand | ExpireCommand | TimerCommand | ProgressCommand;

/** An attempt that may now be executed. */
export interface Grant {
  readonly activation: ActivationId;
  readonly attempt: number;
  readonly generation: number;
  readonly deadline: number;
}

export type RejectionCode =
  'InvalidArgument' | 'FailedPrecondition' | 'NotFound' | 'AlreadyExists' | 'ResourceExhausted';

/** A command that changed nothing, and why. Rejections are answers, not errors. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly message: string;
}

export type Decision =
  /** `repeated`: it was accepted before, nothing changed, and this is the first answer again. */
  | { readonly kind: 'accepted'; readonly grant?: Grant; readonly repeated?: true }
  /** A message about the past: answered, nothing changed, at most kept as evidence (`late_result_observed`). */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };
