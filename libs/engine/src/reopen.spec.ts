import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunId } from '@graphrun/domain';
import { newCommandId } from '@graphrun/protocol';
import { eventually } from '@graphrun/testing';
import { definition, sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { historyOf, kindsOf, recorded, wakeKindsOf } from './testing/history.js';
import { passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 0 };
const EXTERNAL = { effects: 'external' } as const;
const STEPS = { first: EXTERNAL, second: EXTERNAL };

function rejecting(version: number, end: string) {
  const nodes = `first: {kind: activity, activity: {name: first, version: 1}, input: {from: workflow.input}, next: last}, last: ${end}`;
  return definition('rejecting', STEPS, `start: first\nnodes: {${nodes}}`, { version });
}

const DEFINITIONS = [
  sequence('order', STEPS),
  rejecting(1, '{kind: fail, error: {code: declined, message: no}}'),
  rejecting(2, '{kind: complete, output: {from: nodes.first.output}}'),
  sequence('order', { first: EXTERNAL, other: EXTERNAL, second: EXTERNAL }, 2),
];

describe('reopen, end to end', () => {
  let engine: TestEngine;
  let refused = new Set<string>();
  const workers: TestWorker[] = [];

  beforeAll(async () => {
    engine = await TestEngine.open({ definitions: DEFINITIONS });
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  afterAll(() => engine.discard());

  async function worker(): Promise<TestWorker> {
    const opened = await TestWorker.open({
      messaging: engine.messaging,
      activities: Object.keys(STEPS),
      script: (offer) =>
        refused.has(offer.activity)
          ? { kind: 'error', failure: { code: 'refused', message: `no ${offer.activity}` } }
          : passOn(offer),
    });
    workers.push(opened);
    return opened;
  }

  /** A run whose second step has failed. */
  async function failed(): Promise<{ readonly run: RunId; readonly one: TestWorker; readonly seq: number }> {
    refused = new Set(['second']);
    const one = await worker();
    const run = await engine.client.run('order', ITEM, { version: 1 });
    const { seq } = await recorded(engine.database, run, 'run_failed');
    refused = new Set();
    return { run, one, seq };
  }

  /** Restarts the engine, so that nothing of the run is in memory. */
  async function restart(): Promise<void> {
    for (const opened of workers.splice(0)) await opened.close();
    await engine.stop();
    engine = await TestEngine.open({ dataDir: engine.dataDir });
  }

  async function rowOf(run: RunId) {
    const row = await engine.database.query.run(run);
    return row === null ? null : { status: row.status, endedAt: row.endedAt };
  }

  it('goes on with the failed step under its own key, and the run is listed as active meanwhile', async () => {
    const { run, one } = await failed();
    await one.close();
    workers.length = 0;
    expect(await wakeKindsOf(engine.database, run)).toBeNull();
    expect(await engine.client.reopen(run)).toMatchObject({ ok: true, run });
    expect(await rowOf(run)).toEqual({ status: 'active', endedAt: null });
    expect(await wakeKindsOf(engine.database, run)).toBe('r');
    const two = await worker();
    await recorded(engine.database, run, 'run_succeeded');
    expect(two.executed.map(({ activity, generation, effectKey }) => [activity, generation, effectKey])).toEqual([
      ['second', 2, `gr1:${run}:a2:forward`],
    ]);
    expect(await rowOf(run)).toMatchObject({ status: 'succeeded' });
    expect(await wakeKindsOf(engine.database, run)).toBeNull();
  });

  it('goes on after a restart between failure and reopening, and after one behind it', async () => {
    const { run } = await failed();
    await restart();
    expect(await engine.client.reopen(run)).toMatchObject({ ok: true });
    await restart();
    await worker();
    await recorded(engine.database, run, 'run_succeeded');
  });

  it('of two that race on the same state one wins, and the same command again gets its first answer', async () => {
    const { run, seq } = await failed();
    const ids = [newCommandId(), newCommandId()];
    const answers = await Promise.all(
      ids.map((commandId) => engine.client.reopen(run, { expectedSeq: seq, commandId })),
    );
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ code: 'FailedPrecondition' });
    await recorded(engine.database, run, 'run_succeeded');
    const again = await Promise.all(ids.map((commandId) => engine.client.reopen(run, { expectedSeq: seq, commandId })));
    expect(again).toEqual(answers);
    const kinds = await kindsOf(engine.database, run);
    expect(kinds.filter((kind) => kind === 'run_reopened')).toHaveLength(1);
  });

  it('goes on with another version, which is found again after a restart', async () => {
    await worker();
    const run = await engine.client.run('rejecting', ITEM, { version: 1 });
    await recorded(engine.database, run, 'run_failed');
    expect(await engine.client.reopen(run)).toMatchObject({ ok: false, code: 'FailedPrecondition' });
    expect(await engine.client.reopen(run, { version: 9 })).toMatchObject({ ok: false, code: 'NotFound' });
    await restart();
    expect(await engine.client.reopen(run, { version: 2 })).toMatchObject({ ok: true, version: 2 });
    await recorded(engine.database, run, 'run_succeeded');
    await restart();
    expect(await engine.client.cancel(run, 'too late')).toMatchObject({
      ok: false,
      message: expect.stringContaining('it succeeded'),
    });
  });

  it('names what another version does not have', async () => {
    const { run } = await failed();
    const answer = await engine.client.reopen(run, { version: 2 });
    expect(answer).toMatchObject({
      ok: false,
      code: 'FailedPrecondition',
      message: expect.stringContaining('nodes.n1 is the activity other/v1, not second/v1'),
    });
    expect((await historyOf(engine.database, run)).at(-1)?.body.kind).toBe('run_failed');
  });

  it('answers a start under its key with the run that was opened again', async () => {
    refused = new Set(['second']);
    await worker();
    const run = await engine.client.run('order', ITEM, { version: 1, startKey: 'one' });
    await recorded(engine.database, run, 'run_failed');
    for (const opened of workers.splice(0)) await opened.close();
    await engine.client.reopen(run);
    expect(await engine.client.start('order', ITEM, { version: 1, startKey: 'one' })).toMatchObject({ ok: true, run });
    await eventually('the run is active', async () => (await rowOf(run))?.status === 'active', 1_000);
  });
});
