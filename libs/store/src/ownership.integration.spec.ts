import { beforeAll, expect, it } from '@jest/globals';
import { describeStores } from './testing/backends.js';
import { after, commit, owned } from './testing/writes.js';
import type { Database } from './index.js';

describeStores('ownership', (backend) => {
  let store: Database;
  beforeAll(async () => {
    store = await backend.newStore();
  }, 60_000);

  it('refuses another count of partitions than the recorded one', async () => {
    await store.engine.initPartitions(4);
    await expect(store.engine.initPartitions(8)).rejects.toMatchObject({
      code: 'FailedPrecondition',
      details: { recorded: 4, configured: 8 },
    });
    expect((await store.engine.partitions()).map((row) => row.partition)).toEqual([0, 1, 2, 3]);
  });

  it('raises the epoch and records owner, backend and lease', async () => {
    const clock = await store.engine.clock();
    const row = await store.engine.takeOver(0, 'c-1', 0, 10_000);
    expect(row).toMatchObject({ partition: 0, epoch: 1, owner: 'c-1', backendPid: expect.any(Number), commitNo: 0 });
    expect(row?.leaseUntil).toBeGreaterThanOrEqual(clock + 10_000);
    expect(row?.leaseUntil).toBeLessThan(clock + 15_000);
  });

  it('lets exactly one of two successors take a partition over', async () => {
    const [before] = await store.engine.partitions();
    const epoch = before?.epoch ?? -1;
    const rows = await Promise.all([
      store.engine.takeOver(0, 'c-2', epoch, 10_000),
      store.engine.takeOver(0, 'c-3', epoch, 10_000),
    ]);
    expect(rows.filter((row) => row !== null)).toHaveLength(1);
    expect((await store.engine.partitions())[0]?.epoch).toBe(epoch + 1);
  });

  it('counts takeovers at one position, and begins anew when the position has moved', async () => {
    expect((await owned(store, 1)).takeoversHere).toBe(1);
    expect((await owned(store, 1)).takeoversHere).toBe(2);
    const third = await owned(store, 1);
    expect(third.takeoversHere).toBe(3);

    const internal = commit(third);
    await store.engine.apply([{ ...internal, move: { ...internal.move, position: third.position } }]);
    expect((await store.engine.partitions())[1]?.takeoversHere).toBe(3);

    await store.engine.apply([commit({ ...third, commitNo: third.commitNo + 1 })]);
    expect((await store.engine.partitions())[1]?.takeoversHere).toBe(0);
    expect((await owned(store, 1)).takeoversHere).toBe(1);
  });

  it('counts how often a command was begun alone, for the epoch that holds the partition', async () => {
    const row = await owned(store, 1);
    expect(await store.engine.markStarted(1, row.epoch, 41)).toBe(true);
    expect(await store.engine.markStarted(1, row.epoch, 42)).toBe(true);
    expect(await store.engine.markStarted(1, row.epoch, 42)).toBe(true);
    const next = await owned(store, 1);
    expect(next.started).toEqual({ seq: 42, times: 2 });
    expect(await store.engine.markStarted(1, row.epoch, 43)).toBe(false);
    expect((await store.engine.resetLog(1, next.epoch))?.started).toEqual({ seq: 0, times: 0 });
  });

  it('renews only leases that are still the owner’s, and tells the clock', async () => {
    const [mine, lost] = [await owned(store, 2, 'c-1'), await owned(store, 3, 'c-1')];
    await owned(store, 3, 'c-2');
    const clock = await store.engine.clock();

    const renewed = await store.engine.renewLeases('c-1', [mine, lost], 60_000);

    expect(renewed.held).toEqual([2]);
    expect(renewed.clockMs).toBeGreaterThanOrEqual(clock);
    const rows = await store.engine.partitions();
    expect(rows[2]?.leaseUntil).toBeGreaterThanOrEqual(clock + 60_000);
    expect(rows[3]?.leaseUntil).toBeLessThan(clock + 60_000);
  });

  it('ends a lease on release, unless the partition has another owner by now', async () => {
    const row = await owned(store, 2, 'c-1');
    await store.engine.release(2, row.epoch);
    expect((await store.engine.partitions())[2]).toMatchObject({
      owner: null,
      backendPid: null,
      leaseUntil: 0,
      epoch: row.epoch,
    });

    const next = await owned(store, 2, 'c-2');
    await store.engine.release(2, row.epoch);
    expect((await store.engine.partitions())[2]).toMatchObject({ owner: 'c-2', epoch: next.epoch });
  });

  it('begins a new incarnation at position 0, which a commit decided before it misses', async () => {
    const row = await owned(store, 2);
    await store.engine.apply([commit(row)]);
    const reset = await store.engine.resetLog(2, row.epoch);
    expect(reset).toMatchObject({
      incarnation: row.incarnation + 1,
      commitNo: row.commitNo + 2,
      position: { seq: 0, messageId: '', timestamp: 0 },
    });
    expect(await store.engine.apply([commit(after(row))])).toEqual({ kind: 'guard_missed', reason: 'row' });
    expect(await store.engine.resetLog(2, row.epoch - 1)).toBeNull();
  });

  it('keeps everything over a restart', async () => {
    const row = await owned(store, 0);
    await store.engine.apply([commit(row)]);
    const [before] = await store.engine.partitions();
    const identity = await store.cluster();

    store = await backend.reopen(store);

    expect((await store.engine.partitions())[0]).toEqual(before);
    expect(await store.cluster()).toEqual(identity);
    expect(identity).toMatchObject({ format: 1, partitionCount: 4 });
  }, 30_000);
});
