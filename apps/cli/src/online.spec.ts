/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from '@graphrun/testing';
import { embeddedServer } from './spec/embedded-server.js';
import type { EmbeddedServer } from './spec/embedded-server.js';
import { invoke } from './spec/invoke.js';
import { EXIT } from './index.js';

const NO_RUN = '01900000-0000-7000-8000-000000000000';
const { exampleCatalogPath, exampleDefinitionPath, exampleInputPath } = await import('@graphrun/examples');
const RECEIPT = { order_id: 'o-1', amount: 1000, payment_id: 'pay-1' };

const FAILING = `dsl: graphrun/v1
id: failing
version: 1
input_schema: order/v1
output_schema: order/v1
start: stop
nodes:
  stop:
    kind: fail
    error: { code: order.refused, message: "no such thing" }
`;

/** Nobody takes its activity: the handlers of this test leave test.gate out. */
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

/** Beyond the original language, and with a default that can never be taken. */
const DESCRIBED = `dsl: graphrun/v1
id: described
version: 1
description: gives its input back
input_schema: order/v1
output_schema: order/v1
start: end
nodes:
  end:
    kind: complete
    output: { from: workflow.input, default: { order_id: o-1, amount: 1 } }
`;

const PLAIN = JSON.stringify({
  dsl: 'graphrun/v1',
  id: 'plain',
  version: 1,
  input_schema: 'order/v1',
  output_schema: 'order/v1',
  start: 'end',
  nodes: { end: { kind: 'complete', output: { from: 'workflow.input' } } },
});

