import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startPostgres, type PostgresService } from './postgres.js';
import { isRunning } from './process-tree.js';
import { tempDir } from './temp-dir.js';

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined); // the server is killed under it on purpose
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(sql);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

describe('a PostgreSQL server of the harness', () => {
  let postgres: PostgresService;

  beforeAll(async () => {
    postgres = await startPostgres({ settings: { max_connections: '17' } });
    await ask(postgres.url, 'CREATE TABLE kept (id int PRIMARY KEY)');
  });
  afterAll(() => postgres.stop());

  it('syncs to disk as in production, and takes the settings it was given', async () => {
    await expect(ask(postgres.url, `SELECT current_setting('fsync') AS answer`)).resolves.toBe('on');
    await expect(ask(postgres.url, `SELECT current_setting('max_connections') AS answer`)).resolves.toBe('17');
    await expect(ask(postgres.url, `SELECT current_setting('data_directory') AS answer`)).resolves.toBe(
      postgres.dataDir,
    );
  });

  it('is back with all commits on the same address after kill -9', async () => {
    const { pid, url } = postgres;
    await ask(url, 'INSERT INTO kept VALUES (1)');
    await postgres.kill();
    expect(isRunning(pid)).toBe(false);
    await expect(ask(url, 'SELECT 1 AS answer')).rejects.toThrow('ECONNREFUSED');
    await postgres.restart();
    expect(postgres.url).toBe(url);
    expect(postgres.pid).not.toBe(pid);
    await expect(ask(url, 'SELECT count(*)::int AS answer FROM kept')).resolves.toBe(1);
  });

  it('restarts in order while it runs', async () => {
    const { pid } = postgres;
    await postgres.restart();
    expect(isRunning(pid)).toBe(false);
    await expect(ask(postgres.url, 'SELECT 1 AS answer')).resolves.toBe(1);
  });

  it('answers nothing while it is frozen, and answers again afterwards', async () => {
    postgres.pause();
    await expect(ask(postgres.url, 'SELECT 1 AS answer')).rejects.toThrow('timeout expired');
    postgres.resume();
    await expect(ask(postgres.url, 'SELECT 1 AS answer')).resolves.toBe(1);
  });

  it('runs beside another one, and leaves neither process nor directory', async () => {
    const other = await startPostgres({ fsync: false });
    expect(other.port).not.toBe(postgres.port);
    await expect(ask(other.url, `SELECT current_setting('fsync') AS answer`)).resolves.toBe('off');
    await other.stop();
    expect(isRunning(other.pid)).toBe(false);
    expect(existsSync(other.dataDir)).toBe(false);
  });

  it('keeps a directory that it was given, and goes on with what is in it', async () => {
    const dir = await tempDir('kept');
    const first = await startPostgres({ dir });
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS answer');
    await first.stop();
    const second = await startPostgres({ dir });
    try {
      await expect(ask(second.url, 'SELECT answer FROM kept')).resolves.toBe(7);
    } finally {
      await second.stop();
    }
  });
});
