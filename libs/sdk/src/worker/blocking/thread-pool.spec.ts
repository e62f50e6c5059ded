import { afterEach, describe, expect, it } from '@jest/globals';
import { settle } from '../../testing/manual-clock.js';
import { contract, openFixture } from '../../testing/worker-fixture.js';
import type { WorkerFixture } from '../../testing/worker-fixture.js';
import { blocking } from '../handler.js';

/** A module for a thread, without a file. */
function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

let fixture: WorkerFixture;

async function open(source: string): Promise<WorkerFixture> {
  fixture = await openFixture({ contracts: [contract('render', { execution: 'blocking' }), contract('price')] });
  fixture.worker.handle('render', 1, blocking(moduleOf(source), 'render')).handle('price', 1, () => 1);
  await fixture.worker.start();
  return fixture;
}

afterEach(async () => {
  await fixture.close();
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

  it('that ignore their abort are ended with their thread after the grace', async () => {
    const { owner, offer, clock, worker } = await open('export function render() { for (;;); }');
    offer('render', { timeoutMs: 10_000 });
    owner.grant(await owner.nextClaim(), clock.now() + 10_000);
    await clock.advance(10_000);
    expect(worker.status().running).toBe(1);
    await clock.advance(5_000);
    const report = await owner.nextReport();
    expect(report.outcome).toEqual({
      kind: 'unhandled',
      failure: {
        code: 'activity.unhandled',
        message: 'Error: the handler did not stop within 5000 ms (deadline); its thread was ended',
      },
    });
  });

  it('that a module does not export are said to be missing', async () => {
    const { owner, offer } = await open('export const other = 1;');
    offer('render', { strict: false });
    const { outcome } = await owner.nextReport();
    expect(outcome).toMatchObject({ kind: 'unhandled' });
    expect(JSON.stringify(outcome)).toContain("exports no function 'render'");
  });

  it('share sixteen threads', async () => {
    const { owner, offer, messaging, worker } = await open(`
      import { threadId } from 'node:worker_threads';
      export function render(_input, context) { while (!context.aborted); return threadId; }`);
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
});
