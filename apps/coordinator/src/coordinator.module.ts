import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Logger } from '@graphrun/engine';
import { HealthController } from './health.controller.js';
import { LOGGER } from './tokens.js';

@Module({})
export class CoordinatorModule {
  static with(logger: Logger): DynamicModule {
    return {
      module: CoordinatorModule,
      controllers: [HealthController],
      providers: [{ provide: LOGGER, useValue: logger }],
    };
  }
}
