import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { CoordinatorHealth, Logger } from '@graphrun/engine';
import { HEALTH_CHANGED } from './command-transport.js';
import { LOGGER } from './tokens.js';

/** Tells operators when this member gains or loses partitions, or cannot do its work. */
@Controller()
export class HealthController {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  @EventPattern(HEALTH_CHANGED)
  changed(@Payload() health: CoordinatorHealth): void {
    if (health.ready) this.logger.info({ partitions: health.partitions }, 'owning partitions');
    else this.logger.warn({ problem: health.problem }, 'not ready');
  }
}
