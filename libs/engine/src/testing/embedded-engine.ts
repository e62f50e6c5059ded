/** An engine in one process on PGlite, as embedded mode runs it, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '@graphrun/dsl';
import type { EmbeddedMessaging } from '@graphrun/messaging';
import { createEmbeddedMessaging } from '@graphrun/messaging';
import type { Logger } from '@graphrun/runtime';
import { silentLogger } from '@graphrun/runtime';
import type { Database } from '@graphrun/store';
import { openEmbedded } from '@graphrun/store';
import type { EngineConfig } from '../config.js';
import { engineConfig } from '../config.js';
import type { Coordinator } from '../coordinator.js';
import { createCoordinator } from '../coordinator.js';
import { TestClient } from './client.js';

export const PARTITIONS = 4;

export interface TestEngineOptions {
  readonly dataDir?: string;
  readonly config?: Partial<EngineConfig>;
  readonly logger?: Logger;
  /** Stands between engine and database, to break what must be survived. */
  readonly wrap?: (database: Database) => Database;
  readonly definitions?: readonly Artifact[];
  readonly partitions?: number;
}

export class TestEngine {
  private constructor(
    readonly dataDir: string,
    readonly database: Database,
    readonly messaging: EmbeddedMessaging,
    readonly coordinator: Coordinator,
    readonly client: TestClient,
  ) {}

  static async open(options: TestEngineOptions = {}): Promise<TestEngine> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'graphrun-engine-')));
    const database = await openEmbedded({ dataDir });
    await database.migrate();
    for (const artifact of options.definitions ?? []) await database.query.publishDefinition('default', artifact);
    const messaging = createEmbeddedMessaging({ clock: () => Date.now(), cluster: 'test' });
    const partitions = options.partitions ?? PARTITIONS;
    const coordinator = createCoordinator({
      cluster: 'test',
      config: engineConfig({ partitions, member: 'm1', members: ['m1'], ...options.config }),
      database: options.wrap?.(database) ?? database,
      messaging,
      logger: options.logger ?? silentLogger,
    });
    await coordinator.start();
    return new TestEngine(dataDir, database, messaging, coordinator, await TestClient.open(messaging, partitions));
  }

  /** Ends in order; the data directory stays. */
  async stop(): Promise<void> {
    await this.client.close();
    await this.coordinator.stop();
    await this.messaging.close();
    await this.database.close();
  }

  async discard(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
