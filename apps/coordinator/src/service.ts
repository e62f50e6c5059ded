/** A coordinator as a process: connections, engine, transport, health; and the order in which they end. */
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { createCoordinator, engineConfig } from '@graphrun/engine';
import type { Logger } from '@graphrun/engine';
import { connectJetStream } from '@graphrun/messaging';
import type { Settings } from '@graphrun/settings';
import { openPostgres } from '@graphrun/store';
import { CommandLogTransport } from './command-transport.js';
import { CoordinatorModule } from './coordinator.module.js';
import type { HealthServer } from './health-server.js';
import { serveHealth } from './health-server.js';

export const COORDINATOR_SETTINGS = [
  'cluster',
  'natsUrls',
  'natsReplicas',
  'databaseUrl',
  'partitions',
  'member',
  'members',
  'healthHost',
  'healthPort',
  'logLevel',
] as const;

export type CoordinatorSettings = Pick<Settings, (typeof COORDINATOR_SETTINGS)[number]>;

export interface CoordinatorService {
  /** Port of /healthz, /readyz and /metrics, null when none is served. */
  readonly healthPort: number | null;
  /** Commits, hands partitions over, closes connections. */
  stop(): Promise<void>;
}

/** Throws GraphrunError when a connection cannot be made or the store is newer than this program. */
export async function startCoordinator(settings: CoordinatorSettings, logger: Logger): Promise<CoordinatorService> {
  const { cluster, partitions, member } = settings;
  const database = await openPostgres({ url: settings.databaseUrl, applicationName: `graphrun-${cluster}-${member}` });
  await database.migrate();
  for (const sentence of await database.checkSettings()) logger.warn({}, sentence);
  const messaging = await connectJetStream({
    servers: settings.natsUrls,
    cluster,
    role: 'coordinator',
    principal: member,
    name: `graphrun coordinator ${member}`,
    partitions,
    replicas: settings.natsReplicas,
    onError: (error, where) => logger.warn({ err: error, where }, 'messaging'),
    onStatus: ({ connected }) => logger.info({ connected }, 'connection to NATS'),
  });
  for (const sentence of messaging.unmetRequirements()) logger.warn({}, sentence);
  const config = engineConfig({ partitions, member, members: settings.members });
  const coordinator = createCoordinator({ cluster, config, database, messaging, logger });
  const app: INestMicroservice = await NestFactory.createMicroservice<MicroserviceOptions>(
    CoordinatorModule.with(logger),
    { strategy: new CommandLogTransport(coordinator), logger: false, abortOnError: false },
  );
  await app.listen();
  const [port] = settings.healthPort;
  let health: HealthServer | null = null;
  if (port !== undefined) {
    const problems = (): readonly string[] => (messaging.status().connected ? [] : ['not connected to NATS']);
    health = await serveHealth(settings.healthHost, port, { coordinator, problems });
  }
  return {
    healthPort: health?.port ?? null,
    async stop() {
      await app.close();
      await messaging.close();
      await database.close();
      await health?.close();
    },
  };
}
