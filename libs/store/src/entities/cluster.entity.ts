import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** The one row that says what this store is. */
@Entity({ name: 'cluster', synchronize: false })
export class ClusterEntity {
  @PrimaryColumn({ type: 'boolean' })
  singleton!: true;

  /** Streams and subjects carry it; a restore gives a new one. */
  @Column({ type: 'uuid' })
  id!: string;

  /** Format of the stored data. A binary refuses a store whose format is newer than its own. */
  @Column({ type: 'integer' })
  format!: number;

  /** Fixed by the first start; null before it. */
  @Column({ name: 'partition_count', type: 'integer', nullable: true })
  partitionCount!: number | null;

  @Column({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;
}
