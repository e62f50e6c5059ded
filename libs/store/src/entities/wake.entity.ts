import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** One row for each run that has not ended: why it will go on, and when at the earliest. Recovery starts here. */
@Entity({ name: 'wake', synchronize: false })
export class WakeEntity {
  @PrimaryColumn({ type: 'integer' })
  partition!: number;

  @PrimaryColumn({ type: 'uuid' })
  run!: string;

  @Column({ name: 'due_at', type: 'bigint', nullable: true, transformer: safeInteger })
  dueAt!: number | null;

  /** A set of letters, see `WakeRow`. */
  @Column({ type: 'text' })
  kinds!: string;
}
