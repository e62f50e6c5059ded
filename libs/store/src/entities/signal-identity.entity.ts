import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** A signal that was accepted: the same one again gets the first receipt. */
@Entity({ name: 'signal_identity', synchronize: false })
export class SignalIdentityEntity {
  @PrimaryColumn({ name: 'workflow_id', type: 'uuid' })
  workflowId!: string;

  @PrimaryColumn({ type: 'text' })
  signal!: string;

  /** Chosen by the sender. */
  @PrimaryColumn({ type: 'text' })
  event!: string;

  /** Digest of key and payload. */
  @Column({ type: 'text' })
  digest!: string;

  /** Run that accepted it, */
  @Column({ type: 'uuid' })
  run!: string;

  /** and the version of its definition: what the first receipt said. */
  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'bigint', transformer: safeInteger })
  at!: number;
}
