import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './safe-integer.js';

/** A compiled definition with all it refers to, by its digest. Immutable; runs refer to it for ever. */
@Entity({ name: 'artifact', synchronize: false })
export class ArtifactEntity {
  @PrimaryColumn({ type: 'text' })
  digest!: string;

  @Column({ name: 'published_at', type: 'bigint', transformer: safeInteger })
  publishedAt!: number;

  /** JSON text of an `Artifact`. */
  @Column({ type: 'text' })
  content!: string;
}

/** Which artifact a version of a workflow is. Immutable. */
@Entity({ name: 'definition', synchronize: false })
export class DefinitionEntity {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  namespace!: string;

  @PrimaryColumn({ type: 'varchar', length: 64 })
  workflow!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ type: 'text' })
  digest!: string;

  @Column({ name: 'published_at', type: 'bigint', transformer: safeInteger })
  publishedAt!: number;

  /** The document as it was published; null when an artifact was. Large, so it is read only where it is asked for. */
  @Column({ type: 'text', nullable: true, select: false })
  source!: string | null;

  /** JSON text of the `Annotations` of the document; null when an artifact was published. Read like `source`. */
  @Column({ type: 'text', nullable: true, select: false })
  annotations!: string | null;
}
