/** The worker service as a process, against a real NATS server; the test plays the owner of the partition. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivationId } from '@graphrun/domain';
import { effectKey } from '@graphrun/domain';
import { connectJetStream } from '@graphrun/messaging';
import type { Messaging } from '@graphrun/messaging';
import { newCommandId, readCommand, runIdFor, workflowIdFor } from '@graphrun/protocol';
import type { ClaimRequest, Offer, ReportRequest, SessionInfo } from '@graphrun/protocol';
import { eventually, logsMessage, removeDir, startNats, startProcess, tempDir } from '@graphrun/testing';
import type { NatsService, RunningProcess } from '@graphrun/testing';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const SDK = new URL('../../../libs/sdk/dist/index.js', import.meta.url).href;

/** Handlers that hold an attempt until a file says how it ends. */
const HANDLERS = `
import { existsSync, readFileSync } from 'node:fs';
import { blocking, defineHandlers, defineReconcilers } from '${SDK}';
async function held(file) {
  for (;;) {
    // It is there a moment before its word is.
    const word = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (word !== '') return word;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
export const reconcilers = defineReconcilers({ 'work.lookup/v1': ({ file }) => held(file) });
export const handlers = defineHandlers({
  'work/v1': async ({ file }, { shuttingDown }) => {
    const word = await held(file);
    if (word === 'exit') process.exit(7);
    return { word, shuttingDown: shuttingDown.aborted };
  },
  'spin/v1': blocking(new URL('./spin.mjs', import.meta.url), 'spin'),
});
`;

/** It hears nothing while it computes, and never ends. */
const SPIN = 'export function spin() { for (;;); }';

const CATALOG = {
  format: 'graphrun.catalog/v1',
  schemas: { 'any/v1': {} },
  activities: [
    {
      name: 'work',
      version: 1,
      input_schema: 'any/v1',
      output_schema: 'any/v1',
      execution: 'async',
      effects: 'external',
      recovery: 'RetrySafe',
      error_codes: [],
      reconciler: { name: 'work.lookup', version: 1 },
    },
    {
      name: 'spin',
      version: 1,
      input_schema: 'any/v1',
      output_schema: 'any/v1',
      execution: 'blocking',
      effects: 'external',
      recovery: 'RetrySafe',
      error_codes: [],
    },
  ],
  reconcilers: [{ name: 'work.lookup', version: 1, forward_activity: { name: 'work', version: 1 } }],
};

let nats: NatsService;
let dir: string;
let owner: Messaging;
let clusters = 0;
let cluster: string;
const processes: RunningProcess[] = [];
let commands: (ClaimRequest | ReportRequest)[];

beforeAll(async () => {
  nats = await startNats();
});

afterAll(async () => {
  await nats.stop();
});

beforeEach(async () => {
  dir = await tempDir('worker');
  writeFileSync(join(dir, 'handlers.mjs'), HANDLERS);
  writeFileSync(join(dir, 'spin.mjs'), SPIN);
  writeFileSync(join(dir, 'catalog.json'), JSON.stringify(CATALOG));
  clusters += 1;
  cluster = `c${clusters}`;
  commands = [];
  owner = await connectJetStream({
    servers: nats.servers,
    cluster,
    role: 'coordinator',
    principal: 'owner',
    partitions: 1,
    replicas: 1,
  });
  await owner.log.read(
    0,
    { incarnation: 0, seq: 0, messageId: '', timestamp: 0 },
    {
      onCommand: ({ role, kind, partition, data }) => {
        commands.push(readCommand(data, { role, kind, partition, partitions: 1 }) as ClaimRequest | ReportRequest);
      },
      onIncarnationLost: () => undefined,
    },
  );
  await owner.queue.serveRenewals(0, () => ({ epoch: 1, leaseMs: 30_000, lost: [] }));
});

afterEach(async () => {
  for (const process of processes.splice(0)) await process.kill();
  await owner.close();
  await removeDir(dir);
});

async function startWorker(env: Readonly<Record<string, string>> = {}): Promise<RunningProcess> {
  const worker = await startProcess({
    name: 'worker',
    args: [MAIN],
    env: {
      GRAPHRUN_NATS_URLS: nats.urls,
      GRAPHRUN_CLUSTER: cluster,
      GRAPHRUN_PARTITIONS: '1',
      GRAPHRUN_WORKER: 'w-0',
      GRAPHRUN_HANDLERS: join(dir, 'handlers.mjs'),
      GRAPHRUN_CATALOG: join(dir, 'catalog.json'),
      GRAPHRUN_HEALTH_PORT: '0',
      ...env,
    },
    ready: logsMessage('ready'),
  });
  processes.push(worker);
  return worker;
}

async function sessionOf(): Promise<SessionInfo> {
  return eventually('a session answers', async () => (await owner.queue.sessions())[0]);
}

function offerWork(session: SessionInfo, file: string, of: Partial<Offer> = {}): Offer {
  const workflowId = workflowIdFor({
    namespace: 'default',
    workflow: 'w',
    startKey: null,
    principal: 'test',
    commandId: newCommandId(),
  });
  const run = runIdFor(workflowId, 1, Date.now());
  const { activation = 'a1' as ActivationId, activity = 'work' } = of;
  const offer: Offer = {
    id: `0.1.${run}`,
    partition: 0,
    epoch: 1,
    run,
    activation,
    attempt: 1,
    generation: 1,
    role: 'forward',
    activity,
    version: 1,
    input: { file },
    effectKey: effectKey(run, activation),
    timeoutMs: 60_000,
    contractDigest: session.capabilities.find((one) => one.activity === activity)?.contractDigest ?? '',
    strict: true,
    grantedUntil: null,
    ...of,
  };
  owner.queue.offer(offer);
  return offer;
}

