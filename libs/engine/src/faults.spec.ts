import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PartitionWrites } from '@graphrun/store';
import { sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { FaultDatabase } from './testing/fault-store.js';
import { endOf, historyOf } from './testing/history.js';
import { replaced } from './testing/replaced.js';
import { passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 7 };

/** Whether the batch holds an event row with this text. */
function writesText(writes: readonly PartitionWrites[], text: string): boolean {
  return writes.some((part) => part.events.some((row) => row.data.includes(text)));
}

describe('commits that go wrong', () => {
  const faults = new FaultDatabase();
  let engine: TestEngine;

  beforeEach(async () => {
    faults.fault = () => null;
    faults.commits.length = 0;
    engine = await TestEngine.open({
      wrap: (database) => faults.wrap(database),
      definitions: [sequence('pure', { a: {}, b: {} }), sequence('idle', { nobody: {} })],
    });
  });

  afterEach(() => engine.discard());

  it('a commit that happened but was reported as lost is answered once, and the run goes on', async () => {
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['a', 'b'] });
    let times = 0;
    faults.fault = (writes, apply) => {
      if (times >= 3 || !writesText(writes, 'unlucky')) return null;
      times += 1;
      return apply().then(() => ({ kind: 'unknown', cause: new Error('connection lost after COMMIT') }));
    };
    const run = await engine.client.run('pure', { id: 'unlucky', n: 1 }, { startKey: 'k' });
    expect(await endOf(engine.database, run)).toEqual({ kind: 'run_succeeded', output: { id: 'unlucky', n: 1 } });
    expect(times).toBe(3);
    await worker.close();
  });

  it('a commit that was lost before it happened is done again from the log', async () => {
    let lost = 0;
    faults.fault = (writes) => {
      if (lost > 0 || !writesText(writes, 'unlucky')) return null;
      lost += 1;
      return Promise.resolve({ kind: 'unknown', cause: new Error('connection lost before COMMIT') });
    };
    const run = await engine.client.run('idle', { id: 'unlucky', n: 1 });
    expect(lost).toBe(1);
    expect((await historyOf(engine.database, run))[0]?.body).toMatchObject({ kind: 'run_admitted', run });
  });

  it('shows nothing of a commit that was lost: no receipt, no offer, no notice', async () => {
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['a', 'b'] });
    let seen: { receipts: number; notices: number; offers: number } | null = null;
    faults.fault = (writes) => {
      if (seen !== null || !writesText(writes, 'unlucky')) return null;
      seen = {
        receipts: engine.client.receipts.length,
        notices: engine.client.notices.length,
        offers: worker.offers.length,
      };
      return Promise.resolve({ kind: 'unknown', cause: new Error('connection lost before COMMIT') });
    };
    const run = await engine.client.run('pure', { id: 'unlucky', n: 1 });
    await engine.client.outcome(run);
    expect(seen).toEqual({ receipts: 0, notices: 0, offers: 0 });
    const epochs = new Set(
      engine.client.notices.filter((n) => n.changes.some((c) => c.run === run)).map((n) => n.epoch),
    );
    expect(epochs.size).toBe(1);
    await worker.close();
  });

  it('a batch that PostgreSQL refuses is taken apart: only the bad command is quarantined, the neighbours go on', async () => {
    faults.fault = (writes) =>
      writesText(writes, 'poison')
        ? Promise.resolve({ kind: 'data_error', sqlstate: '22021', message: 'invalid byte sequence' })
        : null;
    const starts = Array.from({ length: 24 }, (_, n) =>
      engine.client.start('idle', { id: n === 11 ? 'poison' : `good ${n}`, n }),
    );
    const results = await Promise.all(starts);
    expect(results.filter((result) => result.ok)).toHaveLength(23);
    expect(results[11]).toEqual({
      ok: false,
      code: 'Internal',
      message: 'the engine could not apply this command and has put it into quarantine; ask an operator',
    });
    const quarantined = await engine.database.query.quarantine(10);
    expect(quarantined).toHaveLength(1);
    expect(quarantined[0]).toMatchObject({
      kind: 'start',
      principal: 'tester',
      error: expect.stringContaining('22021'),
    });
    expect(quarantined[0]?.data).toContain('poison');
  });

  it('keeps the order of the log when a batch is taken apart with others behind it', async () => {
    await engine.discard();
    engine = await TestEngine.open({
      wrap: (database) => faults.wrap(database),
      definitions: [sequence('idle', { nobody: {} })],
      config: { batchCommands: 8 },
      partitions: 1,
    });
    faults.fault = (writes, apply) =>
      writesText(writes, 'poison')
        ? Promise.resolve({ kind: 'data_error', sqlstate: '22021', message: 'invalid byte sequence' })
        : // Slow enough for batches to be decided and closed behind it.
          new Promise((resolve) => setImmediate(() => resolve(apply())));
    // Of two starts with one key and different inputs the first one wins: the winner tells the order.
    const pairs = Array.from({ length: 60 }, (_, n) => {
      if (n % 20 === 7)
        return { poison: engine.client.start('idle', { id: `poison ${n}`, n }), first: null, second: null };
      const first = engine.client.start('idle', { id: 'first', n }, { startKey: `k${n}` });
      return { poison: null, first, second: engine.client.start('idle', { id: 'second', n }, { startKey: `k${n}` }) };
    });
    for (const { poison, first, second } of pairs) {
      if (poison !== null) expect(await poison).toMatchObject({ ok: false, code: 'Internal' });
      else expect([await first, await second]).toMatchObject([{ ok: true }, { ok: false, code: 'AlreadyExists' }]);
    }
    expect(await engine.database.query.quarantine(10)).toHaveLength(3);
  });

  it('a command whose decision throws is quarantined alone, and its run goes on with other commands', async () => {
    const definition = sequence('broken', { a: {}, b: {} });
    const { ['b/v1']: _gone, ...contracts } = definition.contracts;
    await engine.database.query.publishDefinition('default', { ...definition, contracts });
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['a', 'b'] });
    const run = await engine.client.run('broken', ITEM);
    const good = await engine.client.run('pure', ITEM);
    await engine.client.outcome(good);
    const receipt = await engine.client.until('the refused report', () =>
      worker.receipts.find((r) => r.verdict === 'rejected'),
    );
    expect(receipt.reason).toBe(
      'the engine could not apply this command and has put it into quarantine; ask an operator',
    );
    expect(await engine.database.query.quarantine(10)).toMatchObject([
      { kind: 'report', error: expect.stringContaining('b/v1') },
    ]);
    expect(await engine.client.cancel(run, 'it is broken')).toMatchObject({ ok: true });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'cancelled' });
    await worker.close();
  });

  it('keeps runs of uncommitted batches in memory, however little room there is', async () => {
    await engine.discard();
    engine = await TestEngine.open({
      wrap: (database) => faults.wrap(database),
      definitions: [sequence('pure', { a: {}, b: {} })],
      config: { residentBytes: 1 },
    });
    const worker = await TestWorker.open({
      messaging: engine.messaging,
      activities: ['a', 'b'],
      free: 4,
      script: passOn,
    });
    const runs = await Promise.all(Array.from({ length: 40 }, (_, n) => engine.client.run('pure', { id: `i${n}`, n })));
    for (const [n, run] of runs.entries()) {
      expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output: { id: `i${n}`, n } });
      await historyOf(engine.database, run);
    }
    await worker.close();
  });

  it('a run that cannot be read is listed as unrecoverable and refused with its reason', async () => {
    const run = await engine.client.run('idle', ITEM);
    await engine.stop();
    engine = await TestEngine.open({
      dataDir: engine.dataDir,
      wrap: (database) => {
        const real = database.engine;
        const loadRuns: typeof real.loadRuns = async (runs) =>
          (await real.loadRuns(runs)).map((stored) => ({
            ...stored,
            tail: stored.tail.map((row) => ({
              ...row,
              data: row.data.replaceAll('"scope_opened"', '"scope_unheard_of"'),
            })),
          }));
        return replaced(database, { engine: replaced(real, { loadRuns }) });
      },
    });
    const refused = await engine.client.cancel(run, 'x');
    expect(refused).toMatchObject({
      ok: false,
      code: 'FailedPrecondition',
      message: expect.stringContaining('scope_unheard_of'),
    });
    expect(await engine.database.query.unrecoverable(10)).toMatchObject([
      { run, reason: expect.stringContaining('scope_unheard_of') },
    ]);
  });
});
