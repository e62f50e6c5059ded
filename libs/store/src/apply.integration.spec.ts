import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CommandId, RunId } from '@graphrun/domain';
import { describeStores, type Backend } from './testing/backends.js';
import { after, commit, events, newRun, owned, result } from './testing/writes.js';
import type { Database } from './index.js';

/** Rows of every table that a commit can write, and the partitions' commit numbers. */
async function contents(backend: Backend, store: Database): Promise<Readonly<Record<string, string>>> {
  const [row] = await backend.sql<Record<string, string>>(
    store,
    `SELECT (SELECT count(*)::int FROM graphrun.event) AS event, (SELECT count(*)::int FROM graphrun.run) AS run,
            (SELECT count(*)::int FROM graphrun.wake) AS wake, (SELECT count(*)::int FROM graphrun.result) AS result,
            (SELECT count(*)::int FROM graphrun.checkpoint) AS checkpoint,
            (SELECT string_agg(commit_no::text, ',' ORDER BY partition) FROM graphrun.partition) AS commits`,
  );
  if (row === undefined) throw new Error('a SELECT without FROM has a row');
  return row;
}

function admission(partition = 0) {
  const run = newRun({ partition });
  return {
    run: run.run,
    sets: {
      runInserts: [run],
      events: [events(run.run, 1, 3)],
      wakes: [{ run: run.run, dueAt: 5, kinds: 'r' }],
      results: [result({ partition })],
    },
  };
}

