/** `/v1/definitions`. */
import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '@graphrun/dsl';
import { ControlServices } from '../../services.js';
import { jsonBody, pathParameter, yamlBody } from '../body.js';
import { Operation } from '../operation.js';
import { invalid } from '../problem.js';
import { anyObject, fileName, name, versionText, yamlText } from '../shape/scalars.js';
import { object, optional } from '../shape/shape.js';

const definitionBody = object({
  yaml: optional(yamlText(LIMITS.yamlBytes), null),
  artifact: optional(anyObject, null),
  file: optional(fileName, 'workflow.yaml'),
});

@ApiTags('definitions')
@Controller('v1/definitions')
export class DefinitionsController {
  constructor(private readonly services: ControlServices) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Publish a definition',
    description:
      'YAML text as application/yaml, or JSON with exactly one of `yaml` and `artifact`. The same content again is a no-op.',
    body: definitionBody,
    yaml: true,
    answers: { 200: ['Definition', 'It is published'] },
    problems: ['InvalidArgument', 'AlreadyExists'],
    alsoStatuses: [413, 415],
  })
  publishDefinition(@Req() request: FastifyRequest) {
    const { definitions } = this.services;
    const text = yamlBody(request);
    if (text !== null) return definitions.publishYaml(text, 'workflow.yaml');
    const { yaml, artifact, file } = jsonBody(request, definitionBody);
    if (yaml !== null && artifact === null) return definitions.publishYaml(yaml, file);
    if (artifact !== null && yaml === null) return definitions.publishArtifact(artifact);
    throw invalid([{ pointer: '', message: 'must hold exactly one of yaml and artifact' }]);
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
    summary: 'One version with its artifact',
    path: { name, version: versionText },
    answers: { 200: ['DefinitionArtifact', 'The artifact: definition, contracts and schemas'] },
    problems: ['InvalidArgument', 'NotFound'],
  })
  readDefinition(@Param('name') workflow: string, @Param('version') version: string) {
    return this.services.definitions.read(
      pathParameter('name', workflow, name),
      pathParameter('version', version, versionText),
    );
  }
}
