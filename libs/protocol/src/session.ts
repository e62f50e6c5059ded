/** Worker sessions: what a worker process announces, renews and answers (spec 03 "Attempts", 04 "Claims, leases"). */
import type { ActivationId, Role, RunId, SessionId } from '@graphrun/domain';

/** One handler of a session. Offers whose contract digest differs are handed back. */
export interface Capability {
  readonly role: Role;
  readonly activity: string;
  readonly version: number;
  readonly contractDigest: string;
  /** How many attempts of it the session runs at once. */
  readonly slots: number;
}

export interface SessionInfo {
  readonly session: SessionId;
  /** Stable name of the worker over restarts, such as `payments-0`. */
  readonly worker: string;
  readonly principal: string;
  readonly startedAt: number;
  readonly capabilities: readonly Capability[];
  readonly draining: boolean;
  /** Attempts running now. */
  readonly running: number;
}

export interface ClaimRef {
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly generation: number;
}

export interface RenewRequest {
  readonly session: SessionId;
  readonly claims: readonly ClaimRef[];
}

export interface RenewReply {
  /** Workers ignore replies of a lower epoch than they have seen for the partition. */
  readonly epoch: number;
  /** Renewed until then, UTC ms of the owner; absent claims are not renewed. */
  readonly leaseMs: number;
  /** Claims that are no longer this session's: abort them. */
  readonly lost: readonly (ClaimRef & { readonly reason: 'cancelled' | 'lost' })[];
}

/** Pushed to a session: abort this attempt. */
export interface AbortNotice extends ClaimRef {
  readonly reason: 'cancelled' | 'lost';
}
