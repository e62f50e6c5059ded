/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { OpenApiChecker } from '../spec/openapi-checker.js';
import { ask } from '../spec/request.js';
import type { Asked } from '../spec/request.js';

const ORDER = { workflow: 'order', input: { order_id: 'o-1', amount: 1000 } };
/** Uses what goes beyond the original language, and gets a warning for its default. */
const DOCUMENT = {
  dsl: 'graphrun/v1',
  id: 'described',
  version: 1,
  description: 'gives its input back',
  input_schema: 'integer/v1',
  output_schema: 'integer/v1',
  start: 'end',
  nodes: { end: { kind: 'complete', labels: { team: 'shop' }, output: { from: 'workflow.input', default: 1 } } },
};
const RESOLVE = {
  activation: 'a1',
  resolution: { kind: 'fail', failure: { code: 'gone', message: 'it is gone' } },
  reason: 'late',
  expected_seq: 1,
};
const NO_RUN = '01900000-0000-7000-8000-000000000000';

describe('OpenAPI document', () => {
  let system: EmbeddedControl;
  // The document is what is under test.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  let document: any;
  let checker: OpenApiChecker;
  let run: string;

  beforeAll(async () => {
    system = await embeddedControl();
    checker = await OpenApiChecker.of(system.url);
    ({ document } = checker);
    run = (await ask(system.url, '/v1/runs?wait=30s', { json: ORDER, headers: { 'idempotency-key': 'c-1' } })).body.run;
  }, 60_000);

  afterAll(() => system.close());

  it('is OpenAPI 3.1 and lists exactly the paths there are', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/healthz',
      '/readyz',
      '/v1/catalogs',
      '/v1/commands/{id}',
      '/v1/definitions',
      '/v1/definitions/{name}',
      '/v1/definitions/{name}/{version}',
      '/v1/definitions/{name}/{version}/graph',
      '/v1/partitions',
      '/v1/quarantine',
      '/v1/runs',
      '/v1/runs/{id}',
      '/v1/runs/{id}/abandon',
      '/v1/runs/{id}/cancel',
      '/v1/runs/{id}/history',
      '/v1/runs/{id}/pause',
      '/v1/runs/{id}/reconstruct',
      '/v1/runs/{id}/reopen',
      '/v1/runs/{id}/resolve',
      '/v1/runs/{id}/resume',
      '/v1/runs/{id}/signals',
      '/v1/runs/{id}/terminate',
      '/v1/unrecoverable',
      '/v1/validate',
      '/v1/workers',
    ]);
  });

  it('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1],
    );
    expect(new Set(references.filter((name) => !(String(name) in document.components.schemas)))).toEqual(new Set());
  });

  it('describes the body of a definition as JSON and as the YAML text itself', () => {
    const { content } = document.paths['/v1/definitions'].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'application/yaml']);
    expect(Object.keys(content['application/json'].schema.properties)).toEqual([
      'yaml',
      'document',
      'artifact',
      'file',
    ]);
    expect(content['application/yaml'].schema.type).toBe('string');
  });

  it('describes pictures as texts of their content types', async () => {
    const { responses } = document.paths['/v1/definitions/{name}/{version}/graph'].get;
    expect(Object.keys(responses['200'].content)).toEqual(['image/svg+xml', 'text/vnd.mermaid']);
    for (const [format, mediaType] of [
      ['svg', 'image/svg+xml'],
      ['mermaid', 'text/vnd.mermaid'],
    ]) {
      const { status, headers } = await ask(system.url, `/v1/definitions/order/1/graph?format=${format}`);
      expect({ status, type: headers.get('content-type') }).toEqual({
        status: 200,
        type: `${mediaType}; charset=utf-8`,
      });
    }
  });

  const cases: readonly [string, string, Asked, number][] = [
    ['/v1/runs', '/v1/runs?wait=30s', { json: ORDER }, 200],
    ['/v1/runs', '/v1/runs', { json: ORDER }, 202],
    ['/v1/runs', '/v1/runs', { json: {} }, 400],
    ['/v1/runs', '/v1/runs', { json: { ...ORDER, workflow: 'absent' } }, 404],
    ['/v1/runs', '/v1/runs?counts=true', {}, 200],
    ['/v1/runs/{id}', '/v1/runs/$RUN', {}, 200],
    ['/v1/runs/{id}', `/v1/runs/${NO_RUN}`, {}, 404],
    ['/v1/runs/{id}/history', '/v1/runs/$RUN/history', {}, 200],
    ['/v1/runs/{id}/cancel', '/v1/runs/$RUN/cancel', { json: { reason: 'late' } }, 412],
    ['/v1/runs/{id}/signals', '/v1/runs/$RUN/signals', { json: { signal: 's', key: '', payload: null } }, 412],
    ['/v1/runs/{id}/pause', '/v1/runs/$RUN/pause', { json: { reason: 'late' } }, 412],
    ['/v1/runs/{id}/resume', '/v1/runs/$RUN/resume', { json: { reason: 'late', expected_seq: 1 } }, 412],
    ['/v1/runs/{id}/resolve', '/v1/runs/$RUN/resolve', { json: RESOLVE }, 412],
    ['/v1/runs/{id}/resolve', '/v1/runs/$RUN/resolve', { json: { ...RESOLVE, resolution: {} } }, 400],
    ['/v1/runs/{id}/abandon', `/v1/runs/${NO_RUN}/abandon`, { json: { reason: 'late', expected_seq: 1 } }, 404],
    ['/v1/runs/{id}/terminate', '/v1/runs/$RUN/terminate', { json: { reason: 'late', expected_seq: 1 } }, 412],
    ['/v1/runs/{id}/reopen', '/v1/runs/$RUN/reopen', { json: { reason: 'late', expected_seq: 1 } }, 412],
    ['/v1/commands/{id}', '/v1/commands/c-1', {}, 200],
    ['/v1/commands/{id}', '/v1/commands/c-2', {}, 404],
    ['/v1/validate', '/v1/validate', { json: { yaml: 'nothing' } }, 200],
    ['/v1/validate', '/v1/validate', { json: { document: DOCUMENT } }, 200],
    ['/v1/catalogs', '/v1/catalogs', { json: { format: 'graphrun.catalog/v1' } }, 200],
    ['/v1/catalogs', '/v1/catalogs', {}, 200],
    ['/v1/catalogs', '/v1/catalogs', { json: {} }, 400],
    ['/v1/definitions', '/v1/definitions', { json: { yaml: 'nothing' } }, 400],
    ['/v1/definitions', '/v1/definitions', { json: { document: DOCUMENT } }, 200],
    ['/v1/definitions', '/v1/definitions', {}, 200],
    ['/v1/definitions/{name}', '/v1/definitions/order', {}, 200],
    ['/v1/definitions/{name}/{version}', '/v1/definitions/order/1', {}, 200],
    ['/v1/definitions/{name}/{version}', '/v1/definitions/described/latest', {}, 200],
    ['/v1/partitions', '/v1/partitions', {}, 200],
    ['/v1/workers', '/v1/workers', {}, 200],
    ['/v1/quarantine', '/v1/quarantine', {}, 200],
    ['/v1/unrecoverable', '/v1/unrecoverable', {}, 200],
    ['/healthz', '/healthz', {}, 200],
    ['/readyz', '/readyz', {}, 200],
  ];

  it.each(cases)('describes the answer of %s (%s)', async (template, path, asked, status) => {
    const answer = await ask(system.url, path.replace('$RUN', run), asked);
    expect(answer.status).toBe(status);
    const method = asked.json === undefined ? 'get' : 'post';
    expect(checker.problemWith(template, method, answer)).toBeNull();
    if (asked.json !== undefined && status !== 400) expect(checker.takes(template, asked.json)).toBe(true);
  });
});
