import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunId, SignalEventId } from '@graphrun/domain';
import { newCommandId } from '@graphrun/protocol';
import type { CommandResult } from '@graphrun/protocol';
import { openEmbedded } from '@graphrun/store';
import { definition } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { FaultDatabase } from './testing/fault-store.js';
import { endOf, historyOf, kindsOf, wakeKindsOf } from './testing/history.js';
import { passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 0 };
const NEWS = { id: 'news', n: 1 };
const SIGNALS = 'signals: {news: {schema: item/v1}, other: {schema: item/v1}}';
const END = 'end: {kind: complete, output: {from: nodes.wait.output}}';

function waitFor(timeout: string): string {
  return `wait: {kind: wait_signal, signal: news, key: {literal: k}, timeout: ${timeout}, next: end`;
}

const DEFINITIONS = [
  definition('waits', {}, `${SIGNALS}\nstart: wait\nnodes: {${waitFor('null')}}, ${END}}`),
  definition(
    'patient',
    {},
    `${SIGNALS}\nstart: wait\nnodes: {${waitFor('1h')}, on_timeout: late}, ${END}, late: {kind: complete, output: {from: workflow.input}}}`,
  ),
  definition(
    'limited',
    {},
    `${SIGNALS}\nstart: wait\nnodes: {${waitFor('800ms')}, on_timeout: late}, ${END}, late: {kind: complete, output: {from: workflow.input}}}`,
  ),
  // The wait comes after the activity: what arrives before is kept.
  definition(
    'later',
    { a: {} },
    `${SIGNALS}\nstart: work\nnodes: {work: {kind: activity, activity: {name: a, version: 1}, input: {from: workflow.input}, next: wait}, ${waitFor('null')}}, ${END}}`,
  ),
];

