/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleCatalogText, exampleDefinitionText } from '@graphrun/examples';
import { embeddedControl, PARTITIONS } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';

const ORDER = { order_id: 'o-1', amount: 1000 };
const RECEIPT = { order_id: 'o-1', amount: 1000, payment_id: 'pay-1' };

/** A run of it waits: nobody takes test.gate here. */
const GATED = `dsl: graphrun/v1
id: gated
version: 1
input_schema: counter/v1
output_schema: counter/v1
start: gate
nodes:
  gate:
    kind: activity
    activity: { name: test.gate, version: 1 }
    input: { from: workflow.input }
    next: finish
  finish:
    kind: complete
    output: { from: nodes.gate.output }
`;

describe('HTTP API', () => {
  let system: EmbeddedControl;
  let url: string;

  beforeAll(async () => {
    system = await embeddedControl();
    url = system.url;
    const published = await ask(url, '/v1/definitions', {
      text: GATED,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(published.body).toEqual({
      workflow: 'gated',
      version: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      published_at: expect.any(Number),
      warnings: [],
    });
  }, 60_000);

  afterAll(() => system.close());

  it('starts a run and waits for its outcome', async () => {
    const answer = await ask(url, '/v1/runs?wait=30s', { json: { workflow: 'order', input: ORDER } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      run: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workflow_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      workflow: 'order',
      version: 1,
      status: 'succeeded',
      output: RECEIPT,
      waits: [],
      obligations: [],
      explain: [],
    });
  });

  it('answers a start without a wait as soon as it is committed', async () => {
    const answer = await ask(url, '/v1/runs', {
      json: { workflow: 'order', version: 1, input: ORDER },
      headers: { 'idempotency-key': 'start-at-once' },
    });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('idempotency-key')).toBe('start-at-once');
    expect(answer.body).toMatchObject({ workflow: 'order', version: 1, status: 'active', explain: [] });
    const inspected = await ask(url, `/v1/runs/${answer.body.run}`);
    expect(inspected.status).toBe(200);
  });

  it('gives the same answer to the same command id, and a conflict to other content', async () => {
    const headers = { 'idempotency-key': 'same-command' };
    const first = await ask(url, '/v1/runs?wait=30s', { json: { workflow: 'order', input: ORDER }, headers });
    const again = await ask(url, '/v1/runs?wait=30s', { json: { workflow: 'order', input: ORDER }, headers });
    expect(again.body).toMatchObject({ run: first.body.run, status: 'succeeded', output: RECEIPT });
    const other = await ask(url, '/v1/runs', { json: { workflow: 'order', input: { ...ORDER, amount: 1 } }, headers });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'AlreadyExists', command_id: 'same-command' });
    const result = await ask(url, '/v1/commands/same-command');
    expect(result.body).toEqual({
      command_id: 'same-command',
      ok: true,
      run: first.body.run,
      workflow_id: first.body.workflow_id,
      version: 1,
    });
  });

  it('keeps a rejection as the answer to its command id', async () => {
    const headers = { 'idempotency-key': 'rejected-command' };
    await ask(url, '/v1/runs', { json: { workflow: 'absent', input: null }, headers });
    const result = await ask(url, '/v1/commands/rejected-command');
    expect(result.body).toEqual({
      command_id: 'rejected-command',
      ok: false,
      problem: {
        type: 'urn:graphrun:problem:not-found',
        title: 'Not found',
        status: 404,
        detail: 'no definition of absent is published; publish it first',
        code: 'NotFound',
        command_id: 'rejected-command',
      },
    });
  });

  it('meets the same run by its start key, and refuses another input', async () => {
    const json = { workflow: 'order', input: ORDER, start_key: 'order-7' };
    const first = await ask(url, '/v1/runs?wait=30s', { json });
    const second = await ask(url, '/v1/runs?wait=30s', { json });
    expect(second.body).toMatchObject({ run: first.body.run, status: 'succeeded' });
    const other = await ask(url, '/v1/runs', { json: { ...json, input: { ...ORDER, amount: 2 } } });
    expect(other.status).toBe(409);
    expect(other.body.run).toBe(first.body.run);
    const listed = await ask(url, '/v1/runs?start_key=order-7&counts=true');
    expect(listed.body).toEqual({
      runs: [
        {
          run: first.body.run,
          workflow_id: first.body.workflow_id,
          workflow: 'order',
          version: 1,
          status: 'succeeded',
          start_key: 'order-7',
          created_at: expect.any(Number),
          ended_at: expect.any(Number),
        },
      ],
      cursor: null,
      counts: {
        active: 0,
        stopping: 0,
        blocked: 0,
        succeeded: 1,
        failed: 0,
        cancelled: 0,
        continued: 0,
        terminated: 0,
      },
    });
  });

  it('says what a run waits for when the wait is over, and cancels it', async () => {
    const started = await ask(url, '/v1/runs?wait=50ms', { json: { workflow: 'gated', input: { value: 1 } } });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ status: 'active', workflow: 'gated' });
    expect(started.body.explain).toEqual([
      {
        code: 'no_worker',
        path: 'nodes.gate',
        message: expect.stringContaining('test.gate version 1 is queued, and no live worker takes it'),
        action: 'start a worker that handles test.gate version 1',
        since: expect.any(Number),
      },
    ]);
    const { run } = started.body;
    const cancelled = await ask(url, `/v1/runs/${run}/cancel`, { json: { reason: 'not wanted' } });
    expect(cancelled.status).toBe(202);
    expect(cancelled.body).toEqual({ run, workflow_id: started.body.workflow_id, accepted: true });
    const inspected = await ask(url, `/v1/runs/${run}`);
    expect(inspected.body).toMatchObject({
      status: 'cancelled',
      error: { code: 'run.cancelled', message: 'not wanted' },
    });
    const again = await ask(url, `/v1/runs/${run}/cancel`, { json: { reason: 'again' } });
    expect(again.body.code).toBe('FailedPrecondition');
    expect(again.status).toBe(412);
  });

  it('pages the history by sequence', async () => {
    const { run } = (await ask(url, '/v1/runs?wait=30s', { json: { workflow: 'order', input: ORDER } })).body;
    const all = (await ask(url, `/v1/runs/${run}/history`)).body;
    expect(Object.keys(all)).toEqual(['run', 'retained_from', 'events', 'next_seq']);
    expect(all.next_seq).toBeNull();
    expect(all.events.map((event: { seq: number }) => event.seq)).toEqual(
      all.events.map((_: unknown, index: number) => index + 1),
    );
    expect(all.events[0]).toMatchObject({ seq: 1, kind: 'run_admitted', workflow: 'order', input: ORDER });
    expect(all.events.at(-1)).toMatchObject({ kind: 'run_succeeded', output: RECEIPT });
    const collected: unknown[] = [];
    for (let seq: number | null = 1; seq !== null;) {
      const page = (await ask(url, `/v1/runs/${run}/history?from_seq=${seq}&limit=3`)).body;
      expect(page.events.length).toBeLessThanOrEqual(3);
      collected.push(...page.events);
      seq = page.next_seq as number | null;
    }
    expect(collected).toEqual(all.events);
  });

  it('pages the list by cursor, newest first', async () => {
    const first = (await ask(url, '/v1/runs?limit=2')).body;
    expect(first.runs).toHaveLength(2);
    const second = (await ask(url, `/v1/runs?limit=2&cursor=${first.cursor}`)).body;
    const created = [...first.runs, ...second.runs].map((row: { created_at: number }) => row.created_at);
    expect(created).toEqual(created.toSorted((a, b) => b - a));
    expect(new Set([...first.runs, ...second.runs].map((row: { run: string }) => row.run)).size).toBe(4);
  });

  it('publishes the same catalog and definition again without a change, and reads them back', async () => {
    const catalog = await ask(url, '/v1/catalogs', { text: exampleCatalogText() });
    expect(catalog.status).toBe(200);
    const read = (await ask(url, '/v1/catalogs')).body;
    expect((await ask(url, '/v1/catalogs', { json: read })).status).toBe(200);
    const yaml = exampleDefinitionText('sequence');
    const definition = await ask(url, '/v1/definitions', { json: { yaml, file: 'sequence.yaml' } });
    expect(definition.status).toBe(200);
    const { warnings, ...published } = definition.body;
    expect(warnings).toEqual([]);
    const versions = (await ask(url, '/v1/definitions/order')).body;
    expect(versions).toEqual({ definitions: [published] });
    const { artifact, source, annotations, ...row } = (await ask(url, '/v1/definitions/order/latest')).body;
    expect(row).toEqual(published);
    expect({ source, annotations }).toEqual({ source: yaml, annotations: {} });
    expect(artifact.digest).toBe(row.digest);
    const asArtifact = await ask(url, '/v1/definitions', { json: { artifact } });
    expect(asArtifact.body).toEqual(definition.body);
    const changed = await ask(url, '/v1/definitions', {
      json: { yaml: yaml.replace('start: reserve', 'start: reserve\nrun_timeout: 1h') },
    });
    expect(changed.status).toBe(409);
  });

  it('validates against the published catalog, or the one of the request', async () => {
    const yaml = exampleDefinitionText('sequence');
    const digest = (await ask(url, '/v1/definitions/order/1')).body.digest as string;
    expect((await ask(url, '/v1/validate', { json: { yaml } })).body).toEqual({
      valid: true,
      digest,
      diagnostics: [],
      extensions: [],
    });
    const empty = { format: 'graphrun.catalog/v1' };
    const answer = await ask(url, '/v1/validate', { json: { yaml, file: 'order.yaml', catalog: empty } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ valid: false, digest: null });
    expect(answer.body.diagnostics[0]).toMatchObject({ file: 'order.yaml', severity: 'error' });
  });

  it('shows partitions, workers and what went wrong', async () => {
    const { partitions } = (await ask(url, '/v1/partitions')).body;
    expect(partitions).toHaveLength(PARTITIONS);
    expect(partitions[0]).toMatchObject({ partition: 0, owner: 'm', paused: false });
    const { workers } = (await ask(url, '/v1/workers')).body;
    expect(workers).toHaveLength(1);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(workers[0]).toMatchObject({
      worker: 'w',
      draining: false,
      handed_back: [],
      capabilities: expect.arrayContaining([
        {
          role: 'compensation',
          activity: 'payment.refund',
          version: 1,
          slots: 32,
          codec_version: 1,
          input_schema_digest: digest,
          output_schema_digest: digest,
          contract_digest: digest,
        },
      ]),
    });
    expect((await ask(url, '/v1/quarantine')).body).toEqual({ quarantine: [] });
    expect((await ask(url, '/v1/unrecoverable')).body).toEqual({ unrecoverable: [] });
  });

  it('is alive and ready, and counts its requests', async () => {
    expect((await ask(url, '/healthz')).body).toEqual({ status: 'ok', reasons: [] });
    expect((await ask(url, '/readyz')).body).toEqual({ status: 'ok', reasons: [] });
    const metrics = await ask(url, '/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(metrics.body).toMatch(
      /graphrun_http_request_seconds_count\{method="POST",route="\/v1\/runs",status="200"\} \d+/,
    );
    expect(metrics.body).toMatch(/graphrun_control_commands_in_flight 0\n/);
  });

  it('serves its reference page without anything from elsewhere', async () => {
    const page = await ask(url, '/docs');
    expect(page.status).toBe(200);
    const sources = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(sources).toHaveLength(3);
    for (const source of sources) {
      expect(source).toMatch(/^\/docs\//);
      expect((await ask(url, source)).status).toBe(200);
    }
  });
});
