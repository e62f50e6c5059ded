import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** One row for each partition: who owns it and how far it is. The guard of each commit moves it. */
@Entity({ name: 'partition', synchronize: false })
export class PartitionEntity {
  @PrimaryColumn({ type: 'integer' })
  partition!: number;

  @Column({ type: 'bigint', transformer: safeInteger })
  epoch!: number;

  @Column({ type: 'integer' })
  incarnation!: number;

  @Column({ name: 'commit_no', type: 'bigint', transformer: safeInteger })
  commitNo!: number;

  @Column({ name: 'position_seq', type: 'bigint', transformer: safeInteger })
  positionSeq!: number;

  @Column({ name: 'position_id', type: 'text' })
  positionId!: string;

  @Column({ name: 'position_at', type: 'bigint', transformer: safeInteger })
  positionAt!: number;

  @Column({ name: 'engine_time', type: 'bigint', transformer: safeInteger })
  engineTime!: number;

  @Column({ type: 'text', nullable: true })
  owner!: string | null;

  /** Backend of the owner's apply connection: what a successor terminates. */
  @Column({ name: 'backend_pid', type: 'integer', nullable: true })
  backendPid!: number | null;

  @Column({ name: 'lease_until', type: 'bigint', transformer: safeInteger })
  leaseUntil!: number;

  /** Takeovers in a row that found the same position; 0 once the position has moved. */
  @Column({ name: 'takeovers_here', type: 'integer' })
  takeoversHere!: number;

  /** Command that was begun alone last, and how often. */
  @Column({ name: 'started_seq', type: 'bigint', transformer: safeInteger })
  startedSeq!: number;

  @Column({ name: 'started_times', type: 'integer' })
  startedTimes!: number;

  @Column({ type: 'boolean' })
  paused!: boolean;
}
