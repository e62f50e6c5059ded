/**
 * Results lie in one table for each UTC day, so that a day is removed by dropping a table. Days are made ahead; what
 * comes for a day that has no table goes to the default table and is moved when the day gets its own.
 *
 * Every statement here needs a short lock that commits in progress may hold. It waits 200 ms at most, because commits
 * queue behind a waiting lock, and comes back later.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { QueryFailedError, type EntityManager } from 'typeorm';
import { GraphrunError } from '@graphrun/protocol';
import type { Reader } from './reader.js';
import { storeError } from './store-error.js';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 3;
/** A result is kept this long at least (spec 06 "command results"). */
const RESULT_RETENTION_MS = 86_400_000;

const LOCK_TIMEOUT_MS = 200;
const TRIES = 5;
const RETRY_DELAY_MS = 500;

const LOCK_NOT_AVAILABLE = '55P03';
/** Advisory lock of maintenance: one member at a time does it, the others skip it. */
const MAINTENANCE_LOCK = 0x6772_0002;

interface Day {
  readonly table: string;
  readonly from: number;
  readonly to: number;
}

/** Makes the tables of the coming days and drops those that have expired. */
export async function maintainResults(reader: Reader): Promise<void> {
  const [clock] = await reader.rows<{ clock: string }>('SELECT graphrun.clock_ms() AS clock');
  const now = Number(clock?.clock);
  const existing = new Set((await dayTables(reader)).map((day) => day.table));
  const today = Math.floor(now / DAY_MS);
  for (let day = today; day <= today + DAYS_AHEAD; day += 1) {
    const wanted = dayOf(day);
    if (!existing.has(wanted.table)) await retried(reader, (manager) => createDay(manager, wanted));
  }
  await retried(reader, (manager) => expireDefault(manager, now));
  for (const day of await dayTables(reader)) {
    if (day.to + RESULT_RETENTION_MS <= now) await retried(reader, (manager) => dropDay(manager, day));
  }
}

async function createDay(manager: EntityManager, day: Day): Promise<void> {
  const [present] = await manager.query<{ found: boolean }[]>(`SELECT to_regclass($1) IS NOT NULL AS found`, [
    `graphrun.${day.table}`,
  ]);
  if (present?.found === true) return;
  // Attaching a finished table locks less than creating it as a partition: inserts go on meanwhile.
  await manager.query(
    `CREATE TABLE graphrun.${day.table}
       (LIKE graphrun.result INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CHECK (at >= ${day.from} AND at < ${day.to}))`,
  );
  await manager.query(
    `WITH moved AS (DELETE FROM graphrun.result_default WHERE at >= $1 AND at < $2 RETURNING *)
     INSERT INTO graphrun.${day.table} SELECT * FROM moved`,
    [day.from, day.to],
  );
  await manager.query(
    `ALTER TABLE graphrun.result ATTACH PARTITION graphrun.${day.table} FOR VALUES FROM (${day.from}) TO (${day.to})`,
  );
}

/**
 * A result must outlive every copy of its command that was logged before the result expired: while a partition has
 * not applied its log up to then, days that hold results of that partition stay.
 */
async function dropDay(manager: EntityManager, day: Day): Promise<void> {
  const [held] = await manager.query<{ held: boolean }[]>(
    `SELECT EXISTS (SELECT FROM graphrun.partition AS p
                       WHERE p.position_at < $1
                         AND EXISTS (SELECT FROM graphrun.${day.table} AS r WHERE r.partition = p.partition)) AS held`,
    [day.to + RESULT_RETENTION_MS],
  );
  if (held?.held === false) await manager.query(`DROP TABLE graphrun.${day.table}`);
}

async function expireDefault(manager: EntityManager, now: number): Promise<void> {
  await manager.query(
    `DELETE FROM graphrun.result_default AS r USING graphrun.partition AS p
      WHERE p.partition = r.partition AND r.at < $1 AND p.position_at >= r.at + $2`,
    [now - RESULT_RETENTION_MS, RESULT_RETENTION_MS],
  );
}

async function dayTables(reader: Reader): Promise<readonly Day[]> {
  const rows = await reader.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'graphrun.result'::regclass AND c.relname ~ '^result_[0-9]{8}$' ORDER BY c.relname`,
  );
  return rows.map(({ name }) => {
    const date = name.slice('result_'.length).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    return dayOf(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  });
}

/** Of the day that is `number` days after 1970-01-01. */
function dayOf(number: number): Day {
  const from = number * DAY_MS;
  const date = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
  return { table: `result_${date}`, from, to: from + DAY_MS };
}

async function retried(reader: Reader, work: (manager: EntityManager) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await reader.dataSource.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        const [lock] = await manager.query<{ mine: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
          MAINTENANCE_LOCK,
        ]);
        // Another member is at it.
        if (lock?.mine === true) await work(manager);
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw storeError(error);
      if (tries === TRIES) {
        throw new GraphrunError(
          'Unavailable',
          `The tables of command results could not be locked in ${TRIES} tries of ${LOCK_TIMEOUT_MS} ms: ` +
            'a long transaction holds them. Find it in pg_stat_activity; the next maintenance tries again.',
          { cause: error },
        );
      }
      await delay(RETRY_DELAY_MS * tries);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return cause instanceof DatabaseError && cause.code === LOCK_NOT_AVAILABLE;
}
