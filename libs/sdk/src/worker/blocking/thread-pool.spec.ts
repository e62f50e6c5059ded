import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { settle } from '../../testing/manual-clock.js';
import { contract, openFixture } from '../../testing/worker-fixture.js';
import type { WorkerFixture } from '../../testing/worker-fixture.js';
import { blocking } from '../handler.js';
import type { HandlerOptions } from '../handler.js';

/** A module for a thread, without a file. */
function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

let fixture: WorkerFixture;

async function open(source: string, options: HandlerOptions = {}): Promise<WorkerFixture> {
  const contracts = [
    contract('render', { execution: 'blocking' }),
    contract('pay', { execution: 'blocking', effects: 'external' }),
    contract('price'),
  ];
  fixture = await openFixture({ contracts });
  const handler = blocking(moduleOf(`import { existsSync } from 'node:fs';\n${source}`), 'render');
  fixture.worker
    .handle('render', 1, handler, options)
    .handle('pay', 1, handler, options)
    .handle('price', 1, () => 1);
  await fixture.worker.start();
  return fixture;
}

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'graphrun-threads-'));
});

afterEach(async () => {
  await fixture.close();
  rmSync(dir, { recursive: true });
});

describe('blocking handlers', () => {
  it('run in a thread, with input, keys and logger', async () => {
    const { owner, offer, lines } = await open(`
      import { isMainThread } from 'node:worker_threads';
      export function render(input, context) {
        context.logger.info({ step: 1 }, 'rendering');
        return { input, isMainThread, key: context.subKey('a'), attempt: context.attempt };
      }`);
    const { effectKey } = offer('render', { input: { pages: 2 } });
    owner.grant(await owner.nextClaim());
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'success',
      output: { input: { pages: 2 }, isMainThread: false, key: `${effectKey}:a`, attempt: 1 },
    });
    expect(lines.filter(({ message }) => message === 'rendering')).toMatchObject([
      { fields: { step: 1, activity: 'render' } },
    ]);
  });

  it('that compute without pause delay neither renewals nor other activities', async () => {
    const { owner, offer, clock, messaging, worker } = await open(
      'export function render(_input, context) { while (!context.aborted); return "stopped"; }',
    );
    offer('render');
    const claim = await owner.nextClaim();
    owner.grant(claim);
    await clock.advance(5_000);
    expect(owner.renewals.length).toBe(1);
    offer('price', { strict: false });
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 1 });

    const { run, activation, generation } = claim;
    messaging.queue.abort(worker.session, { run, activation, generation, reason: 'cancelled' });
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'stopped' });
  });

  it('report the codes and errors that they throw', async () => {
    const { owner, offer } = await open(`
      export function render(input) {
        if (input === 'code') throw Object.assign(new Error('no ink'), { name: 'ActivityError', code: 'no_ink' });
        throw new RangeError('out of paper');
      }`);
    offer('render', { strict: false, input: 'code' });
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'error',
      failure: { code: 'no_ink', message: 'no ink' },
    });
    offer('render', { strict: false, input: 'other' });
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'unhandled',
      failure: { code: 'activity.unhandled', message: 'RangeError: out of paper' },
    });
  });

  it('that end their thread leave an unknown outcome, and the next one gets a new thread', async () => {
    const { owner, offer } = await open(
      'export function render(input) { if (input === "die") process.exit(3); return input; }',
    );
    offer('render', { strict: false, input: 'die' });
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'unhandled',
      failure: { code: 'activity.unhandled', message: 'Error: the thread of the handler exited with code 3' },
    });
    offer('render', { strict: false, input: 'live' });
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'live' });
  });

  it('that ignore their abort keep their slot until they have really ended', async () => {
    const { owner, offer, clock, worker } = await open(`
      export function render(file) { while (!existsSync(file)); return 'late'; }`);
    const file = join(dir, 'stop');
    offer('render', { timeoutMs: 10_000, input: file });
    owner.grant(await owner.nextClaim(), clock.now() + 10_000);
    await clock.advance(10_000);
    await clock.advance(60_000);
    expect(worker.status().attempts).toMatchObject([{ phase: 'running' }]);
    writeFileSync(file, '');
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'late' });
    await settle();
    expect(worker.status().running).toBe(0);
  });

  it('that ignore the end of their worker are ended with it: external work is unknown, pure work handed back', async () => {
    const { owner, offer, clock, worker } = await open('export function render() { for (;;); }');
    for (const activity of ['render', 'pay']) {
      offer(activity);
      owner.grant(await owner.nextClaim());
    }
    await settle();
    const drained = worker.drain(30_000);
    await clock.advance(28_999);
    expect(owner.unread).toEqual([]);
    await clock.advance(1);
    const reports = [await owner.nextReport(), await owner.nextReport()];
    expect(reports.map(({ outcome }) => outcome).sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'returned', reason: 'the handler stopped for the shutdown of its worker' },
      {
        kind: 'unhandled',
        failure: {
          code: 'activity.unhandled',
          message: 'AttemptAborted: the handler did not stop for the shutdown of its worker; its thread was ended',
        },
      },
    ]);
    for (const report of reports) owner.accept(report);
    expect(await drained).toEqual({ finished: 2, abandoned: 0 });
  });

  it('that compute for seconds keep nobody waiting', async () => {
    const { owner, offer, clock } = await open(
      'export function render() { const end = Date.now() + 3_000; while (Date.now() < end); return "done"; }',
    );
    offer('render');
    owner.grant(await owner.nextClaim());
    const since = performance.now();
    for (let round = 1; round <= 3; round += 1) {
      await clock.advance(5_000);
      expect(owner.renewals.length).toBe(round);
      offer('price', { strict: false });
      const report = await owner.nextReport();
      expect(report.outcome).toEqual({ kind: 'success', output: 1 });
      owner.accept(report);
    }
    expect(performance.now() - since).toBeLessThan(2_500);
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'done' });
    expect(performance.now() - since).toBeGreaterThan(2_500);
  });

  it('whose thread dies of an error outside of them leave an unknown outcome', async () => {
    const { owner, offer } = await open(`
      export async function render() {
        setTimeout(() => { throw new RangeError('nobody catches this'); }, 1);
        await new Promise(() => setInterval(() => undefined, 1_000));
      }`);
    offer('pay');
    owner.grant(await owner.nextClaim());
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'unhandled',
      failure: { code: 'activity.unhandled', message: 'Error: the thread of the handler died: nobody catches this' },
    });
  });

  it('that return what cannot leave their thread have a bad output; such heartbeats and log lines are cut', async () => {
    const { owner, offer, worker, lines } = await open(`
      export function render(_input, context) {
        context.heartbeat({ call: () => 1 });
        context.logger.info({ call: () => 1 }, 'rendering');
        return { call: () => 1 };
      }`);
    offer('render', { strict: false });
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'unhandled',
      failure: {
        code: 'activity.bad_output',
        message: 'the output cannot leave the thread of its handler: () => 1 could not be cloned.',
      },
    });
    const omitted = '() => 1 could not be cloned.';
    expect(worker.status().attempts).toMatchObject([{ details: { omitted } }]);
    expect(lines).toContainEqual({ level: 'info', fields: expect.objectContaining({ omitted }), message: 'rendering' });
  });

  it('see why they are aborted', async () => {
    const { owner, offer, messaging, worker } = await open(`
      export async function render(_input, { signal, heartbeat }) {
        heartbeat('listening');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return signal.reason.why;
      }`);
    offer('render');
    const { run, activation, generation, ...claim } = await owner.nextClaim();
    owner.grant({ run, activation, generation, ...claim });
    while (worker.status().attempts[0]?.details !== 'listening') await settle(1);
    messaging.queue.abort(worker.session, { run, activation, generation, reason: 'lost' });
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'lease_lost' });
  });

  it('that a module does not export are said to be missing', async () => {
    const { owner, offer } = await open('export const other = 1;');
    offer('render', { strict: false });
    const { outcome } = await owner.nextReport();
    expect(outcome).toMatchObject({ kind: 'unhandled' });
    expect(JSON.stringify(outcome)).toContain("exports no function 'render'");
  });

  it('that no thread was free for are handed back when their time is over: they cost no attempt', async () => {
    const { owner, offer, clock } = await open(
      'export function render(_input, context) { while (!context.aborted); }',
      {
        slots: 32,
      },
    );
    for (let count = 0; count < 17; count += 1) {
      offer('pay', { timeoutMs: count === 16 ? 10_000 : 600_000 });
      owner.grant(await owner.nextClaim(), clock.now() + (count === 16 ? 10_000 : 600_000));
    }
    await clock.advance(10_000);
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'returned',
      reason: 'no thread was free in time: the deadline of this attempt has passed',
    });
  });

  it('share sixteen threads', async () => {
    const { owner, offer, messaging, worker } = await open(
      `
      import { threadId } from 'node:worker_threads';
      export function render(_input, context) { while (!context.aborted); return threadId; }`,
      { slots: 32 },
    );
    const claims = [];
    for (let count = 0; count < 17; count += 1) {
      offer('render');
      const claim = await owner.nextClaim();
      claims.push(claim);
      owner.grant(claim);
    }
    await settle();
    expect(worker.status().running).toBe(17);
    const threads = new Set<unknown>();
    for (const { run, activation, generation } of claims) {
      messaging.queue.abort(worker.session, { run, activation, generation, reason: 'cancelled' });
      const { outcome } = await owner.nextReport();
      if (outcome.kind === 'success') threads.add(outcome.output);
    }
    // The seventeenth ran in a thread that one of the others had left.
    expect(threads.size).toBe(16);
  });

  it('have as many slots as there are threads where nothing else is said', async () => {
    const { messaging } = await open('export function render() {}');
    const [session] = await messaging.queue.sessions();
    const slots = session?.capabilities.map(({ activity, role, slots: of }) => `${activity} ${role} ${of}`);
    expect(slots).toContain('render forward 16');
    expect(slots).toContain('price forward 32');
  });
});
