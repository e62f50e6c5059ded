import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** A command that could not be applied, kept with its error for an operator. */
@Entity({ name: 'quarantine', synchronize: false })
export class QuarantineEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'integer' })
  partition!: number;

  @Column({ type: 'integer' })
  incarnation!: number;

  @Column({ type: 'bigint', transformer: safeInteger })
  seq!: number;

  @Column({ type: 'uuid', nullable: true })
  run!: string | null;

  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'text' })
  principal!: string;

  /** The command as logged; NUL and lone surrogates as their JSON escapes. */
  @Column({ type: 'text' })
  data!: string;

  @Column({ type: 'text' })
  error!: string;

  @Column({ type: 'bigint', transformer: safeInteger })
  at!: number;
}
