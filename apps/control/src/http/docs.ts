/** `/openapi.json` and the reference page `/docs`, all from this process: a machine without internet can read them. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi.js';

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Graphrun HTTP API</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <main id="reference"></main>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `window.SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;

/** The page runs scripts of this server only. Swagger UI sets inline styles and shows data: images. */
const CONTENT_SECURITY_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

export function registerDocs(fastify: FastifyInstance, app: INestApplication): void {
  let document: string | null = null;
  // Made when first asked for: it takes time that a start should not pay.
  fastify.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(app));
    return reply.type('application/json').send(document);
  });
  fastify.get('/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_SECURITY_POLICY).send(PAGE),
  );
  fastify.get('/docs/start.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const [name, mediaType] of Object.entries(ASSETS)) {
    fastify.get(`/docs/${name}`, async (_request, reply) =>
      reply
        .type(mediaType)
        .header('cache-control', 'max-age=86400')
        .send(await readFile(join(assetFolder(), name))),
    );
  }
}

/** Swagger UI comes with @nestjs/swagger. */
function assetFolder(): string {
  const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
}
