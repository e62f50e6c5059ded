/** Worker sessions: what a worker process announces, renews and answers (spec 03 "Attempts", 04 "Claims, leases"). */
import type { ActivationId, Role, RunId, SessionId } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { WorkKey } from './offer.js';

/** How inputs and outputs are written: plain JSON. A worker that reads another form says so by another number. */
export const PAYLOAD_CODEC_VERSION = 1;

/** What a heartbeat may say of its attempt, as JSON text. It is read by people, never by the engine. */
export const HEARTBEAT_DETAILS_BYTES = 1_024;

/** One handler of a session. Offers whose contract digest differs are handed back. */
export interface Capability {
  readonly role: Role;
  readonly activity: string;
  readonly version: number;
  readonly codecVersion: number;
  readonly inputSchemaDigest: string;
  readonly outputSchemaDigest: string;
  /** Of contract and schemas together: what an offer is compared with. */
  readonly contractDigest: string;
  /** How many attempts of it the session runs at once. */
  readonly slots: number;
}

/** A contract that offers of a key had. */
export interface UnknownContract extends WorkKey {
  readonly contractDigest: string;
}

export interface SessionInfo {
  readonly session: SessionId;
  /** Stable name of the worker over restarts, such as `payments-0`. */
  readonly worker: string;
  readonly principal: string;
  readonly startedAt: number;
  readonly capabilities: readonly Capability[];
  /** Contracts that offers had and this session does not know, the newest last: it hands such offers back. */
  readonly unknownContracts: readonly UnknownContract[];
  readonly draining: boolean;
  /** Attempts running now. */
  readonly running: number;
}

export interface ClaimRef {
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly generation: number;
}

/** What a handler last said of itself. */
export interface HeartbeatNote {
  /** Ms between the heartbeat and the message that carries it: clocks of workers are not trusted. */
  readonly ageMs: number;
  readonly details: Json;
}

export interface RenewedClaim extends ClaimRef {
  /** The newest heartbeat, where the handler has given one; said again each time, for an owner that is new. */
  readonly heartbeat?: HeartbeatNote;
}

export interface RenewRequest {
  readonly session: SessionId;
  readonly claims: readonly RenewedClaim[];
}

/** A question to the owner of a run's partition: what have its attempts under way said of themselves? */
export interface HeartbeatsRequest {
  readonly run: RunId;
}

/** The last heartbeat of one attempt, which its owner has in memory only. */
export interface AttemptHeartbeat extends HeartbeatNote {
  readonly activation: ActivationId;
  readonly generation: number;
}

export interface HeartbeatsReply {
  readonly attempts: readonly AttemptHeartbeat[];
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