describe('online commands', () => {
  let dir: string;
  let running: EmbeddedServer;
  let server: string;
  const on = (...argv: string[]) => invoke([...argv, '--server', server]);
  const json = async (...argv: string[]) => {
    const { code, stdout, stderr } = await on(...argv, '--json');
    expect(stdout.endsWith('\n')).toBe(true);
    return { code, document: JSON.parse(stdout), stderr };
  };

  beforeAll(async () => {
    dir = await tempDir('cli');
    await writeFile(join(dir, 'failing.yaml'), FAILING);
    await writeFile(join(dir, 'gated.yaml'), GATED);
    await writeFile(join(dir, 'described.yaml'), DESCRIBED);
    await writeFile(join(dir, 'plain.json'), PLAIN);
    await writeFile(join(dir, 'counter.json'), '{ "value": 1 }');
    await writeFile(join(dir, 'broken.yaml'), 'dsl: graphrun/v1\nid: broken\nversion: 0\nstart: nowhere\nnodes: {}\n');
    await writeFile(join(dir, 'large.json'), '{ "amount": 9007199254740993 }');
    running = await embeddedServer(join(dir, 'data'), (activity) => !activity.startsWith('test.gate'));
    server = running.url;
    const published = await json('publish', exampleDefinitionPath('sequence'), '--catalog', exampleCatalogPath);
    expect(published).toMatchObject({
      code: EXIT.ok,
      document: {
        catalog: { activities: expect.arrayContaining(['payment.charge/v1']) },
        definition: { workflow: 'order', version: 1 },
      },
    });
    for (const name of ['failing', 'gated'])
      expect((await on('publish', join(dir, `${name}.yaml`))).code).toBe(EXIT.ok);
  }, 60_000);

  afterAll(async () => {
    await running.close();
    await removeDir(dir);
  });

  it('starts, waits and prints the run in the documented shape', async () => {
    const { code, document, stderr } = await json(
      'start',
      'order',
      '--input',
      exampleInputPath('sequence'),
      '--wait',
      '30s',
    );
    expect(code).toBe(EXIT.ok);
    expect(stderr).toBe('');
    expect(document).toEqual({
      run: expect.any(String),
      workflow_id: expect.any(String),
      workflow: 'order',
      version: 1,
      status: 'succeeded',
      output: RECEIPT,
      waits: [],
      obligations: [],
      explain: [],
    });
    const inspected = await json('inspect', document.run);
    expect(inspected.code).toBe(EXIT.ok);
    expect(Object.keys(inspected.document)).toEqual(Object.keys(document));
    expect(inspected.document).toMatchObject({ run: document.run, status: 'succeeded', output: RECEIPT });
  });

  it('ends with 1 when the run failed, and prints its error', async () => {
    const { code, document } = await json(
      'start',
      '--workflow',
      'failing',
      '--input',
      exampleInputPath('sequence'),
      '--wait',
      '30s',
    );
    expect(code).toBe(EXIT.runFailed);
    expect(document).toMatchObject({ status: 'failed', error: { code: 'order.refused', message: 'no such thing' } });
    expect(document).not.toHaveProperty('output');
  });

  it('ends with 8 when the wait is over, explains, cancels', async () => {
    const started = await json('start', 'gated', '--input', join(dir, 'counter.json'), '--wait', '50ms');
    expect(started.code).toBe(EXIT.waitTimedOut);
    expect(started.document).toMatchObject({ status: 'active' });
    const { run } = started.document;
    const explained = await json('explain', run);
    expect(explained.code).toBe(EXIT.ok);
    expect(explained.document).toEqual({
      run,
      status: 'active',
      explain: [
        {
          code: 'no_worker',
          path: 'nodes.gate',
          message: expect.any(String),
          action: 'start a worker that handles test.gate version 1',
          since: expect.any(Number),
        },
      ],
    });
    const text = await on('explain', run);
    expect(text.stdout).toMatch(
      /^nodes\.gate: test\.gate version 1 is queued, .*; start a worker that handles test\.gate version 1\n$/,
    );
    expect(await on('cancel', run)).toEqual({
      code: EXIT.invalid,
      stdout: '',
      stderr: 'error: A cancel needs --reason: it stands in the history.\n',
    });
    const cancelled = await json('cancel', run, '--reason', 'not wanted');
    expect(cancelled).toMatchObject({ code: EXIT.ok, document: { run, accepted: true } });
    const again = await json('cancel', run, '--reason', 'again');
    expect(again.code).toBe(EXIT.precondition);
    expect(again.document.error.code).toBe('FailedPrecondition');
  });

  it('prints the history of a run in the documented shape', async () => {
    const { document } = await json('start', 'order', '--input', exampleInputPath('sequence'), '--wait', '30s');
    const history = await json('history', document.run);
    expect(Object.keys(history.document)).toEqual(['run', 'retained_from', 'events']);
    expect(history.document).toMatchObject({ run: document.run, retained_from: 1 });
    expect(history.document.events[0]).toMatchObject({ seq: 1, at: expect.any(Number), kind: 'run_admitted' });
    const replayed = await json('replay', document.run, '--seq', '1');
    expect(replayed).toMatchObject({ code: EXIT.ok });
    expect(replayed.document).toMatchObject({ seq: 1, agrees: true, state: { status: 'active' } });
    const part = await json('history', document.run, '--from-seq', '2', '--limit', '2');
    expect(part.document.events).toEqual(history.document.events.slice(1, 3));
  });

  it('lists runs with filters and counts', async () => {
    await on('start', 'order', '--input', exampleInputPath('sequence'), '--start-key', 'k-1', '--wait', '30s');
    const { code, document } = await json('list', '--start-key', 'k-1', '--counts');
    expect(code).toBe(EXIT.ok);
    expect(document).toMatchObject({
      runs: [{ workflow: 'order', start_key: 'k-1', status: 'succeeded' }],
      cursor: null,
      counts: { succeeded: 1 },
    });
    const text = await on('list', '--status', 'failed');
    expect(text.stdout).toMatch(/failed {2}failing version 1\n/);
  });

  it('validates with and without a server, and says all that is wrong', async () => {
    const path = exampleDefinitionPath('sequence');
    const here = await invoke(['validate', path, '--catalog', exampleCatalogPath, '--json']);
    const there = await json('validate', path);
    expect(here.code).toBe(EXIT.ok);
    expect(JSON.parse(here.stdout)).toEqual({
      valid: true,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      diagnostics: [],
      extensions: [],
    });
    expect(there).toMatchObject({ code: EXIT.ok, document: JSON.parse(here.stdout) });
    const broken = await json('validate', join(dir, 'broken.yaml'));
    expect(broken.code).toBe(EXIT.invalid);
    expect(broken.document).toMatchObject({ valid: false, digest: null });
    expect(broken.document.diagnostics.length).toBeGreaterThanOrEqual(3);
    expect(Object.keys(broken.document.diagnostics[0])).toEqual([
      'code',
      'message',
      'file',
      'line',
      'column',
      'end_line',
      'end_column',
      'severity',
    ]);
    const text = await on('validate', join(dir, 'broken.yaml'));
    expect(text.stdout).toMatch(/broken\.yaml:\d+:\d+ GR\d{4} .*\n +\d+ \| .*\n +\| +\^/);
  });

  it('lists what a definition uses beyond the original language', async () => {
    const path = join(dir, 'described.yaml');
    const text = await on('validate', path);
    expect(text).toMatchObject({ code: EXIT.ok, stderr: '' });
    expect(text.stdout).toMatch(/described\.yaml is valid, digest [0-9a-f]{64}\n/);
    expect(text.stdout.split('\n').at(-2)).toBe('uses beyond graphrun/v1: default, description');
    const { document } = await json('validate', path);
    expect(document).toMatchObject({ valid: true, extensions: ['default', 'description'] });
    expect((await on('validate', exampleDefinitionPath('sequence'))).stdout).not.toContain('uses beyond');
  });

  it('shows warnings about what it publishes, beside the answer', async () => {
    const path = join(dir, 'described.yaml');
    const warning = /described\.yaml:11:\d+ warning GR1308 .*\n +11 \| .*\n +\| +\^/;
    const published = await on('publish', path);
    expect(published).toMatchObject({
      code: EXIT.ok,
      stdout: expect.stringMatching(/^described version 1 is published, digest [0-9a-f]{64}\n$/),
      stderr: expect.stringMatching(warning),
    });
    const { document, stderr } = await json('publish', path);
    expect(document.definition).toMatchObject({ workflow: 'described', warnings: [{ code: 'GR1308', line: 11 }] });
    expect(stderr).toMatch(warning);
  });

  it('publishes a definition that is JSON', async () => {
    expect(await json('publish', join(dir, 'plain.json'))).toMatchObject({
      code: EXIT.ok,
      document: { definition: { workflow: 'plain', version: 1, warnings: [] } },
      stderr: '',
    });
  });

  it('shows the diagnostics of what it cannot publish', async () => {
    const { code, stdout, stderr } = await on('publish', join(dir, 'broken.yaml'));
    expect({ code, stdout }).toEqual({ code: EXIT.invalid, stdout: '' });
    expect(stderr).toContain('broken.yaml:3:');
    expect(stderr).toMatch(/error: The definition is not valid: \d+ errors/);
  });

  it.each<[string, number, string, () => string[]]>([
    ['an unknown command', EXIT.invalid, "Unknown command 'launch'", () => ['launch']],
    ['an unknown option', EXIT.invalid, "Unknown option '--loud'", () => ['list', '--loud']],
    ['a missing argument', EXIT.invalid, 'The id of the run is missing', () => ['inspect', '--server', server]],
    [
      'an argument that is given twice',
      EXIT.invalid,
      'The id of the run is given twice',
      () => ['inspect', 'a', '--run', 'b'],
    ],
    [
      'a file that does not exist',
      EXIT.invalid,
      'The file nowhere.json does not exist.',
      () => ['start', 'order', '--input', 'nowhere.json'],
    ],
    [
      'an integer that would be rounded',
      EXIT.invalid,
      'large.json at /amount is an integer beyond 9007199254740991; send it as a string.',
      () => ['start', 'order', '--input', join(dir, 'large.json')],
    ],
    ['a bad duration', EXIT.invalid, '5 minutes is not a duration', () => ['start', 'order', '--wait', '5 minutes']],
    ['a bad run id', EXIT.invalid, 'id must be the id of a run', () => ['inspect', '42', '--server', server]],
    ['a server that is no URL', EXIT.invalid, '--server nowhere is not a URL', () => ['list', '--server', 'nowhere']],
    [
      'a run that does not exist',
      EXIT.notFound,
      `There is no run ${NO_RUN}.`,
      () => ['inspect', NO_RUN, '--server', server],
    ],
    [
      'a workflow that is not published',
      EXIT.notFound,
      'no definition of absent is published',
      () => ['start', 'absent', '--server', server],
    ],
    [
      'a server that is not there',
      EXIT.unavailable,
      'No answer from http://127.0.0.1:2: nothing listens there',
      () => ['list', '--server', 'http://127.0.0.1:2', '--retry-for', '1ms'],
    ],
  ])('says %s in one sentence and ends with %i', async (_what, expected, sentence, argv) => {
    const { code, stdout, stderr } = await invoke(argv());
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^error: [^\n]*\n$/);
    const asJson = await invoke([...argv(), '--json']);
    expect(asJson.code).toBe(expected);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      error: { code: expect.any(String), message: expect.stringContaining(sentence) },
    });
  });

  it('ends with 4 on a conflict', async () => {
    const key = ['--start-key', 'k-conflict'];
    await on('start', 'order', '--input', exampleInputPath('sequence'), ...key);
    const other = await json('start', 'order', '--input', join(dir, 'counter.json'), ...key);
    expect(other.code).toBe(EXIT.conflict);
    expect(other.document.error.code).toBe('AlreadyExists');
  });

  it('takes server and token from the environment', async () => {
    const { code } = await invoke(['list'], { env: { GRAPHRUN_SERVER: server, GRAPHRUN_TOKEN: 'unused' } });
    expect(code).toBe(EXIT.ok);
  });

  it('colours only on a terminal that wants it', async () => {
    const colour = '\u001b[';
    const argv = ['list', '--status', 'succeeded', '--server', server];
    expect((await invoke(argv, { tty: true })).stdout).toContain(colour);
    expect((await invoke(argv)).stdout).not.toContain(colour);
    expect((await invoke(argv, { tty: true, env: { NO_COLOR: '1' } })).stdout).not.toContain(colour);
  });

  it('says that a command is missing', async () => {
    expect(await invoke([])).toEqual({
      code: EXIT.invalid,
      stdout: '',
      stderr: 'error: No command was given; see graphrun --help.\n',
    });
  });

  it('shows help on stdout and ends with 0', async () => {
    const { code, stdout } = await invoke(['start', '--help']);
    expect(code).toBe(EXIT.ok);
    expect(stdout).toContain('--start-key');
  });
});

