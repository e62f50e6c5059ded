/** Control over a real embedded engine with the demo handlers, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCatalog } from '@graphrun/dsl';
import { createCoordinator, engineConfig, silentLogger } from '@graphrun/engine';
import { demoFallback, demoHandlers, exampleCatalogText, exampleDefinitionText } from '@graphrun/examples';
import { createEmbeddedMessaging } from '@graphrun/messaging';
import { createWorker } from '@graphrun/sdk';
import type { HandlerMap } from '@graphrun/sdk';
import { openEmbedded } from '@graphrun/store';
import type { Database } from '@graphrun/store';
import { createControl } from '../index.js';
import type { ControlApp, ControlPorts } from '../index.js';

export const PARTITIONS = 4;

export interface EmbeddedControl {
  readonly control: ControlApp;
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens everything in a new directory, with the examples published. `handlers` take the place of demo handlers. */
export async function embeddedControl(
  overrides: Partial<ControlPorts> = {},
  handlers: HandlerMap = {},
): Promise<EmbeddedControl> {
  const dataDir = await mkdtemp(join(tmpdir(), 'graphrun-control-'));
  const database = await openEmbedded({ dataDir });
  await database.migrate();
  const messaging = createEmbeddedMessaging({ clock: Date.now, cluster: 'test' });
  const config = engineConfig({ partitions: PARTITIONS, member: 'm', members: ['m'] });
  const coordinator = createCoordinator({ cluster: 'test', config, database, messaging, logger: silentLogger });
  await coordinator.start();
  const catalog = parseCatalog(exampleCatalogText());
  if (!catalog.ok) throw new Error('the example catalog is not valid');
  // test.gate is left without a worker: its runs wait.
  const served = catalog.catalog.contracts.filter(({ name }) => name !== 'test.gate');
  const worker = createWorker({
    messaging,
    catalog: { ...catalog.catalog, contracts: served },
    worker: 'w',
    principal: 'w',
    logger: silentLogger,
    fallback: demoFallback,
  });
  worker.handleAll(
    Object.fromEntries(
      Object.entries({ ...demoHandlers, ...handlers }).filter(([key]) =>
        served.some(({ name, version }) => key === name || key === `${name}/v${version}`),
      ),
    ),
  );
  await worker.start();
  const control = await createControl({
    query: database.query,
    log: messaging.log,
    feed: messaging.feed,
    queue: messaging.queue,
    config: { partitions: PARTITIONS, apiKeys: [], mode: 'embedded' },
    logger: silentLogger,
    ...overrides,
  });
  const url = await control.listen('127.0.0.1', 0);
  await control.services.catalogs.publishText(exampleCatalogText(), 'catalog.json');
  await control.services.definitions.publishYaml(exampleDefinitionText('sequence'), 'sequence.yaml');
  return {
    control,
    url,
    database,
    async close() {
      await control.close();
      await worker.drain();
      await coordinator.stop();
      await messaging.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
