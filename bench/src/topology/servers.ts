/** PostgreSQL and NATS of a benchmark: real servers with the settings of production, in a temporary directory. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startNats, startPostgres, tempDir } from '@graphrun/testing';
import type { NatsService, PostgresService } from '@graphrun/testing';

export interface Servers {
  readonly dir: string;
  readonly nats: NatsService;
  readonly postgres: PostgresService;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const dir = await tempDir('bench');
  mkdirSync(join(dir, 'logs'));
  // Also when the benchmark is interrupted; the processes are then ended by their guardians.
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const nats = await startNats({ count: 1 });
  try {
    const postgres = await startPostgres({ fsync: true });
    return {
      dir,
      nats,
      postgres,
      async stop() {
        await Promise.all([nats.stop(), postgres.stop()]);
      },
    };
  } catch (error) {
    await nats.stop();
    throw error;
  }
}