function command<Kind extends 'claim' | 'report'>(
  kind: Kind,
  run: string,
): Promise<Extract<ClaimRequest | ReportRequest, { kind: Kind }>> {
  return eventually(`a ${kind}`, () => {
    const found = commands.find((candidate) => candidate.kind === kind && candidate.run === run);
    return found as Extract<ClaimRequest | ReportRequest, { kind: Kind }> | undefined;
  });
}

function accept({ replyTo, ref }: ClaimRequest | ReportRequest): void {
  owner.feed.receipts(replyTo, [{ kind: 'worker', ref, verdict: 'accepted', deadline: Date.now() + 60_000 }]);
}

function healthUrl(worker: RunningProcess, page: string): string {
  const ready = worker.stdout.map((line) => JSON.parse(line) as { msg?: string; healthPort?: number });
  return `http://127.0.0.1:${ready.find(({ msg }) => msg === 'ready')?.healthPort}${page}`;
}

describe('the worker process', () => {
  it('does work, says that it is healthy, and drains at SIGTERM without losing what runs', async () => {
    const worker = await startWorker();
    const session = await sessionOf();
    expect(session).toMatchObject({ worker: 'w-0', principal: 'w-0', draining: false });
    expect((await fetch(healthUrl(worker, '/readyz'))).status).toBe(200);

    const file = join(dir, 'word');
    const { run } = offerWork(session, file);
    accept(await command('claim', run));
    await eventually('the attempt runs', async () => (await sessionOf()).running === 1 || undefined);

    const stopped = worker.stop();
    await eventually('the session drains', async () => (await sessionOf()).draining || undefined);
    expect(await (await fetch(healthUrl(worker, '/readyz'))).json()).toEqual({
      status: 'failing',
      reasons: ['the worker is draining'],
    });
    writeFileSync(file, 'done');
    const report = await command('report', run);
    expect(report.outcome).toEqual({ kind: 'success', output: { word: 'done', shuttingDown: true } });
    expect(worker.exit).toBeUndefined();
    accept(report);
    expect(await stopped).toEqual({ code: 0, signal: null });
    expect(await owner.queue.backlog({ role: 'forward', activity: 'work', version: 1 })).toEqual({
      pending: 0,
      unacked: 0,
    });
  });

  it('drains every role at SIGTERM, and says that it does not know what a thread that does not stop has done', async () => {
    const worker = await startWorker({ GRAPHRUN_DRAIN_MS: '3000' });
    const session = await sessionOf();
    const file = join(dir, 'word');
    const runs = [
      offerWork(session, file, { activation: 'a1c' as ActivationId, role: 'compensation' }),
      offerWork(session, file, { activation: 'a1r' as ActivationId, role: 'reconciliation', activity: 'work.lookup' }),
      offerWork(session, file, { activity: 'spin' }),
    ].map(({ run }) => run);
    for (const run of runs) accept(await command('claim', run));
    await eventually('all of them run', async () => (await sessionOf()).running === 3 || undefined);

    const stopped = worker.stop();
    await eventually('the session drains', async () => (await sessionOf()).draining || undefined);
    writeFileSync(file, 'not_applied');
    const outcomes = [];
    for (const run of runs) {
      const report = await command('report', run);
      outcomes.push(report.outcome);
      accept(report);
    }
    expect(outcomes).toMatchObject([
      { kind: 'success', output: { word: 'not_applied' } },
      { kind: 'probed', answer: 'not_applied' },
      {
        kind: 'unhandled',
        failure: { code: 'activity.unhandled', message: expect.stringContaining('its thread was ended') },
      },
    ]);
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  it('is noticed as gone when a handler ends it, and the exit code is the handler’s', async () => {
    const worker = await startWorker();
    const session = await sessionOf();
    const file = join(dir, 'word');
    writeFileSync(file, 'exit');
    const { run } = offerWork(session, file);
    accept(await command('claim', run));
    expect(await worker.exited).toEqual({ code: 7, signal: null });
    expect(await owner.queue.ping(session.session)).toBe('gone');
    expect(commands.filter(({ kind }) => kind === 'report')).toEqual([]);
  });

  it('does not start with settings or handlers that are wrong, and says which', async () => {
    const wrong = await startProcess({ args: [MAIN], env: { GRAPHRUN_SLOTS: '0' } });
    expect(await wrong.exited).toEqual({ code: 2, signal: null });
    expect(wrong.stdout.join('\n')).toContain('GRAPHRUN_NATS_URLS is not set');
    expect(wrong.stdout.join('\n')).toContain('GRAPHRUN_SLOTS must be an integer from 1 to 128');

    const missing = await startProcess({
      args: [MAIN],
      env: {
        GRAPHRUN_NATS_URLS: nats.urls,
        GRAPHRUN_CLUSTER: cluster,
        GRAPHRUN_WORKER_ACTIVITIES: 'payment.charge,pay',
      },
    });
    expect(await missing.exited).toEqual({ code: 2, signal: null });
    expect(missing.stdout.join('\n')).toContain('no handler with a contract for pay');
  });

  it('serves the examples when nothing else is named', async () => {
    await startWorker({ GRAPHRUN_HANDLERS: '', GRAPHRUN_CATALOG: '' });
    const { capabilities } = await sessionOf();
    const catalog = JSON.parse(readFileSync(new URL('../../../examples/catalog.json', import.meta.url), 'utf8')) as {
      activities: { name: string }[];
    };
    const forward = capabilities.filter(({ role }) => role === 'forward').map(({ activity }) => activity);
    expect(forward.sort()).toEqual(catalog.activities.map(({ name }) => name).sort());
  });
});
