/** The Nest module of control: controllers over the services that somebody composed. */
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ControlServices } from '../services.js';
import { CatalogsController } from './controllers/catalogs.controller.js';
import { ClusterController } from './controllers/cluster.controller.js';
import { CommandsController } from './controllers/commands.controller.js';
import { DefinitionsController } from './controllers/definitions.controller.js';
import { HealthController } from './controllers/health.controller.js';
import { RunActionsController } from './controllers/run-actions.controller.js';
import { RunsController } from './controllers/runs.controller.js';
import { ValidateController } from './controllers/validate.controller.js';

@Module({})
export class ControlModule {
  static register(services: ControlServices): DynamicModule {
    return {
      module: ControlModule,
      controllers: [
        ValidateController,
        CatalogsController,
        DefinitionsController,
        RunsController,
        RunActionsController,
        CommandsController,
        ClusterController,
        HealthController,
      ],
      providers: [{ provide: ControlServices, useValue: services }],
    };
  }
}
