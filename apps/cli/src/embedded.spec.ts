/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment --
   what comes back as JSON is examined member by member */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from '@graphrun/testing';
import { invoke } from './spec/invoke.js';
import { EXIT, Interrupts } from './index.js';

const RECEIPT = { order_id: 'o-1', amount: 1000, payment_id: 'pay-1' };
const { exampleCatalogPath, exampleDefinitionPath, exampleInputPath } = await import('@graphrun/examples');

describe('embedded commands', () => {
  let dir: string;
  let data: string[];

  beforeEach(async () => {
    dir = await tempDir('cli');
    data = ['--data-dir', join(dir, 'data')];
  });

  afterEach(() => removeDir(dir));

  const order = [
    '--definition',
    exampleDefinitionPath('sequence'),
    '--catalog',
    exampleCatalogPath,
    '--input',
    exampleInputPath('sequence'),
  ];

  it('runs a definition and prints the outcome in the documented shape', async () => {
    const { code, stdout, stderr } = await invoke(['run', ...order, ...data, '--json']);
    expect({ code, stderr }).toEqual({ code: EXIT.ok, stderr: '' });
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ workflow: 'order', version: 1, status: 'succeeded', output: RECEIPT });
    expect(Object.keys(document)).toEqual([
      'run',
      'workflow_id',
      'workflow',
      'version',
      'status',
      'output',
      'waits',
      'obligations',
      'explain',
    ]);
  }, 120_000);

  it('shows the steps to a person as they happen', async () => {
    const { code, stdout } = await invoke(['run', ...order, ...data], { tty: true, env: { NO_COLOR: '1' } });
    expect(code).toBe(EXIT.ok);
    const steps = stdout.split('\n').map((line) => line.replace(/^ *\d+\.\d{3}s {2}/, ''));
    expect(steps.slice(1, 8)).toEqual([
      'reserve is ready',
      'reserve runs, attempt 1',
      'reserve succeeded {"order_id":"o-1","amount":1000,"reservation_id":"res-1"}',
      'charge is ready',
      'charge runs, attempt 1',
      'charge succeeded {"order_id":"o-1","amount":1000,"payment_id":"pay-1"}',
      'the run succeeded',
    ]);
  }, 120_000);

  it('leaves an interrupted run where it is, says how to resume it, and resumes it', async () => {
    // The first process has a handler that waits until it is aborted, the second one that returns.
    await writeFile(join(dir, 'slow.mjs'), SLOW);
    await writeFile(join(dir, 'fast.mjs'), FAST);
    const interrupts = new Interrupts();
    const interrupted = await invoke(['run', ...order, ...data, '--handlers', join(dir, 'slow.mjs')], {
      interrupts,
      tty: true,
      onOutput: (text) => {
        if (text.includes('reserve runs')) interrupts.take();
      },
    });
    expect(interrupted.code).toBe(EXIT.waitTimedOut);
    const hint = /graphrun run --resume (\S+) --data-dir (\S+) --handlers (\S+)/.exec(interrupted.stderr);
    expect(hint?.slice(2)).toEqual([join(dir, 'data'), join(dir, 'slow.mjs')]);
    const resumed = await invoke([
      'run',
      '--resume',
      String(hint?.[1]),
      ...data,
      '--handlers',
      join(dir, 'fast.mjs'),
      '--json',
    ]);
    expect(resumed.code).toBe(EXIT.ok);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ run: hint?.[1], status: 'succeeded', output: RECEIPT });
    const again = await invoke(['run', '--resume', String(hint?.[1]), ...data, '--json']);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(resumed.stdout));
  }, 120_000);

  it('serves everything, runs the example through HTTP and ends with its outcome', async () => {
    const { code, stdout, stderr } = await invoke(['dev', '--port', '0', '--example', '--once', '--json', ...data]);
    expect(code).toBe(EXIT.ok);
    expect(JSON.parse(stdout)).toMatchObject({ workflow: 'order', status: 'succeeded', output: RECEIPT });
    expect(stderr).toMatch(/graphrun is ready at http:\/\/127\.0\.0\.1:\d+ after \d+ ms/);
    expect(stderr).toContain('charge succeeded');
  }, 120_000);

  it('keeps serving until it is interrupted, and refuses a second process on its directory', async () => {
    const interrupts = new Interrupts();
    let ready: (url: string) => void = () => undefined;
    const url = new Promise<string>((resolve) => (ready = resolve));
    const serving = invoke(['dev', '--port', '0', ...data], {
      interrupts,
      onOutput: (text) => {
        const match = /API reference: (\S+)\/docs/.exec(text);
        if (match?.[1] !== undefined) ready(match[1]);
      },
    });
    const server = await url;
    expect((await invoke(['list', '--server', server])).code).toBe(EXIT.ok);
    const second = await invoke(['run', ...order, ...data]);
    expect(second.code).toBe(EXIT.precondition);
    expect(second.stderr).toMatch(/^error: The data directory \S+ is in use by process \d+ [^\n]*\n$/);
    const samePort = await invoke(['dev', '--port', new URL(server).port, '--data-dir', join(dir, 'other')]);
    expect(samePort.code).toBe(EXIT.unavailable);
    expect(samePort.stderr).toMatch(/^error: Port \d+ on 127\.0\.0\.1 is taken; [^\n]*\n$/);
    interrupts.take();
    expect(await serving).toMatchObject({ code: EXIT.ok });
    expect((await invoke(['run', ...order, ...data])).code).toBe(EXIT.ok);
  }, 120_000);

  it('serves the reconcilers of a handler module too', async () => {
    await writeFile(join(dir, 'lookup.mjs'), LOOKUP);
    const interrupts = new Interrupts();
    let ready: (url: string) => void = () => undefined;
    const url = new Promise<string>((resolve) => (ready = resolve));
    const served = ['--handlers', join(dir, 'lookup.mjs'), '--catalog', exampleCatalogPath];
    const serving = invoke(['dev', '--port', '0', ...data, ...served], {
      interrupts,
      onOutput: (text) => {
        const match = /API reference: (\S+)\/docs/.exec(text);
        if (match?.[1] !== undefined) ready(match[1]);
      },
    });
    const { workers } = (await (await fetch(`${await url}/v1/workers`)).json()) as { readonly workers: unknown };
    expect(workers).toMatchObject([
      {
        capabilities: [
          { role: 'forward', activity: 'test.manual', version: 1 },
          { role: 'reconciliation', activity: 'test.lookup', version: 1 },
        ],
      },
    ]);
    interrupts.take();
    expect(await serving).toMatchObject({ code: EXIT.ok });
  }, 120_000);

  it.each([
    ['nothing to run', ['run'], 'Say what to run with --definition'],
    [
      'resume with a definition',
      ['run', '--resume', 'x', '--definition', 'f.yaml'],
      '--resume goes on with a run that has its definition',
    ],
    ['a run id that is none', ['run', '--resume', 'x'], 'x is not the id of a run.'],
    ['--once without an example', ['dev', '--once'], '--once ends after the example'],
    ['a port that is none', ['dev', '--port', '70000'], '70000 is not a port'],
    [
      'off loopback',
      ['dev', '--host', '0.0.0.0', '--port', '0'],
      'Refusing to serve on 0.0.0.0 without authentication',
    ],
    ['an example that does not exist', ['dev', '--port', '0', '--example', 'moon'], 'There is no example moon'],
    [
      'handlers that do not exist',
      ['run', ...order, '--handlers', 'nowhere.mjs'],
      'The handler module nowhere.mjs cannot be loaded',
    ],
  ])(
    'refuses %s',
    async (_what, argv, sentence) => {
      const { code, stderr } = await invoke([...argv, ...data]);
      expect([EXIT.invalid, EXIT.precondition]).toContain(code);
      expect(stderr).toContain(`error: ${sentence}`);
    },
    60_000,
  );

  it('ends with 3 for a run that the directory does not have', async () => {
    const { code } = await invoke(['run', '--resume', '01900000-0000-7000-8000-000000000000', ...data]);
    expect(code).toBe(EXIT.notFound);
  }, 120_000);

  it('says every setting of a worker that is missing', async () => {
    const { code, stderr } = await invoke(['worker', '--name', 'w-1']);
    expect(code).toBe(EXIT.invalid);
    expect(stderr).toContain('GRAPHRUN_NATS_URLS is not set');
  });
});

const SLOW = `export const handlers = {
  'inventory.reserve': (_input, context) =>
    new Promise((_resolve, reject) => context.shuttingDown.addEventListener('abort', () => reject(new Error('stopped')))),
  'payment.charge': (input) => ({ order_id: input.order_id, amount: input.amount, payment_id: 'pay-1' }),
};
`;

const LOOKUP = `export const handlers = { 'test.manual/v1': { handler: (input) => input, roles: ['forward'] } };
export const reconcilers = { 'test.lookup/v1': () => 'unknown' };
`;

const FAST = `export const handlers = {
  'inventory.reserve': (input) => ({ ...input, reservation_id: 'res-1' }),
  'payment.charge': (input) => ({ order_id: input.order_id, amount: input.amount, payment_id: 'pay-1' }),
};
`;
