import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { eventually } from '@graphrun/testing';
import { describeStores, inDatabase, newDatabase, ownServer, type Backend } from './testing/backends.js';
import { commit, owned, result } from './testing/writes.js';
import { openPostgres, type Database } from './index.js';

const DAY_MS = 86_400_000;

function tableOf(day: number): string {
  return `result_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

async function tables(backend: Backend, store: Database): Promise<readonly string[]> {
  const rows = await backend.sql<{ name: string }>(
    store,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'graphrun.result'::regclass`,
  );
  return rows.map((row) => row.name.replace('graphrun.', '')).sort();
}

describeStores('result tables', (backend) => {
  let store: Database;
  let today: number;
  beforeAll(async () => {
    store = await backend.newStore();
    today = Math.floor((await store.engine.clock()) / DAY_MS);
  }, 60_000);

  it('exist for today and three days ahead, and a default for everything else', async () => {
    const expected = [...[0, 1, 2, 3].map((ahead) => tableOf(today + ahead)), 'result_default'];
    expect(await tables(backend, store)).toEqual(expected);
    await store.maintain();
    expect(await tables(backend, store)).toEqual(expected);
  });

  it('take over what the default table has caught for their day', async () => {
    const table = tableOf(today + 2);
    await backend.sql(store, `DROP TABLE graphrun.${table}`);
    const late = result({ at: (today + 2) * DAY_MS + 5 });
    expect(await store.engine.apply([commit(await owned(store), { results: [late] })])).toEqual({ kind: 'committed' });
    expect(await backend.sql(store, 'SELECT command_id FROM graphrun.result_default')).toEqual([
      { command_id: late.commandId },
    ]);

    await store.maintain();

    expect(await backend.sql(store, 'SELECT command_id FROM graphrun.result_default')).toEqual([]);
    expect(await backend.sql(store, `SELECT command_id FROM graphrun.${table}`)).toEqual([
      { command_id: late.commandId },
    ]);
    expect(await store.query.result(late)).toMatchObject({ result: late.result });
  });

  it('are dropped a day after their end, but not before the log of their partitions has been applied that far', async () => {
    const day = today - 3;
    const table = tableOf(day);
    await backend.sql(
      store,
      `CREATE TABLE graphrun.${table} PARTITION OF graphrun.result FOR VALUES FROM (${day * DAY_MS}) TO (${(day + 1) * DAY_MS})`,
    );
    const old = result({ partition: 1, at: day * DAY_MS + 5 });
    await store.engine.apply([commit(await owned(store, 1), { results: [old] })]);

    const appliedUntil = async (time: number) => {
      await backend.sql(store, `UPDATE graphrun.partition SET position_at = ${time} WHERE partition = 1`);
      await store.maintain();
      return (await tables(backend, store)).includes(table);
    };
    expect(await appliedUntil((day + 2) * DAY_MS - 1)).toBe(true);
    expect(await store.query.result(old)).not.toBeNull();
    expect(await appliedUntil((day + 2) * DAY_MS)).toBe(false);
    expect(await store.query.result(old)).toBeNull();
  });

  it('are kept for a day after their end', async () => {
    const day = today - 1;
    await backend.sql(
      store,
      `CREATE TABLE graphrun.${tableOf(day)} PARTITION OF graphrun.result FOR VALUES FROM (${day * DAY_MS}) TO (${(day + 1) * DAY_MS})`,
    );
    await store.maintain();
    expect(await tables(backend, store)).toContain(tableOf(day));
  });

  it('that have expired empty are dropped whatever has been applied', async () => {
    const day = today - 30;
    await backend.sql(
      store,
      `CREATE TABLE graphrun.${tableOf(day)} PARTITION OF graphrun.result FOR VALUES FROM (${day * DAY_MS}) TO (${(day + 1) * DAY_MS})`,
    );
    await store.maintain();
    expect(await tables(backend, store)).not.toContain(tableOf(day));
  });

  it('of the default table lose expired rows in the same way', async () => {
    const at = (today - 40) * DAY_MS;
    await store.engine.apply([
      commit(await owned(store, 2), {
        results: [result({ partition: 2, at }), result({ partition: 2, at: at + DAY_MS })],
      }),
    ]);
    await backend.sql(store, `UPDATE graphrun.partition SET position_at = ${at + DAY_MS} WHERE partition = 2`);
    await store.maintain();
    expect(await backend.sql(store, 'SELECT at::text FROM graphrun.result_default')).toEqual([
      { at: String(at + DAY_MS) },
    ]);
  });
});

describe('maintenance of result tables', () => {
  const server = ownServer();

  it('lets commits go on while it waits for a lock, and finishes when it gets it', async () => {
    const url = await newDatabase(server().url);
    const store = await openPostgres({ url, applicationName: 'test' });
    await store.migrate();
    await store.engine.initPartitions(1);
    const row = await owned(store);
    const today = Math.floor((await store.engine.clock()) / DAY_MS);
    await inDatabase(url, (client) =>
      client.query(
        `CREATE TABLE graphrun.result_20200101 PARTITION OF graphrun.result
           FOR VALUES FROM (${Date.UTC(2020, 0, 1)}) TO (${Date.UTC(2020, 0, 2)});
         DROP TABLE graphrun.${tableOf(today + 3)}`,
      ),
    );
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM graphrun.result');

    const maintained = store.maintain();
    await eventually('maintenance waits for its lock', async () =>
      inDatabase(url, async (client) => {
        const { rows } = await client.query('SELECT FROM pg_locks WHERE NOT granted');
        return rows.length > 0;
      }),
    );
    const started = performance.now();
    expect(await store.engine.apply([commit(row, { results: [result()] })])).toEqual({ kind: 'committed' });
    expect(performance.now() - started).toBeLessThan(1_000);
    await reader.query('ROLLBACK');
    await reader.end();
    await maintained;

    const { rows } = await inDatabase(url, (client) =>
      client.query("SELECT to_regclass('graphrun.result_20200101') AS gone"),
    );
    expect(rows).toEqual([{ gone: null }]);
    await store.close();
  }, 30_000);
});
