import { beforeAll, expect, it } from '@jest/globals';
import type { CommandId, RunId, WorkflowId } from '@graphrun/domain';
import { describeStores } from './testing/backends.js';
import { commit, events, newRun, owned, result } from './testing/writes.js';
import type { Database, PartitionWrites } from './index.js';

describeStores('reads', (backend) => {
  let store: Database;
  beforeAll(async () => {
    store = await backend.newStore();
  }, 60_000);

  async function write(sets: Partial<PartitionWrites>, partition = 0): Promise<void> {
    expect(await store.engine.apply([commit(await owned(store, partition), sets)])).toEqual({ kind: 'committed' });
  }

  it('loads runs with their newest checkpoint and the events behind it', async () => {
    const [long, short] = [newRun(), newRun({ partition: 0 })];
    await write({
      runInserts: [long, short],
      events: [events(long.run, 1, 3), events(long.run, 4, 2), events(long.run, 6), events(short.run, 1, 2)],
      checkpoints: [{ run: long.run, seq: 3, state: 'three' }],
    });
    await write({ checkpoints: [{ run: long.run, seq: 5, state: 'five' }], events: [events(long.run, 7, 2)] });

    const loaded = await store.engine.loadRuns([long.run, newRun().run, short.run]);

    expect(loaded).toHaveLength(2);
    expect(loaded.find((one) => one.run === long.run)).toEqual({
      run: long.run,
      partition: 0,
      digest: long.digest,
      checkpoint: { seq: 5, state: 'five' },
      tail: [
        { seq: 6, count: 1, data: '{"from":6,"count":1}' },
        { seq: 7, count: 2, data: '{"from":7,"count":2}' },
      ],
    });
    expect(loaded.find((one) => one.run === short.run)).toMatchObject({
      checkpoint: null,
      tail: [{ seq: 1, count: 2 }],
    });
  });

  it('finds the rows that hold given sequences, each once, and none for sequences that are not there', async () => {
    const { run, ...rest } = newRun();
    await write({ runInserts: [{ run, ...rest }], events: [events(run, 1, 3), events(run, 4), events(run, 5, 2)] });
    const seqs = (rows: readonly { seq: number }[]) => rows.map((row) => row.seq);
    expect(seqs(await store.engine.eventsAt(run, [2, 3, 5, 6]))).toEqual([1, 5]);
    expect(seqs(await store.engine.eventsAt(run, [4]))).toEqual([4]);
    expect(seqs(await store.engine.eventsAt(run, [7, 99]))).toEqual([]);
    expect(seqs(await store.query.events(run, 2, 10))).toEqual([1, 4, 5]);
    expect(seqs(await store.query.events(run, 4, 1))).toEqual([4]);
    expect(seqs(await store.query.events(run, 7, 10))).toEqual([]);
  });

  it('finds the newest run of a WorkflowId', async () => {
    const first = newRun({ startKey: 'k' });
    const second = newRun({ workflowId: first.workflowId, ordinal: 2, startKey: 'k' });
    await write({ runInserts: [first, second] });
    const unknown = 'f'.repeat(32) as WorkflowId;
    expect(await store.engine.workflows([first.workflowId, unknown, first.workflowId])).toEqual([
      {
        workflowId: first.workflowId,
        run: second.run,
        ordinal: 2,
        startDigest: second.startDigest,
        version: 1,
        status: 'active',
      },
    ]);
  });

  it('pages through the wake rows of one partition', async () => {
    const runs = Array.from({ length: 5 }, () => newRun({ partition: 2 }));
    const elsewhere = newRun({ partition: 1 });
    await write({ wakes: runs.map(({ run }, index) => ({ run, dueAt: index, kinds: 'r' })) }, 2);
    await write({ wakes: [{ run: elsewhere.run, dueAt: null, kinds: 't' }] }, 1);

    const seen: RunId[] = [];
    for (let after: RunId | null = null; ;) {
      const page: readonly { run: RunId }[] = await store.engine.wakes(2, after, 2);
      seen.push(...page.map((wake) => wake.run));
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.run;
    }
    expect(seen).toEqual(runs.map(({ run }) => run).sort());
  });

  it('gives the stored result of a command, by partition, principal and id', async () => {
    const commandId = 'cmd-1' as CommandId;
    await write({
      results: [result({ commandId, result: '"mine"' }), result({ commandId, principal: 'bob', result: '"his"' })],
    });
    const key = { partition: 0, principal: 'alice', commandId };
    const stored = { ...key, digest: 'r'.repeat(32), result: '"mine"' };

    expect(await store.query.result(key)).toEqual(stored);
    expect(await store.engine.results([key, { ...key, principal: 'eve' }, key])).toEqual([stored]);
    expect(await store.query.result({ ...key, partition: 1 })).toBeNull();
  });

  it('gives the results since a time, oldest first', async () => {
    const at = (time: number) => result({ partition: 3, at: time, result: String(time) });
    await write({ results: [at(1_700_000_003_000), at(1_700_000_001_000), at(1_700_000_002_000)] }, 3);
    const recent = await store.engine.recentResults(3, 1_700_000_002_000);
    expect(recent.map((one) => one.result)).toEqual(['1700000002000', '1700000003000']);
  });

  it('lists runs newest first in pages, filtered', async () => {
    const namespace = 'lists';
    const runs = Array.from({ length: 7 }, (_, index) =>
      newRun({
        namespace,
        createdAt: 1_700_000_000_000 + Math.floor(index / 2),
        workflow: index % 2 === 0 ? 'even' : 'odd',
      }),
    );
    await write({ runInserts: runs });
    await write({ runUpdates: runs.slice(0, 2).map(({ run }) => ({ run, status: 'failed', endedAt: 5 })) });
    const newestFirst = [...runs]
      .sort((a, b) => b.createdAt - a.createdAt || (a.run < b.run ? 1 : -1))
      .map(({ run }) => run);

    const seen: RunId[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: readonly { run: RunId }[]; cursor: string | null } = await store.query.listRuns(
        { namespace },
        3,
        cursor,
      );
      seen.push(...page.items.map((item) => item.run));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(seen).toEqual(newestFirst);

    const names = async (filter: object) =>
      (await store.query.listRuns({ namespace, ...filter }, 10, null)).items.length;
    expect(await names({ workflow: 'odd' })).toBe(3);
    expect(await names({ status: ['failed'] })).toBe(2);
    expect(await names({ status: [] })).toBe(0);
    expect(await names({ createdAfter: 1_700_000_000_000, createdBefore: 1_700_000_000_003 })).toBe(4);
    expect(await names({ version: 2 })).toBe(0);
    expect(await store.query.countRuns({ namespace })).toEqual({
      active: 5,
      stopping: 0,
      blocked: 0,
      succeeded: 0,
      failed: 2,
      cancelled: 0,
      continued: 0,
      terminated: 0,
    });
  });

  it('refuses a cursor that it has not given', async () => {
    await expect(store.query.listRuns({ namespace: 'lists' }, 3, 'nonsense')).rejects.toMatchObject({
      code: 'InvalidArgument',
    });
  });

  it('answers a text that is no run id like a run that is not there', async () => {
    const nonsense = 'nonsense' as RunId;
    expect(await store.query.run(nonsense)).toBeNull();
    expect(await store.query.loadRuns([nonsense])).toEqual([]);
    expect(await store.query.events(nonsense, 1, 10)).toEqual([]);
    expect(await store.query.eventsAt(nonsense, [1])).toEqual([]);
  });

  it('shows a run with all its fields', async () => {
    const run = newRun({ startKey: 'order-7', version: 3 });
    await write({ runInserts: [run] });
    const { startDigest: _internal, ...shown } = run;
    expect(await store.query.run(run.run)).toEqual({ ...shown, endedAt: null });
  });
});
