/** The two kinds of store that every test of the contract runs against. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Client } from 'pg';
import { removeDir, startPostgres, tempDir, type PostgresService } from '@graphrun/testing';
import { openEmbedded, openPostgres, type Database } from '../index.js';

export interface Backend {
  /** A new empty store, migrated and with partitions 0 to 3. The backend closes it at the end. */
  newStore(): Promise<Database>;
  /** Another opening of the store, after it was closed if there can be only one. */
  reopen(store: Database): Promise<Database>;
  /** Runs a statement in the store, past its interface. */
  sql<Row = unknown>(store: Database, statement: string): Promise<readonly Row[]>;
}

const PARTITIONS = 4;

class PostgresBackend implements Backend {
  private readonly urls = new Map<Database, string>();

  constructor(private readonly server: () => PostgresService) {}

  async newStore(): Promise<Database> {
    const store = await this.open(await newDatabase(this.server().url));
    await store.migrate();
    await store.engine.initPartitions(PARTITIONS);
    return store;
  }

  reopen(store: Database): Promise<Database> {
    return this.open(this.urlOf(store));
  }

  async sql<Row>(store: Database, statement: string): Promise<readonly Row[]> {
    return inDatabase(this.urlOf(store), async (client) => (await client.query(statement)).rows as Row[]);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.urls.keys()].map((store) => store.close()));
  }

  private async open(url: string): Promise<Database> {
    const store = await openPostgres({ url, applicationName: 'test' });
    this.urls.set(store, url);
    return store;
  }

  private urlOf(store: Database): string {
    const url = this.urls.get(store);
    if (url === undefined) throw new Error('this store was opened elsewhere');
    return url;
  }
}

class EmbeddedBackend implements Backend {
  private readonly directories = new Map<Database, string>();

  async newStore(): Promise<Database> {
    const store = await this.open(join(await tempDir('store'), 'data'));
    await store.migrate();
    await store.engine.initPartitions(PARTITIONS);
    return store;
  }

  async reopen(store: Database): Promise<Database> {
    await store.close();
    return this.open(this.directoryOf(store));
  }

  async sql<Row>(store: Database, statement: string): Promise<readonly Row[]> {
    // The one session is the store's own: its reader is the only way in.
    const { reader } = (store as unknown as { parts: { reader: { rows(sql: string): Promise<readonly Row[]> } } })
      .parts;
    return reader.rows(statement);
  }

  async closeAll(): Promise<void> {
    for (const [store, directory] of this.directories) {
      await store.close();
      await removeDir(join(directory, '..'));
    }
  }

  private async open(dataDir: string): Promise<Database> {
    const store = await openEmbedded({ dataDir });
    this.directories.set(store, dataDir);
    return store;
  }

  private directoryOf(store: Database): string {
    const directory = this.directories.get(store);
    if (directory === undefined) throw new Error('this store was opened elsewhere');
    return directory;
  }
}

/** Runs a suite against a PostgreSQL server of its own and against embedded stores. */
export function describeStores(what: string, suite: (backend: Backend) => void): void {
  describe(`${what} (PostgreSQL)`, () => {
    const backend = new PostgresBackend(() => server());
    // Hooks run in their order: stores are closed before their server is stopped.
    afterAll(() => backend.closeAll());
    const server = ownServer();
    suite(backend);
  });
  describe(`${what} (embedded)`, () => {
    const backend = new EmbeddedBackend();
    afterAll(() => backend.closeAll());
    suite(backend);
  });
}

/** A PostgreSQL server for the tests of the describe block around the call. */
export function ownServer(): () => PostgresService {
  let server: PostgresService | null = null;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
  });
  return () => {
    if (server === null) throw new Error('the server runs only while tests run');
    return server;
  };
}

/** Creates a database and returns its URL. */
export async function newDatabase(serverUrl: string): Promise<string> {
  const name = `store_${randomBytes(6).toString('hex')}`;
  await inDatabase(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function inDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
