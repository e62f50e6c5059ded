import 'reflect-metadata';
import { Socket } from 'node:net';
import type { ClientBase, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { typeormDriver } from './embedded/pglite-driver.js';
import { ENTITIES } from './entities/index.js';
import { MIGRATIONS } from './migrations/index.js';
import { PREPARE_SESSION } from './postgres/session-settings.js';
import { SilentLogger } from './silent-logger.js';

/** Everything of ours lies in one schema, so that the store can share a database with others. */
export const SCHEMA = 'graphrun';
export const MIGRATION_TABLE = 'migration';

const POOL_CONNECT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 15_000;
/** Longer than any statement may take and than an idle connection is kept: who is silent for so long is gone. */
const SILENCE_TIMEOUT_MS = 18_000;
const IDLE_TIMEOUT_MS = 10_000;
const KEEPALIVE_DELAY_MS = 10_000;

const COMMON = {
  type: 'postgres' as const,
  schema: SCHEMA,
  entities: ENTITIES,
  migrations: MIGRATIONS,
  migrationsTableName: MIGRATION_TABLE,
  migrationsTransactionMode: 'each' as const,
  synchronize: false,
  // The schema is made by migrations alone; no column needs an extension.
  installExtensions: false,
  logger: new SilentLogger(),
};

/** Reads, catalog writes and maintenance on a server: a bounded pool whose waits all end. */
export function serverDataSource(options: {
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize: number;
}): DataSource {
  return new DataSource({
    ...COMMON,
    url: options.url,
    applicationName: `graphrun ${options.applicationName}`,
    poolSize: options.poolSize,
    connectTimeoutMS: POOL_CONNECT_TIMEOUT_MS,
    // An idle client that loses its connection leaves the pool; the next query gets another one.
    poolErrorHandler: () => undefined,
    extra: {
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: READ_TIMEOUT_MS,
      idle_in_transaction_session_timeout: READ_TIMEOUT_MS,
      stream: socketThatEndsWhenSilent,
      onConnect: (client: ClientBase) => client.query(PREPARE_SESSION),
    },
  });
}

/** For migrations: one connection whose statements may take as long as a large store needs. */
export function migrationDataSource(options: { readonly url: string; readonly applicationName: string }): DataSource {
  return new DataSource({
    ...COMMON,
    url: options.url,
    applicationName: `graphrun ${options.applicationName}`,
    poolSize: 1,
    connectTimeoutMS: POOL_CONNECT_TIMEOUT_MS,
    poolErrorHandler: () => undefined,
    extra: { keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS },
  });
}

/**
 * A cut network shows as silence. `pg`'s own query timeout would fail the query and give the pool its client back,
 * still waiting; destroying the socket fails the query and removes the client.
 */
function socketThatEndsWhenSilent(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_TIMEOUT_MS, () => {
    socket.destroy(new Error(`PostgreSQL has been silent for ${SILENCE_TIMEOUT_MS} ms`));
  });
  return socket;
}

/** The same on the one session of an embedded database. */
export function embeddedDataSource(pool: Pool): DataSource {
  return new DataSource({ ...COMMON, driver: typeormDriver(pool), poolErrorHandler: () => undefined });
}