describe('signals', () => {
  const faults = new FaultDatabase();
  let engine: TestEngine;
  const workers: TestWorker[] = [];

  async function open(dataDir?: string): Promise<void> {
    engine = await TestEngine.open({
      wrap: (database) => faults.wrap(database),
      definitions: DEFINITIONS,
      ...(dataDir === undefined ? {} : { dataDir }),
    });
  }

  async function restart(): Promise<void> {
    await engine.stop();
    await open(engine.dataDir);
  }

  beforeAll(() => open());

  afterEach(async () => {
    faults.fault = () => null;
    for (const worker of workers.splice(0)) await worker.close();
  });

  afterAll(() => engine.discard());

  function accepted(run: RunId, result: CommandResult): void {
    expect(result).toMatchObject({ ok: true, run, version: 1 });
  }

  it('end the wait of their address with their payload, and no other', async () => {
    const run = await engine.client.run('waits', ITEM);
    accepted(run, await engine.client.signal(run, 'news', { id: 'elsewhere', n: 1 }, { key: 'another' }));
    accepted(run, await engine.client.signal(run, 'other', { id: 'another name', n: 1 }));
    expect(engine.client.ended.has(run)).toBe(false);
    accepted(run, await engine.client.signal(run, 'news', NEWS));
    expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output: NEWS });
  });

  it('that come before their wait are kept for it, in the order of their acceptance', async () => {
    const run = await engine.client.run('later', ITEM);
    for (const n of [1, 2]) accepted(run, await engine.client.signal(run, 'news', { id: 'news', n }));
    workers.push(await TestWorker.open({ messaging: engine.messaging, activities: ['a'], script: passOn }));
    expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output: { id: 'news', n: 1 } });
  });

  it('reach a run that waits for nothing else, also after a restart, and nobody looks at it before', async () => {
    const run = await engine.client.run('waits', ITEM);
    expect(await wakeKindsOf(engine.database, run)).toBe('w');
    await restart();
    faults.loads.length = 0;
    // Another run is started and has ended: whatever recovery had to do is done.
    await endOf(engine.database, await engine.client.run('limited', ITEM));
    expect(faults.loads).not.toContain(run);
    accepted(run, await engine.client.signal(run, 'news', NEWS));
    expect(await endOf(engine.database, run)).toEqual({ kind: 'run_succeeded', output: NEWS });
  });

  it('that do not come in time leave the wait by its other edge, also when a restart was in between', async () => {
    const [one, two] = [await engine.client.run('patient', ITEM), await engine.client.run('limited', ITEM)];
    await restart();
    accepted(one, await engine.client.signal(one, 'news', NEWS));
    expect(await endOf(engine.database, one)).toEqual({ kind: 'run_succeeded', output: NEWS });
    expect(await endOf(engine.database, two)).toEqual({ kind: 'run_succeeded', output: ITEM });
    expect(await kindsOf(engine.database, two)).toContain('wait_timed_out');
  });

  it('are refused with a reason: unknown names, bad payloads, runs that have ended or do not exist', async () => {
    const run = await engine.client.run('waits', ITEM);
    expect(await engine.client.signal(run, 'gossip', NEWS)).toMatchObject({ ok: false, code: 'InvalidArgument' });
    expect(await engine.client.signal(run, 'news', { id: 'x' })).toMatchObject({ ok: false, code: 'InvalidArgument' });
    await engine.client.cancel(run, 'enough');
    expect(await engine.client.signal(run, 'news', NEWS)).toMatchObject({ ok: false, code: 'FailedPrecondition' });
    const missing = '01900000-0000-7000-8000-000000000001' as RunId;
    expect(await engine.client.signal(missing, 'news', NEWS)).toMatchObject({ ok: false, code: 'NotFound' });
  });

  describe('sent again', () => {
    it('under another command id get the first receipt and change nothing, whatever has become of the run', async () => {
      const run = await engine.client.run('waits', ITEM);
      const first = await engine.client.signal(run, 'news', NEWS, { event: 'e1' });
      expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
      const events = await historyOf(engine.database, run);
      expect(await engine.client.signal(run, 'news', { n: 1, id: 'news' }, { event: 'e1' })).toEqual(first);
      await restart();
      expect(await engine.client.signal(run, 'news', NEWS, { event: 'e1' })).toEqual(first);
      expect(await historyOf(engine.database, run)).toEqual(events);
    });

    it('with another payload or key are a conflict', async () => {
      const run = await engine.client.run('later', ITEM);
      accepted(run, await engine.client.signal(run, 'news', NEWS, { event: 'e1' }));
      const conflict = {
        ok: false,
        code: 'AlreadyExists',
        message:
          'event e1 of signal "news" was accepted with another key or payload; a new signal needs a fresh event id',
      };
      expect(await engine.client.signal(run, 'news', ITEM, { event: 'e1' })).toEqual(conflict);
      await restart();
      expect(await engine.client.signal(run, 'news', NEWS, { event: 'e1', key: 'another' })).toEqual(conflict);
      expect((await kindsOf(engine.database, run)).filter((kind) => kind === 'signal_accepted')).toHaveLength(1);
    });

    it('at the same time are accepted once', async () => {
      const run = await engine.client.run('later', ITEM);
      const results = await Promise.all(
        Array.from({ length: 20 }, () => engine.client.signal(run, 'news', NEWS, { event: 'e1' })),
      );
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      expect((await kindsOf(engine.database, run)).filter((kind) => kind === 'signal_accepted')).toHaveLength(1);
    });

    it('to another workflow, or under another name, are other signals', async () => {
      const [one, two] = [await engine.client.run('waits', ITEM), await engine.client.run('waits', ITEM)];
      accepted(one, await engine.client.signal(one, 'other', NEWS, { event: 'e1' }));
      accepted(one, await engine.client.signal(one, 'news', NEWS, { event: 'e1' }));
      accepted(two, await engine.client.signal(two, 'news', NEWS, { event: 'e1' }));
      expect((await engine.client.outcome(one)).outcome).toEqual({ status: 'succeeded', output: NEWS });
    });

    it('after seven days are new ones', async () => {
      const run = await engine.client.run('later', ITEM);
      accepted(run, await engine.client.signal(run, 'news', NEWS, { event: 'e1' }));
      await engine.stop();
      await ageSignal(engine.dataDir, run, 7 * 86_400_000);
      await open(engine.dataDir);
      accepted(run, await engine.client.signal(run, 'news', { id: 'another', n: 2 }, { event: 'e1' }));
      expect(await engine.client.signal(run, 'news', NEWS, { event: 'e1' })).toMatchObject({ code: 'AlreadyExists' });
    });

    it('may be corrected when they were refused', async () => {
      const run = await engine.client.run('waits', ITEM);
      expect(await engine.client.signal(run, 'news', { id: 'x' }, { event: 'e1' })).toMatchObject({ ok: false });
      accepted(run, await engine.client.signal(run, 'news', NEWS, { event: 'e1' }));
    });

    it('under the same command id get its answer, as every command does', async () => {
      const run = await engine.client.run('waits', ITEM);
      const commandId = newCommandId();
      const first = await engine.client.signal(run, 'news', { id: 'x' }, { event: 'e1', commandId });
      expect(first).toMatchObject({ ok: false, code: 'InvalidArgument' });
      expect(await engine.client.signal(run, 'news', { id: 'x' }, { event: 'e1', commandId })).toEqual(first);
    });

    it('are accepted by a successor when the commit that accepted them was lost', async () => {
      const run = await engine.client.run('waits', ITEM);
      let broken = false;
      faults.fault = (writes) => {
        if (broken || !writes.some(({ signals }) => signals.length > 0)) return null;
        broken = true;
        return Promise.resolve({ kind: 'unknown', cause: new Error('cut off') });
      };
      accepted(run, await engine.client.signal(run, 'news', NEWS, { event: 'e1' }));
      expect(broken).toBe(true);
      expect(await endOf(engine.database, run)).toEqual({ kind: 'run_succeeded', output: NEWS });
    });

    it('get the first receipt when the commit that accepted them was reported as lost and was not', async () => {
      const run = await engine.client.run('waits', ITEM);
      let broken = false;
      faults.fault = (writes, apply) => {
        if (broken || !writes.some(({ signals }) => signals.length > 0)) return null;
        broken = true;
        return apply().then(() => ({ kind: 'unknown', cause: new Error('cut off') }));
      };
      accepted(run, await engine.client.signal(run, 'news', NEWS, { event: 'e1' }));
      accepted(run, await engine.client.signal(run, 'news', NEWS, { event: 'e1' }));
      expect((await kindsOf(engine.database, run)).filter((kind) => kind === 'signal_accepted')).toHaveLength(1);
    });
  });
});

/** Makes the signal `e1` of a run older, as its owner would have written it then. */
async function ageSignal(dataDir: string, run: RunId, byMs: number): Promise<void> {
  const database = await openEmbedded({ dataDir });
  const stored = await database.query.run(run);
  const found = await database.engine.signals([{ run, signal: 'news', event: 'e1' as SignalEventId }]);
  const before = (await database.engine.partitions())[stored?.partition ?? 0];
  const row = before && (await database.engine.takeOver(before.partition, 'm0', before.epoch, 1));
  if (!row) throw new Error('the partition of the run could not be taken over');
  const { partition, epoch, incarnation, commitNo, position, engineTime } = row;
  const signals = found.map(({ identity }) => ({ ...identity, at: identity.at - byMs }));
  const writes = {
    events: [],
    runInserts: [],
    runUpdates: [],
    wakes: [],
    wakeDeletes: [],
    checkpoints: [],
    results: [],
  };
  const move = { partition, epoch, incarnation, commitNo, position, engineTime };
  const outcome = await database.engine.apply([{ move, ...writes, signals, quarantined: [], unrecoverable: [] }]);
  if (signals.length !== 1 || outcome.kind !== 'committed') throw new Error(`not aged: ${outcome.kind}`);
  await database.close();
}
