import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** A run that cannot be loaded, and why. */
@Entity({ name: 'unrecoverable', synchronize: false })
export class UnrecoverableEntity {
  @PrimaryColumn({ type: 'uuid' })
  run!: string;

  @Column({ type: 'integer' })
  partition!: number;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'bigint', transformer: safeInteger })
  since!: number;

  @Column({ type: 'integer' })
  attempts!: number;
}
