/** The worker service in this process: for `main` and for the CLI's `worker` command. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';
import { NestLogger } from './nest-logger.js';
import { WorkerModule } from './worker.module.js';
import { WorkerService } from './worker.service.js';

export interface RunningWorker {
  /** The port that `/healthz` and `/readyz` got, or null. */
  readonly healthPort: number | null;
  /** Drains and disconnects. Closing twice is harmless. */
  close(): Promise<void>;
}

/**
 * Starts the service and resolves once it takes work. Throws GraphrunError `InvalidArgument` for handlers or a catalog
 * that do not load or do not fit, `Unavailable` when NATS is not reachable.
 */
export async function runWorker(config: WorkerConfig, logger: Logger = createLogger(config)): Promise<RunningWorker> {
  const application = await NestFactory.createApplicationContext(WorkerModule.register(config, logger), {
    logger: new NestLogger(logger),
    // A failed start is the caller's to report: Nest would end the process.
    abortOnError: false,
  });
  const { healthPort } = application.get(WorkerService);
  let closing: Promise<void> | null = null;
  return {
    healthPort,
    close: () => {
      closing ??= application.close();
      return closing;
    },
  };
}

/** JSON lines on stdout. */
export function createLogger(config: Pick<WorkerConfig, 'logLevel' | 'worker'>): Logger {
  return pino({ level: config.logLevel, base: { service: 'worker', worker: config.worker } });
}
