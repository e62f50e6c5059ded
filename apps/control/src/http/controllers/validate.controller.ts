/** `/v1/validate`. */
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import { documentText } from '../../definitions/document-text.js';
import { validate, validateText } from '../../definitions/validate.js';
import { ControlServices } from '../../services.js';
import { jsonBody } from '../body.js';
import { Operation } from '../operation.js';
import { invalid } from '../problem.js';
import { anyObject, fileName, workflowDocument, yamlText } from '../shape/scalars.js';
import { object, optional } from '../shape/shape.js';

const validateBody = object({
  yaml: optional(yamlText(LIMITS.yamlBytes), null),
  document: optional(workflowDocument, null),
  file: optional(fileName, null),
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
    description:
      'Exactly one of `yaml` and `document` (what the YAML would say, as JSON), against the catalog of the request or the published one. Stores nothing.',
    body: validateBody,
    answers: { 200: ['Validation', 'The verdict with all diagnostics'] },
    problems: ['InvalidArgument'],
    alsoStatuses: [413, 415],
  })
  async validate(@Req() request: FastifyRequest) {
    const { yaml, document, file, catalog } = jsonBody(request, validateBody);
    const [text, name] = textToValidate(yaml, document);
    if (catalog === null) return validate(text, file ?? name, await this.services.catalogs.current());
    // Laid out in lines, so that diagnostics of the catalog can point into it.
    return validateText(text, file ?? name, JSON.stringify(catalog, null, 2), 'catalog.json');
  }
}

/** The text of the document and the name it goes by. */
function textToValidate(yaml: string | null, document: Readonly<Record<string, Json>> | null) {
  if (yaml !== null && document === null) return [yaml, 'workflow.yaml'] as const;
  if (document !== null && yaml === null) return [documentText(document), 'workflow.json'] as const;
  throw invalid([{ pointer: '', message: 'must hold exactly one of yaml and document' }]);
}
