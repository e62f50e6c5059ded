import { embeddedDataSource } from './data-source.js';
import { SqlDatabase, type Database } from './database.js';
import { DataDirectory } from './embedded/data-directory.js';
import { createPGlitePool, PGliteApplySession } from './embedded/pglite-driver.js';
import { PGliteThread } from './embedded/pglite-thread.js';
import { createDatabaseFiles } from './embedded/template.js';
import { refuseNewerStore } from './migrate.js';
import { Reader } from './reader.js';

/**
 * Opens the store of a data directory, creating it when it is new. What is committed survives the death of the
 * process at any point, not power loss: PGlite does not flush to disk.
 *
 * Throws `FailedPrecondition` when another process has the directory (naming it) or its format is newer.
 */
export async function openEmbedded(options: { readonly dataDir: string }): Promise<Database> {
  const directory = DataDirectory.open(options.dataDir);
  let thread: PGliteThread | null = null;
  try {
    if (!directory.hasDatabase()) await createDatabaseFiles(directory.databasePath);
    const opened = await PGliteThread.open(directory.databasePath);
    thread = opened;
    const pool = createPGlitePool(opened);
    const dataSource = embeddedDataSource(pool);
    await dataSource.initialize();
    const reader = new Reader(dataSource);
    await refuseNewerStore(reader);
    return new SqlDatabase({
      reader,
      session: new PGliteApplySession(pool),
      clusterId: directory.id,
      durableSettings: false,
      withMigrationSource: (work) => work(dataSource),
      closeBeneath: async () => {
        await opened.close();
        directory.close();
      },
    });
  } catch (error) {
    await thread?.close();
    directory.close();
    throw error;
  }
}
