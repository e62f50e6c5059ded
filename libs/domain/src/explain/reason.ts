/** What an explanation is made of. */
import type { Role } from '../ids.js';

/** What the owner knows beside the run. */
export interface ExplainFacts {
  /** UTC ms. */
  readonly now: number;
  /** Live workers that take this activity, version and role; null when it is not known. */
  workersFor(activity: string, version: number, role: Role): number | null;
}

export type ReasonCode =
  | 'queued'
  | 'no_worker'
  | 'running'
  | 'retry_wait'
  | 'settling'
  | 'reconciling'
  | 'intervention_required'
  | 'compensation_blocked'
  | 'timer'
  | 'signal'
  | 'paused'
  | 'progress_due'
  | 'limit_near'
  | 'ended';

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
