import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { removeDir, tempDir } from '@graphrun/testing';
import { openEmbeddedSession, type EmbeddedSession } from './embedded-session.js';
import { createDatabaseFiles } from './template.js';

describe('the embedded database as a pool of pg', () => {
  let directory: string;
  let session: EmbeddedSession;
  let pool: Pool;

  beforeAll(async () => {
    directory = await tempDir('pglite');
    await createDatabaseFiles(join(directory, 'db'));
    session = await openEmbeddedSession(join(directory, 'db'));
    pool = session.pool;
  }, 60_000);

  afterAll(async () => {
    await session.close();
    await removeDir(directory);
  });

  it('gives errors with their SQLSTATE, and goes on', async () => {
    await expect(pool.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703', severity: 'ERROR' });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('never lets another statement into a transaction', async () => {
    await pool.query('CREATE TABLE note (text text)');
    const inside = await pool.connect();
    await inside.query('BEGIN');
    await inside.query("INSERT INTO note VALUES ('inside')");
    const outside = pool.query("INSERT INTO note VALUES ('outside')");
    await inside.query('ROLLBACK');
    inside.release();
    await outside;
    expect((await pool.query('SELECT text FROM note')).rows).toEqual([{ text: 'outside' }]);
  });

  it('gives the next client a clean session after one that broke', async () => {
    const broken = await pool.connect();
    await broken.query({ name: 'same', text: 'SELECT 1 AS one' });
    await broken.query("BEGIN; SET application_name = 'left behind'; INSERT INTO note VALUES ('left behind')");
    broken.release(true);

    expect((await pool.query({ name: 'same', text: 'SELECT 2 AS two' })).rows).toEqual([{ two: 2 }]);
    expect((await pool.query("SELECT FROM note WHERE text = 'left behind'")).rows).toEqual([]);
  });

  it('carries answers larger than any buffer on the way', async () => {
    const { rows } = await pool.query<{ text: string }>("SELECT repeat('x', 20000000) AS text");
    expect(rows[0]?.text.length).toBe(20_000_000);
  });
});