describe('a server that has trouble', () => {
  it.each<[number, string, number]>([
    [401, 'Unauthenticated', EXIT.notPermitted],
    [403, 'PermissionDenied', EXIT.notPermitted],
    [500, 'Internal', EXIT.internal],
  ])('%i %s ends with %s', async (status, code, expected) => {
    const { url, server } = await serve((_request, response) => problem(response, status, code));
    expect((await invoke(['list', '--server', url])).code).toBe(expected);
    await close(server);
  });

  it('ends with 9 when a limit stays reached, and with 7 when the outcome stays unknown', async () => {
    for (const [status, code, expected] of [
      [429, 'ResourceExhausted', EXIT.exhausted],
      [504, 'DeadlineExceeded', EXIT.unavailable],
    ] as const) {
      const { url, server } = await serve((_request, response) => problem(response, status, code));
      expect((await invoke(['start', 'order', '--server', url, '--retry-for', '1ms'])).code).toBe(expected);
      await close(server);
    }
  });

  it('repeats a command with the same Idempotency-Key until it is answered', async () => {
    const keys: unknown[] = [];
    const { url, server } = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) request.socket.destroy();
      else if (keys.length === 2) problem(response, 504, 'DeadlineExceeded');
      else
        response
          .writeHead(202, { 'content-type': 'application/json' })
          .end(JSON.stringify({ run: NO_RUN, accepted: true }));
    });
    const { code, stderr } = await invoke(['cancel', NO_RUN, '--reason', 'r', '--server', url]);
    expect(code).toBe(EXIT.ok);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(stderr).toContain('Trying again');
    await close(server);
  });

  it('comes again after push back, but not when a fixed limit is reached', async () => {
    let asked = 0;
    const { url, server } = await serve((request, response) => {
      asked += 1;
      if (request.url?.includes('cancel') === true) problem(response, 429, 'ResourceExhausted');
      else if (asked === 1) problem(response, 429, 'ResourceExhausted', { retry_after_s: 1 });
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"runs":[],"cursor":null}');
    });
    expect((await invoke(['list', '--server', url])).code).toBe(EXIT.ok);
    expect(asked).toBe(2);
    expect((await invoke(['cancel', NO_RUN, '--reason', 'r', '--server', url])).code).toBe(EXIT.exhausted);
    expect(asked).toBe(3);
    await close(server);
  });

  it('watches the run that a run continues as', async () => {
    const successor = NO_RUN.replace('00000000', '11111111');
    const event = (kind: string, fields: object) => ({ seq: 1, at: 0, v: 1, by: 'engine', kind, ...fields });
    const answers: Readonly<Record<string, object>> = {
      [`/v1/runs/${NO_RUN}/history`]: { run: NO_RUN, events: [event('run_continued', { successor })], next_seq: null },
      [`/v1/runs/${successor}/history`]: { run: successor, events: [event('run_succeeded', {})], next_seq: null },
      [`/v1/runs/${successor}`]: { run: successor, status: 'succeeded', output: 7, waits: [], obligations: [] },
    };
    const { url, server } = await serve((request, response) => {
      const path = request.url?.split('?')[0] ?? '';
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]));
    });
    const { code, stdout } = await invoke(['watch', NO_RUN, '--server', url]);
    expect(code).toBe(EXIT.ok);
    expect(stdout).toContain(`the run continues as ${successor}\n`);
    expect(stdout).toContain('the run succeeded\n');
    expect(stdout).toMatch(/\noutput: 7\n$/);
    await close(server);
  });

  it('knows a server that is no Graphrun server', async () => {
    const { url, server } = await serve((_request, response) => response.end('<html>'));
    const { code, stderr } = await invoke(['list', '--server', url, '--retry-for', '1ms']);
    expect(code).toBe(EXIT.unavailable);
    expect(stderr).toContain('does not answer like a Graphrun server');
    await close(server);
  });
});

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function problem(response: Parameters<RequestListener>[1], status: number, code: string, details: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ type: 't', title: 't', status, detail: 'Something is wrong.', code, ...details }));
}
