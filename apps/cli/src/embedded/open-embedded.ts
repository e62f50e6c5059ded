/**
 * Everything in one process (spec 04 "Embedded mode"): the store in a data directory, the in-process ports, the same
 * coordinator as in a cluster, and a worker host for the handlers. Control is built on `ports`, with or without HTTP.
 */
import type { ControlPorts } from '@graphrun/control';
import type { Logger } from '@graphrun/engine';
import { GraphrunError } from '@graphrun/protocol';
import { EmbeddedWorkers } from './embedded-workers.js';
import type { Embedded } from './embedded.js';
import type { HandlerSource } from './handlers.js';

export interface EmbeddedOptions extends HandlerSource {
  readonly dataDir: string;
  readonly logger: Logger;
  /** Called while the database opens: the time to load what comes next. */
  readonly meanwhile?: () => void;
  /** Partitions of a new directory; an old one keeps what it has. */
  readonly partitions?: number;
}

const PARTITIONS = 16;
/** The only coordinator there is. */
const MEMBER = 'embedded';

/** Opens the directory and starts the engine. Throws `FailedPrecondition` when another process has the directory. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  // Imported here, so that commands that only talk to a server do not pay for the engine. Opening the database is the
  // longest step and happens in a thread of its own: it begins first, and everything else is loaded meanwhile.
  const { openEmbedded: openDatabase } = await import('@graphrun/store');
  const opening = openDatabase({ dataDir: options.dataDir });
  opening.catch(() => undefined); // met below
  options.meanwhile?.();
  const [{ createEmbeddedMessaging }, { createCoordinator, engineConfig }] = await Promise.all([
    import('@graphrun/messaging'),
    import('@graphrun/engine'),
  ]);
  const { logger } = options;
  const undo: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (let close = undo.pop(); close !== undefined; close = undo.pop()) await close();
  };
  try {
    const database = await opening;
    undo.push(() => database.close());
    await database.migrate();
    const cluster = await database.cluster();
    const partitions = cluster.partitionCount ?? options.partitions ?? PARTITIONS;
    const messaging = createEmbeddedMessaging({
      clock: Date.now,
      cluster: cluster.id,
      onError: (error, where) => logger.error({ err: error, where }, 'messaging failed'),
    });
    undo.push(() => messaging.close());
    const config = engineConfig({ partitions, member: MEMBER, members: [MEMBER] });
    const coordinator = createCoordinator({ cluster: cluster.id, config, database, messaging, logger });
    await coordinator.start();
    undo.push(() => coordinator.stop());
    const workers = new EmbeddedWorkers(messaging, options, logger);
    undo.push(() => workers.close());
    const refreshWorkers = async (): Promise<void> => workers.serve(await database.query.catalog('default'));
    await refreshWorkers();
    const ports: ControlPorts = {
      query: database.query,
      log: messaging.log,
      feed: messaging.feed,
      queue: messaging.queue,
      config: { partitions, apiKeys: [], mode: 'embedded' },
      logger,
      health: () => {
        const { problem } = coordinator.health();
        return problem === null ? [] : [problem];
      },
      onCatalogPublished: refreshWorkers,
    };
    return { ports, close: closeAll };
  } catch (error) {
    await closeAll().catch((cause: unknown) => logger.error({ err: cause }, 'closing after a failed start failed'));
    throw error instanceof GraphrunError
      ? error
      : new GraphrunError('Internal', `The embedded engine did not start: ${messageOf(error)}.`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
