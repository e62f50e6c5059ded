import { afterAll, describe, expect, it } from '@jest/globals';
import { serverDataSource } from './data-source.js';
import { RunStates1767225600004 } from './migrations/1767225600004-run-states.js';
import { MIGRATIONS } from './migrations/index.js';
import { describeStores, inDatabase, newDatabase, ownServer } from './testing/backends.js';
import { Child } from './testing/child.js';
import { openPostgres, type Database } from './index.js';

describe('migrations', () => {
  const stores: Database[] = [];
  afterAll(() => Promise.all(stores.map((store) => store.close())));
  const server = ownServer();

  async function open(url: string): Promise<Database> {
    const store = await openPostgres({ url, applicationName: 'test' });
    stores.push(store);
    return store;
  }

  it('are pending in an empty database, and done after a run, and a repeat does nothing', async () => {
    const store = await open(await newDatabase(server().url));
    expect(await store.pendingMigrations()).toBe(MIGRATIONS.length);
    await store.migrate();
    expect(await store.pendingMigrations()).toBe(0);
    const identity = await store.cluster();
    await store.migrate();
    expect(await store.cluster()).toEqual(identity);
    expect(identity).toMatchObject({ format: 1, partitionCount: null });
  });

  it('are asked for in a sentence when the store is used without them', async () => {
    const store = await open(await newDatabase(server().url));
    await expect(store.engine.partitions()).rejects.toMatchObject({
      code: 'FailedPrecondition',
      message: expect.stringContaining('run its migrations first'),
    });
  });

  it('can be run by several processes at once', async () => {
    const url = await newDatabase(server().url);
    const children = [1, 2, 3].map(() => Child.start('./migrate.program.ts', url));
    await Promise.all(children.map((child) => child.until((lines) => lines.includes('ready'))));
    for (const child of children) child.say('go');
    await Promise.all(children.map((child) => child.until((lines) => lines.includes('pending 0'))));
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
    const names = await inDatabase(url, async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM graphrun.migration ORDER BY id');
      return rows.map((row) => row.name);
    });
    expect(names).toEqual([
      'Tables1767225600000',
      'ApplyV11767225600001',
      'ReadsV11767225600002',
      'Publications1767225600003',
      'RunStates1767225600004',
      'SignalIdentities1767225600005',
    ]);
  }, 60_000);

  it('leave nothing behind when they fail half way, and can be run again', async () => {
    const url = await newDatabase(server().url);
    const store = await open(url);
    // The name of the last but one object of the first migration is taken.
    await inDatabase(url, (client) =>
      client.query(
        "CREATE SCHEMA graphrun; CREATE FUNCTION graphrun.clock_ms() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
      ),
    );
    await expect(store.migrate()).rejects.toMatchObject({ message: expect.stringContaining('clock_ms') });
    expect(await store.pendingMigrations()).toBe(MIGRATIONS.length);
    const tables = await inDatabase(url, (client) =>
      client.query(
        "SELECT relname FROM pg_class WHERE relnamespace = 'graphrun'::regnamespace AND relname <> 'migration' AND relkind = 'r'",
      ),
    );
    expect(tables.rows).toEqual([]);

    await inDatabase(url, (client) => client.query('DROP FUNCTION graphrun.clock_ms()'));
    await store.migrate();
    expect(await store.pendingMigrations()).toBe(0);
  });

  it('make the tables that the entities describe', async () => {
    const url = await newDatabase(server().url);
    await (await open(url)).migrate();
    const source = await serverDataSource({ url, applicationName: 'test', poolSize: 1 }).initialize();
    const described = source.entityMetadatas
      .flatMap(({ tableName, columns }) =>
        columns.map((column) => {
          const length = column.length === '' ? '' : `(${column.length})`;
          const type = column.type === 'varchar' ? 'character varying' : String(column.type);
          return `${tableName}.${column.databaseName} ${type}${length}${column.isNullable ? '' : ' not null'}`;
        }),
      )
      .sort();
    const { rows } = await inDatabase(url, (client) =>
      client.query<{ text: string }>(
        `SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
                || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END AS text
           FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          WHERE c.relnamespace = 'graphrun'::regnamespace AND c.relkind IN ('r', 'p')
            AND c.relname <> 'migration' AND NOT c.relispartition`,
      ),
    );
    expect(described).toEqual(rows.map((row) => row.text).sort());
    await source.destroy();
  });

  it('forget checkpoints of a format that is no longer read', async () => {
    const url = await newDatabase(server().url);
    await (await open(url)).migrate();
    const source = await serverDataSource({ url, applicationName: 'test', poolSize: 1 }).initialize();
    const runner = source.createQueryRunner();
    const states = new RunStates1767225600004();
    await states.down(runner);
    await runner.query(
      `INSERT INTO graphrun.checkpoint (run, seq, state) VALUES
         (gen_random_uuid(), 9, '{"digest":"d","format":"graphrun.checkpoint/v1","seq":9}'),
         (gen_random_uuid(), 7, '{"digest":"d","format":"graphrun.checkpoint/v2","seq":7}')`,
    );
    await states.up(runner);
    expect(await runner.query('SELECT seq FROM graphrun.checkpoint')).toEqual([{ seq: 7 }]);
    await runner.release();
    await source.destroy();
  });

  it('go down and up again', async () => {
    const url = await newDatabase(server().url);
    await (await open(url)).migrate();
    const source = await serverDataSource({ url, applicationName: 'test', poolSize: 1 }).initialize();
    await source.undoLastMigration();
    const store = await open(url);
    expect(await store.pendingMigrations()).toBe(1);
    await store.migrate();
    expect(await store.pendingMigrations()).toBe(0);
    await source.destroy();
  });
});

describeStores('the format of a store', (backend) => {
  it('is refused when it is newer than the program', async () => {
    const store = await backend.newStore();
    await backend.sql(store, 'UPDATE graphrun.cluster SET format = 2');
    await expect(backend.reopen(store)).rejects.toMatchObject({
      code: 'FailedPrecondition',
      message: 'The store has format 2, this version of Graphrun reads up to 1: use the newer version.',
    });
  }, 60_000);
});
