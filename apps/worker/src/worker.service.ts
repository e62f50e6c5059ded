/** Starts messaging and worker with the application, and drains them in order when it closes. */
import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { connectJetStream } from '@graphrun/messaging';
import type { Messaging } from '@graphrun/messaging';
import { createWorker } from '@graphrun/sdk';
import type { Worker } from '@graphrun/sdk';
import type { WorkerConfig } from './config.js';
import { loadHandlerModule } from './handler-module.js';
import { HealthServer } from './health-server.js';
import { CONFIG, LOGGER } from './tokens.js';

interface Running {
  readonly messaging: Messaging;
  readonly worker: Worker;
  readonly health: HealthServer | null;
}

@Injectable()
export class WorkerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #config: WorkerConfig;
  readonly #logger: Logger;
  #running: Running | null = null;

  constructor(@Inject(CONFIG) config: WorkerConfig, @Inject(LOGGER) logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  get healthPort(): number | null {
    return this.#running?.health?.port ?? null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const config = this.#config;
    const { handlers, reconcilers, catalog } = await loadHandlerModule(config);
    const messaging = await this.#connect();
    try {
      const worker = createWorker({
        messaging,
        catalog,
        worker: config.worker,
        principal: config.principal,
        logger: this.#logger,
        maxRunning: config.maxRunning,
        slots: config.slots,
      }).handleAll(handlers, config.activities, reconcilers);
      await worker.start();
      this.#running = { messaging, worker, health: await this.#listen(worker, messaging) };
    } catch (error) {
      await messaging.close();
      throw error;
    }
    const { session } = this.#running.worker;
    this.#logger.info(
      { worker: config.worker, session, cluster: config.cluster, healthPort: this.healthPort },
      'ready',
    );
  }

  /** Stop pulling, finish or hand back, receipts, then the connection; health answers until the end (spec 09). */
  async beforeApplicationShutdown(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    this.#logger.info({ drainMs: this.#config.drainMs }, 'draining');
    const report = await running.worker.drain(this.#config.drainMs);
    await running.messaging.close();
    await running.health?.close();
    this.#logger.info(report, 'drained');
  }

  #connect(): Promise<Messaging> {
    const { cluster, natsUrls, partitions, replicas, principal, worker } = this.#config;
    return connectJetStream({
      servers: natsUrls,
      cluster,
      role: 'worker',
      principal,
      name: `worker ${worker}`,
      partitions,
      replicas,
      onError: (error, where) => {
        this.#logger.warn({ err: error, where }, 'messaging');
      },
      onStatus: ({ connected }) => {
        this.#logger.info({ connected }, 'connection to NATS changed');
      },
    });
  }

  #listen(worker: Worker, messaging: Messaging): Promise<HealthServer | null> {
    const { healthHost, healthPort } = this.#config;
    if (healthPort === null) return Promise.resolve(null);
    return HealthServer.listen(healthHost, healthPort, {
      notAlive: () => worker.status().notAlive,
      notReady: () => {
        const { notReady } = worker.status();
        return messaging.status().connected ? notReady : [...notReady, 'there is no connection to NATS'];
      },
    });
  }
}
