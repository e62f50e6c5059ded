import { beforeAll, expect, it } from '@jest/globals';
import type { SignalEventId } from '@graphrun/domain';
import { describeStores } from './testing/backends.js';
import { after, commit, newRun, owned } from './testing/writes.js';
import type { Database, PartitionRow, RunInsert, SignalIdentityRow } from './index.js';

const DAY_MS = 86_400_000;

function identity(run: RunInsert, event: string, of: Partial<SignalIdentityRow> = {}): SignalIdentityRow {
  return {
    workflowId: run.workflowId,
    signal: 'approve',
    event: event as SignalEventId,
    digest: 'd1',
    run: run.run,
    version: 3,
    at: Date.now(),
    ...of,
  };
}

describeStores('identities of signals', (backend) => {
  let store: Database;
  let row: PartitionRow;
  beforeAll(async () => {
    store = await backend.newStore();
    row = await owned(store);
  }, 60_000);

  async function write(runs: readonly RunInsert[], signals: readonly SignalIdentityRow[]): Promise<void> {
    expect(await store.engine.apply([commit(row, { runInserts: runs, signals })])).toEqual({ kind: 'committed' });
    row = after(row);
  }

  function count(run: RunInsert): Promise<readonly unknown[]> {
    return backend.sql(
      store,
      `SELECT count(*)::int AS count FROM graphrun.signal_identity WHERE workflow_id = '${run.workflowId}'`,
    );
  }

  it('are found by a run, the name of the signal and the event, whichever run of the workflow accepted it', async () => {
    const first = newRun();
    const second = newRun({ workflowId: first.workflowId, ordinal: 2 });
    const other = newRun();
    await write([first, second, other], [identity(first, 'e1')]);
    const event = 'e1' as SignalEventId;
    const found = await store.engine.signals([
      { run: first.run, signal: 'approve', event },
      { run: second.run, signal: 'approve', event },
      { run: second.run, signal: 'reject', event },
      { run: first.run, signal: 'approve', event: 'e2' as SignalEventId },
      { run: other.run, signal: 'approve', event },
    ]);
    const stored = identity(first, 'e1', { at: expect.any(Number) as unknown as number });
    expect(new Map(found.map((of) => [of.sentTo, of.identity]))).toEqual(
      new Map([
        [first.run, stored],
        [second.run, stored],
      ]),
    );
    expect(found).toHaveLength(2);
  });

  it('are written by a commit that is fenced as little as anything else of it', async () => {
    const run = newRun();
    await write([run], []);
    const stale = { ...row, epoch: row.epoch - 1 };
    const outcome = await store.engine.apply([commit(stale, { signals: [identity(run, 'e1')] })]);
    expect(outcome).toEqual({ kind: 'guard_missed', reason: 'row' });
    expect(await count(run)).toEqual([{ count: 0 }]);
  });

  it('are taken over by the same signal that came anew after they had expired', async () => {
    const run = newRun();
    await write([run], [identity(run, 'e1', { at: 1 })]);
    await write([], [identity(run, 'e1', { digest: 'd2', at: 5 })]);
    const found = await store.engine.signals([{ run: run.run, signal: 'approve', event: 'e1' as SignalEventId }]);
    expect(found.map((of) => [of.identity.digest, of.identity.at])).toEqual([['d2', 5]]);
  });

  it('are forgotten after seven days', async () => {
    const run = newRun();
    const now = Date.now();
    await write(
      [run],
      [identity(run, 'old', { at: now - 8 * DAY_MS }), identity(run, 'young', { at: now - 6 * DAY_MS })],
    );
    await store.maintain();
    const rows = await backend.sql<{ event: string }>(store, eventsOf(run));
    expect(rows.map(({ event }) => event)).toEqual(['young']);
  });

  it('are forgotten from the oldest on beyond 10,000 of a workflow', async () => {
    const [crowded, other] = [newRun(), newRun()];
    const now = Date.now();
    await write([crowded, other], [identity(other, 'e0')]);
    for (let from = 0; from < 10_050; from += 3_350) {
      const some = Array.from({ length: 3_350 }, (_, index) =>
        identity(crowded, `e${from + index}`, { at: now - 20_000 + from + index }),
      );
      await write([], some);
    }
    await store.maintain();
    expect(await count(crowded)).toEqual([{ count: 10_000 }]);
    expect(await count(other)).toEqual([{ count: 1 }]);
    const [oldest] = await backend.sql<{ oldest: string }>(
      store,
      `SELECT min(at) - ${now - 20_000} AS oldest FROM graphrun.signal_identity WHERE workflow_id = '${crowded.workflowId}'`,
    );
    expect(Number(oldest?.oldest)).toBe(50);
  });
});

function eventsOf(run: RunInsert): string {
  return `SELECT event FROM graphrun.signal_identity WHERE workflow_id = '${run.workflowId}'`;
}
