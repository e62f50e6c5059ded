import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { RunRowStatus } from '../contract.js';
import { safeInteger } from './safe-integer.js';

/** What lists and look-ups need of a run. Written at admission and when the status changes, not with each command. */
@Entity({ name: 'run', synchronize: false })
@Unique(['workflowId', 'ordinal'])
@Index('run_by_age', ['namespace', 'createdAt', 'run'])
export class RunEntity {
  @PrimaryColumn({ type: 'uuid' })
  run!: string;

  /** 32 hex digits, stored as their 16 bytes. */
  @Column({ name: 'workflow_id', type: 'uuid' })
  workflowId!: string;

  @Column({ type: 'integer' })
  ordinal!: number;

  @Column({ type: 'integer' })
  partition!: number;

  @Column({ type: 'varchar', length: 64 })
  namespace!: string;

  @Column({ type: 'varchar', length: 64 })
  workflow!: string;

  @Column({ type: 'integer' })
  version!: number;

  /** Digest of the artifact that the run is pinned to. */
  @Column({ type: 'text' })
  digest!: string;

  @Column({ name: 'start_key', type: 'varchar', length: 128, nullable: true })
  startKey!: string | null;

  @Column({ name: 'start_digest', type: 'text' })
  startDigest!: string;

  @Column({ type: 'text' })
  status!: RunRowStatus;

  @Column({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;

  @Column({ name: 'ended_at', type: 'bigint', nullable: true, transformer: safeInteger })
  endedAt!: number | null;
}
