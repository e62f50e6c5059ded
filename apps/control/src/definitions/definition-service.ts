/** Definitions: compiled against the published catalog, immutable by name and version (spec 01 "Publication"). */
import type { Artifact } from '@graphrun/dsl';
import { checkArtifact, compileYaml } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { DefinitionRow, QueryStore } from '@graphrun/store';
import { NAMESPACE } from '../config.js';
import { invalid } from '../http/problem.js';
import type { CatalogService } from './catalog-service.js';
import { diagnosticView } from './diagnostic-view.js';

export interface DefinitionView {
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  /** UTC ms. */
  readonly published_at: number;
}

export class DefinitionService {
  constructor(
    private readonly query: QueryStore,
    private readonly catalogs: CatalogService,
  ) {}

  /** Throws `InvalidArgument` with diagnostics, `AlreadyExists` when the version has another digest. */
  async publishYaml(yaml: string, file: string): Promise<DefinitionView> {
    const result = compileYaml(yaml, { catalog: await this.catalogs.current(), file });
    if (result.ok) return definitionView(await this.query.publishDefinition(NAMESPACE, result.artifact));
    const [first] = result.diagnostics;
    const count = result.diagnostics.length;
    throw new GraphrunError(
      'InvalidArgument',
      `The definition is not valid: ${count} ${count === 1 ? 'error' : 'errors'}, first ${first?.file ?? file}:${first?.line ?? 1}:${first?.column ?? 1} ${first?.code ?? ''} ${first?.message ?? ''}.`,
      { details: { diagnostics: result.diagnostics.map(diagnosticView) } },
    );
  }

  /** Publishes an artifact with the contracts and schemas that it brings along. */
  async publishArtifact(value: unknown): Promise<DefinitionView> {
    const artifact = checkArtifact(value);
    if ('message' in artifact) {
      throw invalid([{ pointer: `/artifact${artifact.pointer}`, message: artifact.message }]);
    }
    await this.catalogs.publish({ schemas: artifact.schemas, contracts: Object.values(artifact.contracts) });
    return definitionView(await this.query.publishDefinition(NAMESPACE, artifact));
  }

  async list(workflow: string | null): Promise<readonly DefinitionView[]> {
    const rows = await this.query.definitions(NAMESPACE, workflow ?? undefined);
    if (rows.length === 0 && workflow !== null) throw notFound(workflow, null);
    return rows.map(definitionView);
  }

  /** One version (null: the latest) with its artifact. Throws `NotFound`. */
  async read(workflow: string, version: number | null): Promise<DefinitionView & { readonly artifact: Artifact }> {
    const row = await this.query.resolveVersion(NAMESPACE, workflow, version);
    const artifact = row === null ? null : await this.query.artifact(row.digest);
    if (row === null || artifact === null) throw notFound(workflow, version);
    return { ...definitionView(row), artifact };
  }
}

function definitionView(row: DefinitionRow): DefinitionView {
  return { workflow: row.workflow, version: row.version, digest: row.digest, published_at: row.publishedAt };
}

function notFound(workflow: string, version: number | null): GraphrunError {
  const which = version === null ? workflow : `${workflow} version ${version}`;
  return new GraphrunError('NotFound', `There is no definition ${which}; GET /v1/definitions lists what is published.`);
}
