import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';
import { CONFIG, LOGGER } from './tokens.js';
import { WorkerService } from './worker.service.js';

@Module({})
export class WorkerModule {
  static register(config: WorkerConfig, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      providers: [{ provide: CONFIG, useValue: config }, { provide: LOGGER, useValue: logger }, WorkerService],
    };
  }
}
