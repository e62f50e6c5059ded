import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { embeddedDataSource } from '../data-source.js';
import { createPGlitePool } from './pglite-driver.js';
import { PGliteThread } from './pglite-thread.js';

/** An embedded database that runs, with TypeORM on top of it. */
export interface EmbeddedSession {
  readonly pool: Pool;
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

export async function openEmbeddedSession(databasePath: string): Promise<EmbeddedSession> {
  const thread = await PGliteThread.open(databasePath);
  try {
    const pool = createPGlitePool(thread);
    const dataSource = embeddedDataSource(pool);
    await dataSource.initialize();
    return {
      pool,
      dataSource,
      close: async () => {
        if (dataSource.isInitialized) await dataSource.destroy();
        await thread.close();
      },
    };
  } catch (error) {
    await thread.close();
    throw error;
  }
}
