/** Nest's own messages through the same pino logger, so that a service writes one stream of JSON lines. */
import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

export class NestLogger implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  // What Nest logs at start (modules, routes) is of interest to its developers only.
  log(message: unknown): void {
    this.#logger.debug(String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    this.#logger.error({ details }, String(message));
  }

  warn(message: unknown): void {
    this.#logger.warn(String(message));
  }
}
