/** What our processes need of a logger; pino is one. Payloads and secrets never go in. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The same logger, with `fields` in each of its lines. */
export function withFields(logger: Logger, fields: object): Logger {
  return {
    debug: (more, message) => {
      logger.debug({ ...fields, ...more }, message);
    },
    info: (more, message) => {
      logger.info({ ...fields, ...more }, message);
    },
    warn: (more, message) => {
      logger.warn({ ...fields, ...more }, message);
    },
    error: (more, message) => {
      logger.error({ ...fields, ...more }, message);
    },
  };
}
