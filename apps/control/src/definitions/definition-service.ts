/** Definitions: compiled against the published catalog, immutable by name and version (spec 01 "Publication"). */
import type { Annotations, Artifact, Diagnostic, Json } from '@graphrun/dsl';
import { checkArtifact, checkValue, compileYaml } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { DefinitionRow, QueryStore } from '@graphrun/store';
import { NAMESPACE } from '../config.js';
import { invalid } from '../http/problem.js';
import type { CatalogService } from './catalog-service.js';
import { DefinitionGraphs } from './definition-graph.js';
import type { GraphOptions, Picture } from './definition-graph.js';
import { diagnosticView } from './diagnostic-view.js';
import type { DiagnosticView } from './diagnostic-view.js';
import { documentText } from './document-text.js';

export interface DefinitionView {
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  /** UTC ms. */
  readonly published_at: number;
}

export interface DefinitionPublished extends DefinitionView {
  /** What the compiler says about a document that it accepted. */
  readonly warnings: readonly DiagnosticView[];
}

export interface DefinitionDetails extends DefinitionView {
  readonly artifact: Artifact;
  /** The document as it was published first; null when that was an artifact. */
  readonly source: string | null;
  /** Descriptions and labels by their place in the definition; none when an artifact was published. */
  readonly annotations: Annotations;
}

export class DefinitionService {
  readonly #graphs = new DefinitionGraphs();

  constructor(
    private readonly query: QueryStore,
    private readonly catalogs: CatalogService,
  ) {}

  /** Throws `InvalidArgument` with diagnostics, `AlreadyExists` when the version has another digest. */
  async publishYaml(yaml: string, file: string): Promise<DefinitionPublished> {
    const result = compileYaml(yaml, { catalog: await this.catalogs.current(), file });
    if (!result.ok) throw notValid(result.diagnostics, file);
    const { artifact, annotations, warnings } = result;
    checkStorable(yaml);
    const row = await this.query.publishDefinition(NAMESPACE, artifact, { source: yaml, annotations });
    return { ...definitionView(row), warnings: warnings.map(diagnosticView) };
  }

  /** Publishes a document that is plain JSON. Diagnostics point into its text, laid out in lines. */
  publishDocument(document: Readonly<Record<string, Json>>, file: string): Promise<DefinitionPublished> {
    return this.publishYaml(documentText(document), file);
  }

  /** Publishes an artifact with the contracts and schemas that it brings along. */
  async publishArtifact(value: unknown): Promise<DefinitionPublished> {
    const artifact = checkArtifact(value);
    if ('message' in artifact) {
      throw invalid([{ pointer: `/artifact${artifact.pointer}`, message: artifact.message }]);
    }
    const { schemas, contracts } = artifact;
    await this.catalogs.publish({ schemas, contracts: Object.values(contracts), reconcilers: [] });
    return { ...definitionView(await this.query.publishDefinition(NAMESPACE, artifact)), warnings: [] };
  }

  async list(workflow: string | null): Promise<readonly DefinitionView[]> {
    const rows = await this.query.definitions(NAMESPACE, workflow ?? undefined);
    if (rows.length === 0 && workflow !== null) throw notFound(workflow, null);
    return rows.map(definitionView);
  }

  /** One version (null: the latest) with its artifact and what was written. Throws `NotFound`. */
  async read(workflow: string, version: number | null): Promise<DefinitionDetails> {
    const row = await this.#resolve(workflow, version);
    const [artifact, written] = await Promise.all([
      this.query.artifact(row.digest),
      this.query.writtenDefinition(NAMESPACE, workflow, row.version),
    ]);
    if (artifact === null || written === null) throw notFound(workflow, version);
    return { ...definitionView(row), artifact, source: written.source, annotations: written.annotations ?? {} };
  }

  /** The picture of one version (null: the latest). Throws `NotFound`. */
  async graph(workflow: string, version: number | null, options: GraphOptions): Promise<Picture> {
    const row = await this.#resolve(workflow, version);
    return this.#graphs.picture(workflow, row.version, options, async () => {
      const { artifact, annotations } = await this.read(workflow, row.version);
      return { definition: artifact.definition, annotations };
    });
  }

  async #resolve(workflow: string, version: number | null): Promise<DefinitionRow> {
    const row = await this.query.resolveVersion(NAMESPACE, workflow, version);
    if (row === null) throw notFound(workflow, version);
    return row;
  }
}

function definitionView(row: DefinitionRow): DefinitionView {
  return { workflow: row.workflow, version: row.version, digest: row.digest, published_at: row.publishedAt };
}

function notValid(diagnostics: readonly Diagnostic[], file: string): GraphrunError {
  const [first] = diagnostics;
  const count = diagnostics.length;
  return new GraphrunError(
    'InvalidArgument',
    `The definition is not valid: ${count} ${count === 1 ? 'error' : 'errors'}, first ${first?.file ?? file}:${first?.line ?? 1}:${first?.column ?? 1} ${first?.code ?? ''} ${first?.message ?? ''}.`,
    { details: { diagnostics: diagnostics.map(diagnosticView) } },
  );
}

/** The compiler checks every value, but the text is kept with its comments. */
function checkStorable(yaml: string): void {
  const issue = checkValue(yaml, { maxBytes: Number.MAX_SAFE_INTEGER });
  if (issue !== null) throw new GraphrunError('InvalidArgument', `The text of the definition ${issue.message}.`);
}

function notFound(workflow: string, version: number | null): GraphrunError {
  const which = version === null ? workflow : `${workflow} version ${version}`;
  return new GraphrunError('NotFound', `There is no definition ${which}; GET /v1/definitions lists what is published.`);
}
