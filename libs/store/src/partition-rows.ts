import type { PartitionRow } from './contract.js';

/** A partition's row as the driver gives it: bigint as text. */
export interface RawPartition {
  readonly partition: number;
  readonly epoch: string;
  readonly incarnation: number;
  readonly commit_no: string;
  readonly position_seq: string;
  readonly position_id: string;
  readonly position_at: string;
  readonly engine_time: string;
  readonly owner: string | null;
  readonly backend_pid: number | null;
  readonly lease_until: string;
  readonly takeovers_here: number;
  readonly started_seq: string;
  readonly started_times: number;
  readonly paused: boolean;
}

export function partitionRow(raw: RawPartition): PartitionRow {
  return {
    partition: raw.partition,
    epoch: Number(raw.epoch),
    incarnation: raw.incarnation,
    commitNo: Number(raw.commit_no),
    position: { seq: Number(raw.position_seq), messageId: raw.position_id, timestamp: Number(raw.position_at) },
    engineTime: Number(raw.engine_time),
    owner: raw.owner,
    backendPid: raw.backend_pid,
    leaseUntil: Number(raw.lease_until),
    takeoversHere: raw.takeovers_here,
    started: { seq: Number(raw.started_seq), times: raw.started_times },
    paused: raw.paused,
  };
}
