import 'reflect-metadata';
import { pino } from 'pino';
import { readSettings } from '@graphrun/settings';
import { COORDINATOR_SETTINGS, startCoordinator } from './service.js';

const boot = pino({ name: 'coordinator' });
try {
  const settings = readSettings(process.env, COORDINATOR_SETTINGS);
  const logger = pino({ name: 'coordinator', level: settings.logLevel, base: { member: settings.member } });
  const service = await startCoordinator(settings, logger);
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  logger.info({ healthPort: service.healthPort }, 'ready');
} catch (error) {
  // One sentence on standard error for a person, the whole of it in the log.
  boot.fatal({ err: error }, error instanceof Error ? error.message : String(error));
  process.exit(1);
}
