import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** The events of one run in one commit: the truth about the run. Never changed, removed only by retention. */
@Entity({ name: 'event', synchronize: false })
export class EventEntity {
  @PrimaryColumn({ type: 'uuid' })
  run!: string;

  /** Sequence of the first event in `data`. */
  @PrimaryColumn({ type: 'integer' })
  seq!: number;

  @Column({ type: 'integer' })
  count!: number;

  @Column({ type: 'bigint', transformer: safeInteger })
  at!: number;

  /** JSON array of `RunEvent`s from `seq` to `seq + count - 1`. */
  @Column({ type: 'text' })
  data!: string;
}
