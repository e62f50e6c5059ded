/** `/v1/catalogs`. */
import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ControlServices } from '../../services.js';
import { jsonText } from '../body.js';
import { Operation } from '../operation.js';
import { anyObject } from '../shape/scalars.js';

@ApiTags('definitions')
@Controller('v1/catalogs')
export class CatalogsController {
  constructor(private readonly services: ControlServices) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Publish schemas and contracts',
    description:
      'The body is a graphrun.catalog/v1 document. Entries are immutable by name and version; equal ones are left as they are. All or nothing.',
    body: anyObject,
    answers: { 200: ['CatalogPublished', 'What the catalog holds is published'] },
    problems: ['InvalidArgument', 'AlreadyExists'],
    alsoStatuses: [413, 415],
  })
  publishCatalog(@Req() request: FastifyRequest) {
    return this.services.catalogs.publishText(jsonText(request), 'catalog.json');
  }

  @Get()
  @Operation({
    summary: 'All published schemas and contracts',
    answers: { 200: ['Catalog', 'A graphrun.catalog/v1 document'] },
  })
  readCatalog() {
    return this.services.catalogs.view();
  }
}
