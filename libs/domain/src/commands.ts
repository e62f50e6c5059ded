/**
 * Commands of a run (spec 02 "Commands"), as the domain sees them: already authenticated, resolved and given their
 * time. What they look like on the wire stands in `libs/protocol`.
 */
import type { Json, Program } from '@graphrun/dsl';
import type { Failure, LossReason, ProbeAnswer, Resolution } from './events.js';
import type { ActivationId, CommandId, RunId, SessionId, SignalEventId, WaitId, WorkflowId } from './ids.js';

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
  /** A reconciler's answer; `output` with `applied`. */
  | { readonly kind: 'probed'; readonly answer: ProbeAnswer; readonly output?: Json }
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

/** What a recorded time belongs to: a leaf's retry or probe, a wait, the run's own deadline, the inbox's next expiry. */
export type TimerName = ActivationId | WaitId | 'run' | 'inbox';

/** A recorded time has come. */
export interface TimerCommand {
  readonly kind: 'timer';
  readonly name: TimerName;
  readonly dueAt: number;
}

/** A message from outside for a wait of this address, now or later. */
export interface SignalCommand {
  readonly kind: 'signal';
  readonly commandId: CommandId;
  readonly event: SignalEventId;
  readonly signal: string;
  readonly key: string;
  readonly payload: Json;
}

/** What operators do with a run: each says why, and on which version of the run it was decided. */
interface OperatorCommand {
  readonly commandId: CommandId;
  readonly reason: string;
  /** Sequence of the run that the operator has seen; null where that does not matter. */
  readonly expectedSeq: number | null;
}

export interface PauseCommand extends OperatorCommand {
  readonly kind: 'pause';
}

export interface ResumeCommand extends OperatorCommand {
  readonly kind: 'resume';
}

/** Says what a person has found out about something that is blocked. */
export interface ResolveCommand extends OperatorCommand {
  readonly kind: 'resolve';
  /** The blocked leaf, or the forward activation whose compensation has no input. */
  readonly activation: ActivationId;
  readonly resolution: Resolution;
}

/** Gives up on what compensations still owe. */
export interface AbandonCommand extends OperatorCommand {
  readonly kind: 'abandon';
}

export interface TerminateCommand extends OperatorCommand {
  readonly kind: 'terminate';
}

/** Opens a failed run again where it had failed, and where it was closed for that. */
export interface ReopenCommand extends OperatorCommand {
  readonly kind: 'reopen';
  /** The definition to go on with, null for the run's own. */
  readonly program: Program | null;
  /** Another run of the WorkflowId that has not ended, if there is one. */
  readonly livingRun: RunId | null;
}

/** Continue a run that had more to do than one commit may hold. */
export interface ProgressCommand {
  readonly kind: 'progress';
}

export type RunCommand =
  | StartCommand
  | SignalCommand
  | CancelCommand
  | PauseCommand
  | ResumeCommand
  | ResolveCommand
  | AbandonCommand
  | TerminateCommand
  | ReopenCommand
  | ClaimCommand
  | ReportCommand
  | ExpireCommand
  | TimerCommand
  | ProgressCommand;

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
