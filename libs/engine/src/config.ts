/** Settings of one coordinator. They change resources and timing only, never the meaning of a run. */
import { POLICIES } from '@graphrun/dsl';

export interface EngineConfig {
  /** Fixed for the life of a cluster. */
  readonly partitions: number;
  /** This coordinator's id, never reused for another. */
  readonly member: string;
  /** All coordinators that may own partitions, this one included. */
  readonly members: readonly string[];
  readonly partitionLeaseMs: number;
  readonly partitionRenewMs: number;
  readonly claimLeaseMs: number;
  /** How often peers are asked, and partitions looked at. */
  readonly ownershipTickMs: number;
  /** How often sessions with claims are asked whether they live. */
  readonly sessionPingMs: number;
  /** An own connection younger than that proves nothing about others. */
  readonly stableConnectionMs: number;
  /** Most commands in one transaction. */
  readonly batchCommands: number;
  /** Most bytes of events in one transaction. */
  readonly batchBytes: number;
  /** Events of a run after which it gets a new checkpoint. */
  readonly checkpointEvents: number;
  /** Memory for resident runs. */
  readonly residentBytes: number;
  /** Most offers of one activity that may be out and not yet claimed. */
  readonly offersPerKey: number;
  /** How long outstanding offers may show no progress before the queue is asked what it still has. */
  readonly offerPatienceMs: number;
}

export function engineConfig(
  given: Pick<EngineConfig, 'partitions' | 'member' | 'members'> & Partial<EngineConfig>,
): EngineConfig {
  return {
    partitionLeaseMs: POLICIES.partitionLeaseMs,
    partitionRenewMs: POLICIES.partitionRenewMs,
    claimLeaseMs: POLICIES.claimLeaseMs,
    ownershipTickMs: 500,
    sessionPingMs: 1000,
    stableConnectionMs: 5000,
    batchCommands: 256,
    batchBytes: 4 * 1024 * 1024,
    checkpointEvents: POLICIES.checkpointEvents,
    residentBytes: 256 * 1024 * 1024,
    offersPerKey: 512,
    offerPatienceMs: 5000,
    ...given,
  };
}
