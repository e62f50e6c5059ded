/** `/v1/validate`. */
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '@graphrun/dsl';
import { validate, validateText } from '../../definitions/validate.js';
import { ControlServices } from '../../services.js';
import { jsonBody } from '../body.js';
import { Operation } from '../operation.js';
import { anyObject, fileName, yamlText } from '../shape/scalars.js';
import { object, optional, required } from '../shape/shape.js';

const validateBody = object({
  yaml: required(yamlText(LIMITS.yamlBytes)),
  file: optional(fileName, 'workflow.yaml'),
  catalog: optional(anyObject, null),
});

@ApiTags('definitions')
@Controller('v1/validate')
export class ValidateController {
  constructor(private readonly services: ControlServices) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Check a definition',
    description: 'Against the catalog of the request, or the published one. Stores nothing.',
    body: validateBody,
    answers: { 200: ['Validation', 'The verdict with all diagnostics'] },
    problems: ['InvalidArgument'],
    alsoStatuses: [413, 415],
  })
  async validate(@Req() request: FastifyRequest) {
    const { yaml, file, catalog } = jsonBody(request, validateBody);
    if (catalog === null) return validate(yaml, file, await this.services.catalogs.current());
    // Laid out in lines, so that diagnostics of the catalog can point into it.
    return validateText(yaml, file, JSON.stringify(catalog, null, 2), 'catalog.json');
  }
}
