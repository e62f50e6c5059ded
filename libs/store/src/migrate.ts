/**
 * Brings the store to this version. Each migration is one transaction and is recorded in it, so a failed or killed
 * run is simply run again; an advisory lock makes members that start at once go one after the other.
 */
import { GraphrunError } from '@graphrun/protocol';
import { MigrationExecutor, type DataSource } from 'typeorm';
import { MIGRATION_TABLE, SCHEMA } from './data-source.js';
import { MIGRATIONS } from './migrations/index.js';
import { rowsOf, type Reader } from './reader.js';

/** Format of the stored data that this binary writes, and the newest that it reads. */
export const STORE_FORMAT = 1;

const MIGRATION_LOCK = 0x6772_0001;
const LOCK_TIMEOUT_MS = 60_000;

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

/**
 * Runs what is pending. `clusterId` becomes the identity of a store that is new; without it PostgreSQL draws one.
 * Exactly one of several callers at once runs a migration; the others wait and find it done.
 */
export async function runMigrations(dataSource: DataSource, clusterId: string | null): Promise<void> {
  // One session holds the lock and runs the migrations: it is all that an embedded database has.
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await runner.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
      const before = rowsOf<{ found: boolean }>(
        await runner.query(`SELECT to_regclass('${SCHEMA}.cluster') IS NOT NULL AS found`),
      );
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      if (clusterId !== null && before[0]?.found !== true) {
        await runner.query(`UPDATE ${SCHEMA}.cluster SET id = $1`, [clusterId]);
      }
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
