import { GraphrunError } from '@graphrun/protocol';
import { migrationDataSource, serverDataSource } from './data-source.js';
import { SqlDatabase, type Database } from './database.js';
import { refuseNewerStore } from './migrate.js';
import { ApplyConnection } from './postgres/apply-connection.js';
import { Reader } from './reader.js';
import { messageOf, storeError } from './store-error.js';

const DEFAULT_POOL_SIZE = 4;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Shown in pg_stat_activity, e.g. `coordinator c-1`. */
  readonly applicationName: string;
  /** Connections for reads, besides the one of apply. */
  readonly poolSize?: number;
}

/**
 * Opens a store on a PostgreSQL server (15 to 18). The apply connection needs a session of its own: connect to the
 * server itself, not to a pooler in transaction mode.
 *
 * Throws `Unavailable` when the server cannot be reached, `FailedPrecondition` when the store is of a newer format.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, applicationName, poolSize = DEFAULT_POOL_SIZE } = options;
  const shown = withoutPassword(url);
  const dataSource = serverDataSource({ url, applicationName, poolSize });
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new GraphrunError(
      'Unavailable',
      `PostgreSQL at ${shown} cannot be reached (${messageOf(error)}). ` +
        'Check that the server runs, and host, port, user, password and database of the URL.',
      { cause: error, details: { url: shown } },
    );
  }
  const reader = new Reader(dataSource);
  try {
    await refuseNewerStore(reader);
  } catch (error) {
    await dataSource.destroy();
    throw storeError(error);
  }
  return new SqlDatabase({
    reader,
    session: new ApplyConnection({ url, applicationName }),
    durableSettings: true,
    withMigrationSource: async (work) => {
      const source = migrationDataSource({ url, applicationName });
      await source.initialize();
      try {
        await work(source);
      } finally {
        await source.destroy();
      }
    },
    closeBeneath: () => Promise.resolve(),
  });
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) {
    throw new GraphrunError(
      'InvalidArgument',
      'The URL of PostgreSQL is not a URL: it should look like postgres://user:password@host:5432/database.',
    );
  }
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
