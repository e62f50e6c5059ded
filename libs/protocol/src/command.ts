/**
 * Commands on the wire: what clients and workers publish to a partition's command log. Who sends stands in the
 * subject, never in the payload (spec 04 "Partitions and identities").
 */
import type {
  ActivationId,
  CommandId,
  ReportOutcome,
  Resolution,
  RunId,
  SessionId,
  SignalEventId,
  WorkflowId,
} from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { WorkKey } from './offer.js';

export type SenderRole = 'client' | 'worker';
export type CommandKind =
  | 'start'
  | 'signal'
  | 'cancel'
  | 'pause'
  | 'resume'
  | 'resolve'
  | 'abandon'
  | 'terminate'
  | 'reopen'
  | 'claim'
  | 'report';

/** Which role may send which kind. Kinds that are not here are internal and never accepted from the log. */
export const ALLOWED_KINDS: Readonly<Record<SenderRole, readonly CommandKind[]>> = {
  client: ['start', 'signal', 'cancel', 'pause', 'resume', 'resolve', 'abandon', 'terminate', 'reopen'],
  worker: ['claim', 'report'],
};

interface ClientCommand {
  readonly id: CommandId;
  /** UTC ms; at most 12 h after issue. Rejected `Expired` when it arrives later. */
  readonly notAfter: number;
  /** Where the receipt goes: an inbox of the sender's own role and principal. */
  readonly replyTo: string;
}

export interface StartRequest extends ClientCommand {
  readonly kind: 'start';
  readonly workflowId: WorkflowId;
  readonly namespace: string;
  readonly workflow: string;
  /** null means the latest version, resolved by the owner after the start key. */
  readonly version: number | null;
  readonly startKey: string | null;
  readonly input: Json;
}

export interface CancelRequest extends ClientCommand {
  readonly kind: 'cancel';
  readonly run: RunId;
  readonly reason: string;
}

/** A message for a run: the same event id and content is the same signal, whatever the command id. */
export interface SignalRequest extends ClientCommand {
  readonly kind: 'signal';
  readonly run: RunId;
  readonly event: SignalEventId;
  readonly signal: string;
  readonly key: string;
  readonly payload: Json;
}

/** What operators do with a run, each with a reason and the version of the run it was decided on. */
interface OperatorRequest extends ClientCommand {
  readonly run: RunId;
  readonly reason: string;
  /** Sequence of the run's last event that the operator has seen; null where that does not matter. */
  readonly expectedSeq: number | null;
}

export interface ControlRequest extends OperatorRequest {
  readonly kind: 'pause' | 'resume' | 'abandon' | 'terminate';
}

export interface ResolveRequest extends OperatorRequest {
  readonly kind: 'resolve';
  readonly activation: ActivationId;
  readonly resolution: Resolution;
}

/** Opens a failed run again. */
export interface ReopenRequest extends OperatorRequest {
  readonly kind: 'reopen';
  /** The version of the workflow to go on with; null keeps the run's own. */
  readonly version: number | null;
}

/** Commands of clients that address a run. */
export type RunRequest = SignalRequest | CancelRequest | ControlRequest | ResolveRequest | ReopenRequest;

/** How many more attempts of an activity in a role a session can take at once, for eager grants. */
export interface FreeSlots extends WorkKey {
  readonly slots: number;
}

interface WorkerCommand {
  /** Echoed in the receipt. */
  readonly ref: string;
  readonly replyTo: string;
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
  readonly free: readonly FreeSlots[];
}

export interface ClaimRequest extends WorkerCommand {
  readonly kind: 'claim';
}

export interface ReportRequest extends WorkerCommand {
  readonly kind: 'report';
  /** The work ran without a committed grant (pure work only). */
  readonly lax: boolean;
  readonly outcome: ReportOutcome;
}

export type WireCommand = StartRequest | RunRequest | ClaimRequest | ReportRequest;