describeStores('apply', (backend) => {
  let store: Database;
  beforeAll(async () => {
    store = await backend.newStore();
  }, 60_000);

  it('writes everything and moves the partition', async () => {
    const row = await owned(store);
    const { run, sets } = admission();
    const move = { ...commit(row).move, engineTime: 1_700_000_000_123 };

    expect(await store.engine.apply([{ ...commit(row, sets), move }])).toEqual({ kind: 'committed' });

    const [moved] = await store.engine.partitions();
    expect(moved).toEqual({
      ...after(row),
      engineTime: 1_700_000_000_123,
      takeoversHere: 0,
      backendPid: row.backendPid,
    });
    expect(await store.engine.wakes(0, null, 10)).toEqual([{ run, dueAt: 5, kinds: 'r' }]);
    expect(await store.query.events(run, 1, 10)).toEqual([{ seq: 1, count: 3, data: '{"from":1,"count":3}' }]);
  });

  it('lets exactly one of two owners commit, and the other one writes nothing', async () => {
    const row = await owned(store);
    const [first, second] = [admission(), admission()];
    const before = await contents(backend, store);

    const outcomes = await Promise.all([
      store.engine.apply([commit(row, first.sets)]),
      store.engine.apply([commit(row, second.sets)]),
    ]);

    expect(outcomes).toEqual([{ kind: 'committed' }, { kind: 'guard_missed', reason: 'row' }]);
    expect(await store.query.run(second.run)).toBeNull();
    expect(await contents(backend, store)).toMatchObject({
      run: Number(before['run']) + 1,
      event: Number(before['event']) + 1,
    });
  });

  it.each([
    ['a former epoch', { epoch: -1 }],
    ['another incarnation', { incarnation: 7 }],
    ['a commit number that is not the next', { commitNo: 999 }],
    ['a partition that does not exist', { partition: 99 }],
  ])('writes nothing for %s', async (_what, wrong) => {
    const row = await owned(store);
    const before = await contents(backend, store);
    const writes = commit(row, admission().sets);

    expect(await store.engine.apply([{ ...writes, move: { ...writes.move, ...wrong } }])).toEqual({
      kind: 'guard_missed',
      reason: 'row',
    });

    expect(await contents(backend, store)).toEqual(before);
  });

  it('writes nothing for a partition that an operator has paused', async () => {
    const row = await owned(store, 3);
    await backend.sql(store, 'UPDATE graphrun.partition SET paused = true WHERE partition = 3');
    expect(await store.engine.apply([commit(row, admission(3).sets)])).toEqual({ kind: 'guard_missed', reason: 'row' });
    await backend.sql(store, 'UPDATE graphrun.partition SET paused = false WHERE partition = 3');
    expect(await store.engine.apply([commit(row)])).toEqual({ kind: 'committed' });
  });

  it('writes nothing for any partition of a batch when one of them misses', async () => {
    const [mine, lost] = [await owned(store, 1), await owned(store, 2)];
    await owned(store, 2, 'c-2');
    const before = await contents(backend, store);

    const batch = [commit(lost, admission(2).sets), commit(mine, admission(1).sets)];
    expect(await store.engine.apply(batch)).toEqual({ kind: 'guard_missed', reason: 'row' });

    expect(await contents(backend, store)).toEqual(before);
    expect(await store.engine.apply([commit(mine, admission(1).sets)])).toEqual({ kind: 'committed' });
  });

  it('refuses a time that is more than two seconds ahead of the clock of PostgreSQL, and takes one that is less', async () => {
    const row = await owned(store);
    const clock = await store.engine.clock();
    const before = await contents(backend, store);
    const at = (engineTime: number) => ({ ...commit(row), move: { ...commit(row).move, engineTime } });

    expect(await store.engine.apply([at(clock + 60_000)])).toEqual({ kind: 'guard_missed', reason: 'clock' });
    expect(await contents(backend, store)).toEqual(before);
    expect(await store.engine.apply([at(clock + 1_500)])).toEqual({ kind: 'committed' });
  });

  it('never moves the engine time of a partition back', async () => {
    const row = await owned(store, 1);
    const clock = await store.engine.clock();
    const ahead = { ...commit(row), move: { ...commit(row).move, engineTime: clock } };
    await store.engine.apply([ahead]);
    await store.engine.apply([commit(after(row))]);
    expect((await store.engine.partitions())[1]?.engineTime).toBe(clock);
  });

  describe('calls what cannot be stored a data error and writes nothing:', () => {
    const run = newRun();
    it.each([
      ['a name that is too long', '22001', { runInserts: [newRun({ namespace: 'n'.repeat(65) })] }],
      ['a sequence that is already written', '23505', { events: [events(run.run, 1), events(run.run, 1)] }],
      [
        'a second run with the same ordinal',
        '23505',
        { runInserts: [run, { ...newRun(), workflowId: run.workflowId }] },
      ],
      [
        'the same result twice',
        '23505',
        { results: [result({ commandId: 'x' as CommandId }), result({ commandId: 'x' as CommandId })] },
      ],
      [
        'a new status of a run that is not there',
        '23000',
        { runUpdates: [{ run: newRun().run, status: 'failed' as const, endedAt: 1 }] },
      ],
      ['a status that does not exist', '23514', { runInserts: [newRun({ status: 'lost' as 'active' })] }],
      ['text with NUL', '22021', { results: [result({ result: 'a\0b' })] }],
      ['text with a lone surrogate', '22021', { results: [result({ result: 'a\ud800b' })] }],
      ['an index entry that is too large', '54000', { results: [result({ principal: randomText(20_000) })] }],
      ['a run id that is none', '22P02', { wakeDeletes: ['nonsense' as RunId] }],
      ['a number beyond 32 bits', '22003', { checkpoints: [{ run: run.run, seq: 2 ** 31, state: '{}' }] }],
    ])('%s', async (_what, sqlstate, sets) => {
      const row = await owned(store);
      const before = await contents(backend, store);

      const outcome = await store.engine.apply([commit(row, { ...admission().sets, ...sets })]);

      expect(outcome).toMatchObject({ kind: 'data_error', sqlstate });
      expect(await contents(backend, store)).toEqual(before);
    });
  });

  it('stores text whose JSON escapes stand for NUL and lone surrogates, and gives it back as it was', async () => {
    const row = await owned(store);
    const run = newRun();
    const data = JSON.stringify([{ text: 'NUL \0, lone \ud800, pair 😀, é' }]);
    expect(data).toContain(String.raw`\u0000`);
    await store.engine.apply([commit(row, { runInserts: [run], events: [{ ...events(run.run, 1), data }] })]);
    expect(await store.query.events(run.run, 1, 1)).toEqual([{ seq: 1, count: 1, data }]);
  });

  it('keeps in quarantine even what PostgreSQL would refuse', async () => {
    const row = await owned(store);
    const { run } = newRun();
    await store.engine.apply([
      commit(row, {
        quarantined: [
          {
            partition: 0,
            incarnation: 0,
            seq: 7,
            run,
            kind: 'start',
            principal: 'alice',
            data: '{"a":"\0"}',
            error: 'bad \ud800',
            at: 9,
          },
        ],
        unrecoverable: [{ run, partition: 0, reason: 'digest \0', since: 9, attempts: 1 }],
      }),
    ]);
    expect(await store.query.quarantine(10)).toEqual([
      {
        id: expect.any(Number),
        partition: 0,
        incarnation: 0,
        seq: 7,
        run,
        kind: 'start',
        principal: 'alice',
        data: String.raw`{"a":"\u0000"}`,
        error: String.raw`bad \ud800`,
        at: 9,
      },
    ]);
    expect(await store.query.unrecoverable(10)).toEqual([
      { run, partition: 0, reason: String.raw`digest \u0000`, since: 9, attempts: 1 },
    ]);
  });

  it('takes the later one of two wakes, statuses or checkpoints that a commit has for one run', async () => {
    const row = await owned(store);
    const run = newRun();
    await store.engine.apply([
      commit(row, {
        runInserts: [run],
        runUpdates: [
          { run: run.run, status: 'stopping', endedAt: null },
          { run: run.run, status: 'failed', endedAt: 8 },
        ],
        wakes: [
          { run: run.run, dueAt: 1, kinds: 'r' },
          { run: run.run, dueAt: null, kinds: 'rc' },
        ],
        checkpoints: [
          { run: run.run, seq: 1, state: '1' },
          { run: run.run, seq: 2, state: '2' },
        ],
      }),
    ]);
    expect(await store.query.run(run.run)).toMatchObject({ status: 'failed', endedAt: 8 });
    expect(await store.engine.wakes(0, null, 100)).toContainEqual({ run: run.run, dueAt: null, kinds: 'rc' });
    expect((await store.engine.loadRuns([run.run]))[0]?.checkpoint).toEqual({ seq: 2, state: '2' });
  });

  it('deletes a wake row together with the end of its run', async () => {
    const row = await owned(store, 1);
    const { run, sets } = admission(1);
    await store.engine.apply([commit(row, sets)]);
    expect(await store.engine.wakes(1, null, 100)).toContainEqual({ run, dueAt: 5, kinds: 'r' });
    await store.engine.apply([
      commit(after(row), { wakeDeletes: [run], runUpdates: [{ run, status: 'succeeded', endedAt: 9 }] }),
    ]);
    expect(await store.engine.wakes(1, null, 100)).not.toContainEqual({ run, dueAt: 5, kinds: 'r' });
  });

  it('has nothing to do for an empty batch', async () => {
    expect(await store.engine.apply([])).toEqual({ kind: 'committed' });
  });
});

/** Text that does not compress, so that it is as large in an index as it looks. */
function randomText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
