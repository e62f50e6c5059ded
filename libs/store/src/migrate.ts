/**
 * Brings the store to this version. Each migration is one transaction and is recorded in it, so a failed or killed
 * run is simply run again; an advisory lock makes members that start at once go one after the other.
 */
import { createHash } from 'node:crypto';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { GraphrunError } from '@graphrun/protocol';
import { MIGRATION_TABLE, SCHEMA } from './data-source.js';
import { MIGRATIONS } from './migrations/index.js';
import type { Reader } from './reader.js';

/** Format of the stored data that this binary writes, and the newest that it reads. */
export const STORE_FORMAT = 1;

const MIGRATION_LOCK = 0x6772_0001;
const LOCK_TIMEOUT_MS = 60_000;

/** SHA-256 of all statements of all migrations: two binaries with the same digest make the same tables. */
export async function migrationsDigest(): Promise<string> {
  const hash = createHash('sha256');
  const recorder = { query: (statement: string) => Promise.resolve(hash.update(statement)) };
  for (const Migration of MIGRATIONS) await new Migration().up(recorder as unknown as QueryRunner);
  return hash.digest('hex');
}

/** Names of the migrations that have not been run, in order. */
export async function pendingMigrations(reader: Reader): Promise<readonly string[]> {
  const all = MIGRATIONS.map((migration) => migration.name);
  if (!(await tableExists(reader, MIGRATION_TABLE))) return all;
  const rows = await reader.rows<{ name: string }>(`SELECT name FROM ${SCHEMA}.${MIGRATION_TABLE}`);
  const done = new Set(rows.map((row) => row.name));
  return all.filter((name) => !done.has(name));
}

/** Throws `FailedPrecondition` when the store was written in a format that this binary does not know. */
export async function refuseNewerStore(reader: Reader): Promise<void> {
  if (!(await tableExists(reader, 'cluster'))) return;
  const [cluster] = await reader.rows<{ format: number }>(`SELECT format FROM ${SCHEMA}.cluster`);
  if (cluster === undefined || cluster.format <= STORE_FORMAT) return;
  throw new GraphrunError(
    'FailedPrecondition',
    `The store has format ${cluster.format}, this version of Graphrun reads up to ${STORE_FORMAT}: use the newer version.`,
    { details: { format: cluster.format, supported: STORE_FORMAT } },
  );
}

/** Runs what is pending. Of several callers at once one runs a migration; the others wait and find it done. */
export async function runMigrations(dataSource: DataSource): Promise<void> {
  // One session holds the lock and runs the migrations: it is all that an embedded database has.
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await runner.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await runner.query('RESET ALL');
    await runner.release();
  }
}

async function tableExists(reader: Reader, table: string): Promise<boolean> {
  const [row] = await reader.rows<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    `${SCHEMA}.${table}`,
  ]);
  return row?.found === true;
}
