/** What the dispatcher holds of one run: only what a worker or a clock may have to do with it. */
import type { ActivationId, RunId, SessionId } from '@graphrun/domain';
import type { Partition } from '../partition.js';
import type { ReadyLeaf } from './ready-queue.js';

export interface ClaimEntry {
  readonly partition: Partition;
  readonly run: RunId;
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
  /** Whether it may be repeated elsewhere when its worker is gone: pure, or RetrySafe. */
  readonly repeatable: boolean;
  /** Monotonic ms until which the worker has said that it works on it. */
  leaseUntil: number;
  /** An expiry is on its way through the inbox. */
  expiring: boolean;
}

export class RunEntry {
  readonly ready = new Map<ActivationId, ReadyLeaf>();
  readonly claims = new Map<ActivationId, ClaimEntry>();
  /** Armed timers: due time by activation, or by `run` for the run's own deadline. */
  readonly timers = new Map<ActivationId | 'run', number>();

  constructor(readonly partition: Partition) {}

  get empty(): boolean {
    return this.ready.size === 0 && this.claims.size === 0 && this.timers.size === 0;
  }
}
