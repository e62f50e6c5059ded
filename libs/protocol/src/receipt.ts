/** What the owner of a partition answers, after the commit and only then. */
import type { CommandId, RunId, WorkflowId } from '@graphrun/domain';
import type { ErrorCode } from './errors.js';
import type { Offer } from './offer.js';

/** The stored answer to a client's command; the same command id gets the same answer again. */
export type CommandResult =
  | {
      readonly ok: true;
      readonly run: RunId;
      readonly workflowId: WorkflowId;
      /** The version that was resolved. */
      readonly version: number;
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details?: Record<string, string>;
    };

export interface ClientReceipt {
  readonly kind: 'client';
  readonly id: CommandId;
  readonly result: CommandResult;
}

export interface WorkerReceipt {
  readonly kind: 'worker';
  /** `ref` of the claim or report. */
  readonly ref: string;
  /** accepted: committed. stale: about the past, drop the work. rejected: this can never be accepted. */
  readonly verdict: 'accepted' | 'stale' | 'rejected';
  readonly reason?: string;
  /** UTC ms: deadline of the attempt that a claim was granted. */
  readonly deadline?: number;
  /** Leaves granted to this session in the same commit. */
  readonly eager?: readonly Offer[];
}

export type Receipt = ClientReceipt | WorkerReceipt;
