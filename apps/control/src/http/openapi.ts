/** The OpenAPI 3.1 document, from the decorators of the controllers. */
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SCHEMAS } from './schemas.js';

export function openApiDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Graphrun')
    .setDescription('Start, watch and control durable runs. Errors are RFC 9457 problem documents.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key; not needed on loopback without keys.' })
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, base, { operationIdFactory: (_controller, method) => method });
  // Swagger types schemas as OpenAPI 3.0; these are JSON Schema 2020-12, as 3.1 takes them.
  return { ...document, components: { ...document.components, schemas: SCHEMAS } };
}
