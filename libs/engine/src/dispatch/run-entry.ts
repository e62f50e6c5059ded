/** What the dispatcher holds of one run: only what a worker or a clock may have to do with it. */
import type { ActivationId, RunId, SessionId, TimerName } from '@graphrun/domain';
import type { Partition } from '../partition.js';
import type { Heartbeat } from './heartbeats.js';
import type { ReadyLeaf } from './ready-queue.js';

export interface ClaimEntry {
  readonly partition: Partition;
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
  /** Whether it may be given to others when its worker is gone: pure, RetrySafe, or a probe, which has no effect. */
  readonly repeatable: boolean;
  /** Forward work, which is limited for each run. */
  readonly forward: boolean;
  /** Monotonic ms until which the worker has said that it works on it. */
  leaseUntil: number;
  /** What the worker last said of it, in memory only; null when it has said nothing. */
  heartbeat: Heartbeat | null;
  /** An expiry is on its way through the inbox. */
  expiring: boolean;
}

export class RunEntry {
  /** In the order in which they became ready. */
  readonly ready = new Map<ActivationId, ReadyLeaf>();
  readonly claims = new Map<ActivationId, ClaimEntry>();
  /** Armed timers: due times by what they belong to. */
  readonly timers = new Map<TimerName, number>();

  constructor(readonly partition: Partition) {}

  get empty(): boolean {
    return this.ready.size === 0 && this.claims.size === 0 && this.timers.size === 0;
  }
}
