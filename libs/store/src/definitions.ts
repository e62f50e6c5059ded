import { isDeepStrictEqual } from 'node:util';
import type { Annotations, Artifact } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { DefinitionRow, WrittenDefinition } from './contract.js';
import { ArtifactEntity, DefinitionEntity } from './entities/definition.entity.js';
import type { Reader } from './reader.js';

/** Published definitions and their artifacts. Both are immutable. */
export class Definitions {
  constructor(private readonly reader: Reader) {}

  publish(
    namespace: string,
    artifact: Artifact,
    { source, annotations }: WrittenDefinition = NOTHING_WRITTEN,
  ): Promise<DefinitionRow> {
    const { id: workflow, version } = artifact.definition;
    return this.reader.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO graphrun.artifact (digest, published_at, content) VALUES ($1, graphrun.clock_ms(), $2)
         ON CONFLICT (digest) DO NOTHING`,
        [artifact.digest, JSON.stringify(artifact)],
      );
      await manager.query(
        `INSERT INTO graphrun.definition (namespace, workflow, version, digest, published_at, source, annotations)
         VALUES ($1, $2, $3, $4, graphrun.clock_ms(), $5, $6)
         ON CONFLICT (namespace, workflow, version) DO NOTHING`,
        [
          namespace,
          workflow,
          version,
          artifact.digest,
          source,
          annotations === null ? null : JSON.stringify(annotations),
        ],
      );
      // What stands there now is ours, or was there before.
      const stored = await manager.findOneByOrFail(DefinitionEntity, { namespace, workflow, version });
      if (stored.digest !== artifact.digest) {
        throw new GraphrunError(
          'AlreadyExists',
          `Workflow ${workflow} version ${version} is published in namespace ${namespace} with other content: ` +
            'publish the change under a new version.',
          { details: { workflow, version, published: stored.digest, offered: artifact.digest } },
        );
      }
      const [content] = await manager.query<{ content: string }[]>(
        'SELECT content FROM graphrun.artifact WHERE digest = $1',
        [artifact.digest],
      );
      if (content === undefined || !isDeepStrictEqual(JSON.parse(content.content), asStored(artifact))) {
        throw new GraphrunError(
          'AlreadyExists',
          `An artifact with digest ${artifact.digest} is stored with other content: compile the definition again.`,
          { details: { digest: artifact.digest } },
        );
      }
      return definitionRow(stored);
    });
  }

  list(namespace: string, workflow?: string): Promise<readonly DefinitionRow[]> {
    return this.reader.guarded(async () => {
      const found = await this.reader.dataSource.getRepository(DefinitionEntity).find({
        where: workflow === undefined ? { namespace } : { namespace, workflow },
        order: { workflow: 'ASC', version: 'ASC' },
      });
      return found.map(definitionRow);
    });
  }

  /** Of one version, or of the latest one when `version` is null. Asked for each batch with starts. */
  async resolve(namespace: string, workflow: string, version: number | null): Promise<DefinitionRow | null> {
    const [found] = await this.reader.prepared<RawDefinition>(
      'resolve',
      `SELECT version, digest, published_at FROM graphrun.definition
        WHERE namespace = $1 AND workflow = $2 AND version <= $3
        ORDER BY version DESC LIMIT 1`,
      [namespace, workflow, version ?? HIGHEST_VERSION],
    );
    if (found === undefined || (version !== null && found.version !== version)) return null;
    const { digest, published_at: publishedAt } = found;
    return { namespace, workflow, version: found.version, digest, publishedAt: Number(publishedAt) };
  }

  async written(namespace: string, workflow: string, version: number): Promise<WrittenDefinition | null> {
    const [found] = await this.reader.rows<{ source: string | null; annotations: string | null }>(
      'SELECT source, annotations FROM graphrun.definition WHERE namespace = $1 AND workflow = $2 AND version = $3',
      [namespace, workflow, version],
    );
    if (found === undefined) return null;
    const { source, annotations } = found;
    return { source, annotations: annotations === null ? null : (JSON.parse(annotations) as Annotations) };
  }

  artifact(digest: string): Promise<Artifact | null> {
    return this.reader.guarded(async () => {
      const found = await this.reader.dataSource.getRepository(ArtifactEntity).findOneBy({ digest });
      return found === null ? null : (JSON.parse(found.content) as Artifact);
    });
  }
}

const NOTHING_WRITTEN: WrittenDefinition = { source: null, annotations: null };

interface RawDefinition {
  readonly version: number;
  readonly digest: string;
  readonly published_at: string;
}

/** No version is above it: the column is an integer. */
const HIGHEST_VERSION = 2 ** 31 - 1;

/** As it looks after a way through JSON, so that an absent and an undefined field are the same. */
function asStored(artifact: Artifact): unknown {
  return JSON.parse(JSON.stringify(artifact));
}

function definitionRow(entity: DefinitionEntity): DefinitionRow {
  const { namespace, workflow, version, digest, publishedAt } = entity;
  return { namespace, workflow, version, digest, publishedAt };
}
