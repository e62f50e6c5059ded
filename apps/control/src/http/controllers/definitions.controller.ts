/** `/v1/definitions`. */
import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { THEMES } from '@graphrun/diagram';
import { LIMITS } from '@graphrun/dsl';
import { GRAPH_FORMATS, GRAPH_MEDIA_TYPES } from '../../definitions/definition-graph.js';
import type { GraphOptions } from '../../definitions/definition-graph.js';
import { ControlServices } from '../../services.js';
import { jsonBody, pathParameter, queryShape, yamlBody } from '../body.js';
import { Operation } from '../operation.js';
import { invalid } from '../problem.js';
import { anyObject, fileName, name, oneOf, versionText, workflowDocument, yamlText } from '../shape/scalars.js';
import { object, optional } from '../shape/shape.js';

const definitionBody = object({
  yaml: optional(yamlText(LIMITS.yamlBytes), null),
  document: optional(workflowDocument, null),
  artifact: optional(anyObject, null),
  file: optional(fileName, null),
});

const graphQuery = {
  format: optional(oneOf(GRAPH_FORMATS), 'svg' as const),
  theme: optional(oneOf(THEMES), 'auto' as const),
};
const readGraphQuery = queryShape<GraphOptions>(graphQuery);

/** A picture that is opened as a page of its own runs nothing, loads nothing and belongs to no origin. */
const PICTURE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

@ApiTags('definitions')
@Controller('v1/definitions')
export class DefinitionsController {
  constructor(private readonly services: ControlServices) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Publish a definition',
    description:
      'YAML text as application/yaml, or JSON with exactly one of `yaml`, `document` (what the YAML would say, as JSON) and `artifact`. The same content again is a no-op.',
    body: definitionBody,
    yaml: true,
    answers: { 200: ['DefinitionPublished', 'It is published'] },
    problems: ['InvalidArgument', 'AlreadyExists'],
    alsoStatuses: [413, 415],
  })
  publishDefinition(@Req() request: FastifyRequest) {
    const { definitions } = this.services;
    const text = yamlBody(request);
    if (text !== null) return definitions.publishYaml(text, 'workflow.yaml');
    const { yaml, document, artifact, file } = jsonBody(request, definitionBody);
    if ([yaml, document, artifact].filter((form) => form !== null).length === 1) {
      if (yaml !== null) return definitions.publishYaml(yaml, file ?? 'workflow.yaml');
      if (document !== null) return definitions.publishDocument(document, file ?? 'workflow.json');
      if (artifact !== null) return definitions.publishArtifact(artifact);
    }
    throw invalid([{ pointer: '', message: 'must hold exactly one of yaml, document and artifact' }]);
  }

  @Get()
  @Operation({ summary: 'All published definitions', answers: { 200: ['DefinitionList', 'By name and version'] } })
  async listDefinitions() {
    return { definitions: await this.services.definitions.list(null) };
  }

  @Get(':name')
  @Operation({
    summary: 'Versions of a workflow',
    path: { name },
    answers: { 200: ['DefinitionList', 'By version'] },
    problems: ['InvalidArgument', 'NotFound'],
  })
  async listVersions(@Param('name') workflow: string) {
    return { definitions: await this.services.definitions.list(pathParameter('name', workflow, name)) };
  }

  @Get(':name/:version')
  @Operation({
    summary: 'One version with its artifact and its source',
    path: { name, version: versionText },
    answers: { 200: ['DefinitionDetails', 'What is executed, and what was written'] },
    problems: ['InvalidArgument', 'NotFound'],
  })
  readDefinition(@Param('name') workflow: string, @Param('version') version: string) {
    return this.services.definitions.read(
      pathParameter('name', workflow, name),
      pathParameter('version', version, versionText),
    );
  }

  @Get(':name/:version/graph')
  @Operation({
    summary: 'A picture of one version',
    description: 'The theme is that of an SVG; `auto` follows what the viewer prefers.',
    path: { name, version: versionText },
    query: graphQuery,
    answers: {},
    texts: {
      mediaTypes: Object.values(GRAPH_MEDIA_TYPES),
      description: 'The picture, in the format that was asked for',
    },
    problems: ['InvalidArgument', 'NotFound'],
  })
  async drawDefinition(
    @Param('name') workflow: string,
    @Param('version') version: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { mediaType, text } = await this.services.definitions.graph(
      pathParameter('name', workflow, name),
      pathParameter('version', version, versionText),
      readGraphQuery(request),
    );
    void reply.headers(PICTURE_HEADERS).type(`${mediaType}; charset=utf-8`).send(text);
  }
}
