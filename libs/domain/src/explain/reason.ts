/** What an explanation is made of. */
import type { Json } from '@graphrun/dsl';
import type { ActivationId, Role } from '../ids.js';

/** What a queued leaf needs of a worker. */
export interface WorkKind {
  readonly activity: string;
  readonly version: number;
  readonly role: Role;
  /** Of the contract that the run was admitted with. */
  readonly contractDigest: string;
}

/** Live workers that offer an activity, version and role. */
export interface WorkerCount {
  readonly able: number;
  /** They know another contract under that name and version, and hand the work back. */
  readonly otherContract: number;
}

/** What an attempt under way last said of itself. */
export interface HeartbeatFact {
  readonly generation: number;
  /** UTC ms. */
  readonly at: number;
  readonly details: Json;
}

/** What is known beside the run. */
export interface ExplainFacts {
  /** UTC ms. */
  readonly now: number;
  /** Live workers for this work; null when it is not known. */
  workersFor(work: WorkKind): WorkerCount | null;
  /** Of the attempts that have said something; absent when it is not known. */
  readonly heartbeats?: Heartbeats;
  /** The cluster was restored and nothing starts until somebody says that it may; absent when it was not. */
  readonly hold?: RecoveryHold;
}

export interface RecoveryHold {
  /** UTC ms. */
  readonly since: number;
}

export type Heartbeats = ReadonlyMap<ActivationId, HeartbeatFact>;

/** Every code, in the order of `docs/execution.md`. */
export const REASON_CODES = [
  'recovery_hold',
  'paused',
  'queued',
  'no_worker',
  'unknown_contract',
  'running',
  'retry_wait',
  'settling',
  'reconciling',
  'intervention_required',
  'compensation_blocked',
  'timer',
  'signal',
  'children',
  'progress_due',
  'limit_near',
  'ended',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

export interface Reason {
  readonly code: ReasonCode;
  /** What waits, from the root: `nodes.each[17].nodes.pay`; or `run`. */
  readonly path: string;
  /** One sentence. */
  readonly message: string;
  /** What a person can do. */
  readonly action: string;
  /** UTC ms. */
  readonly since: number;
  /** UTC ms at which this reason ends by itself, where there is such a time. */
  readonly dueAt?: number;
}

/** Times in sentences are read by people; `dueAt` has the number. */
export function time(ms: number): string {
  return new Date(ms).toISOString();
}
