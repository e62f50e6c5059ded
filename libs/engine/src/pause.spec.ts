import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { definition, sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { endOf, kindsOf, recorded, wakeKindsOf } from './testing/history.js';
import { passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 7 };

describe('a paused run', () => {
  let engine: TestEngine;
  const workers: TestWorker[] = [];

  beforeAll(async () => {
    engine = await TestEngine.open({
      definitions: [
        sequence('steps', { c: { effects: 'external' }, d: { effects: 'external' } }),
        sequence('pure', { a: {} }),
        definition(
          'naps',
          {},
          'start: nap\nnodes: {nap: {kind: delay, duration: 300ms, next: end}, end: {kind: complete, output: {from: workflow.input}}}',
        ),
      ],
    });
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  afterAll(() => engine.discard());

  async function worker(options: Partial<Parameters<typeof TestWorker.open>[0]>): Promise<TestWorker> {
    const opened = await TestWorker.open({ messaging: engine.messaging, activities: [], free: 2, ...options });
    workers.push(opened);
    return opened;
  }

  async function restart(): Promise<void> {
    for (const opened of workers.splice(0)) await opened.close();
    await engine.stop();
    engine = await TestEngine.open({ dataDir: engine.dataDir });
  }

  it('grants nothing, though it was offered before, and everything after it was resumed', async () => {
    const run = await engine.client.run('steps', ITEM);
    expect(await engine.client.operate('pause', run)).toMatchObject({ ok: true, run });
    const one = await worker({ activities: ['c', 'd'] });
    const refusal = await engine.client.until('the answer to its claim', () => one.receipts.at(0));
    expect(refusal).toMatchObject({ verdict: 'stale', reason: expect.stringContaining('paused') });
    expect(one.executed).toEqual([]);
    expect(await engine.client.operate('resume', run)).toMatchObject({ ok: true, run });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect(one.executed.map(({ activity }) => activity)).toEqual(['c', 'd']);
  });

  it('takes the result of what runs, and begins the next step when it is resumed', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const one = await worker({
      activities: ['c', 'd'],
      script: async (offer) => {
        if (offer.activity === 'c') await finished;
        return passOn(offer);
      },
    });
    const run = await engine.client.run('steps', ITEM);
    await engine.client.until('the first step', () => one.executed.at(0));
    await engine.client.operate('pause', run);
    finish();
    await recorded(engine.database, run, 'activity_succeeded');
    // Somebody else's work goes on meanwhile, and by then this run would have gone on as well.
    await engine.client.outcome(await engine.client.run('naps', ITEM));
    expect((await kindsOf(engine.database, run)).at(-1)).toBe('activity_succeeded');
    await engine.client.operate('resume', run);
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
  });

  it('stays paused over a restart, and goes on from there', async () => {
    const run = await engine.client.run('steps', ITEM);
    await engine.client.operate('pause', run);
    expect(await wakeKindsOf(engine.database, run)).toBe('h');
    await restart();
    const one = await worker({ activities: ['c', 'd'] });
    await engine.client.outcome(await engine.client.run('naps', ITEM));
    expect(one.executed).toEqual([]);
    await engine.client.operate('resume', run);
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
  });

  it('notes the end of a wait, and goes on from it when it is resumed', async () => {
    const run = await engine.client.run('naps', ITEM);
    await engine.client.operate('pause', run);
    await restart();
    await recorded(engine.database, run, 'timer_fired');
    expect(await engine.database.query.run(run)).toMatchObject({ endedAt: null });
    await engine.client.operate('resume', run);
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_succeeded' });
  });

  it('offers pure work strictly when it is resumed: a worker may have begun it before', async () => {
    const run = await engine.client.run('pure', ITEM);
    await engine.client.operate('pause', run);
    await engine.client.operate('resume', run);
    const one = await worker({ activities: ['a'] });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    const last = one.offers.at(-1);
    expect(one.offers.map(({ strict }) => strict)).toEqual(one.offers.map((offer) => offer === last));
  });

  it('is cancelled only when it is resumed: cleaning up is held as well', async () => {
    const run = await engine.client.run('steps', ITEM);
    await engine.client.operate('pause', run);
    await engine.client.cancel(run, 'enough');
    expect(await engine.database.query.run(run)).toMatchObject({ endedAt: null });
    await engine.client.operate('resume', run);
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'cancelled' });
  });
});
