import { SqlDatabase, type Database } from './database.js';
import { DataDirectory } from './embedded/data-directory.js';
import { openEmbeddedSession, type EmbeddedSession } from './embedded/embedded-session.js';
import { PGliteApplySession } from './embedded/pglite-driver.js';
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
  let session: EmbeddedSession | null = null;
  try {
    if (!directory.hasDatabase()) await createDatabaseFiles(directory.databasePath);
    const opened = await openEmbeddedSession(directory.databasePath);
    session = opened;
    const reader = new Reader(opened.dataSource);
    await refuseNewerStore(reader);
    await takeIdentity(reader, directory.id);
    return new SqlDatabase({
      reader,
      session: new PGliteApplySession(opened.pool),
      durableSettings: false,
      withMigrationSource: (work) => work(opened.dataSource),
      closeBeneath: async () => {
        await opened.close();
        directory.close();
      },
    });
  } catch (error) {
    await session?.close();
    directory.close();
    throw error;
  }
}

/** A new store is a copy, with the identity of what it was copied from: until its first start it gets its own. */
async function takeIdentity(reader: Reader, id: string): Promise<void> {
  await reader.rows(
    `UPDATE graphrun.cluster SET id = $1, created_at = graphrun.clock_ms()
      WHERE partition_count IS NULL AND id <> $1`,
    [id],
  );
}
