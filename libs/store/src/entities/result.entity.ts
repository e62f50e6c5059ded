import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** The answer to a client's command, given again to every copy of it. Stored in partitions by UTC day. */
@Entity({ name: 'result', synchronize: false })
export class ResultEntity {
  @PrimaryColumn({ type: 'integer' })
  partition!: number;

  @PrimaryColumn({ type: 'text' })
  principal!: string;

  @PrimaryColumn({ name: 'command_id', type: 'text' })
  commandId!: string;

  @PrimaryColumn({ type: 'bigint', transformer: safeInteger })
  at!: number;

  /** Digest of the request as sent. */
  @Column({ type: 'text' })
  digest!: string;

  /** JSON text of a `CommandResult`. */
  @Column({ type: 'text' })
  result!: string;
}
