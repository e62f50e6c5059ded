import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** A published schema. Immutable. */
@Entity({ name: 'schema_entry', synchronize: false })
export class SchemaEntryEntity {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  namespace!: string;

  /** `<name>/v<version>`. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ name: 'published_at', type: 'bigint', transformer: safeInteger })
  publishedAt!: number;

  /** JSON text. */
  @Column({ type: 'text' })
  content!: string;
}

/** A published contract of an activity. Immutable. */
@Entity({ name: 'contract', synchronize: false })
export class ContractEntity {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  namespace!: string;

  @PrimaryColumn({ type: 'varchar', length: 64 })
  name!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ name: 'published_at', type: 'bigint', transformer: safeInteger })
  publishedAt!: number;

  /** JSON text of a `Contract`. */
  @Column({ type: 'text' })
  content!: string;
}

/** A published reconciler. Immutable. */
@Entity({ name: 'reconciler', synchronize: false })
export class ReconcilerEntity {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  namespace!: string;

  @PrimaryColumn({ type: 'varchar', length: 64 })
  name!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ name: 'published_at', type: 'bigint', transformer: safeInteger })
  publishedAt!: number;

  /** JSON text of a `Reconciler`. */
  @Column({ type: 'text' })
  content!: string;
}
