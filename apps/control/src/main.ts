/** The control service of a cluster: PostgreSQL, JetStream, HTTP. Exit codes: 0 stopped, 2 wrong settings, 1 anything else. */
import { pino } from 'pino';
import { connectJetStream } from '@graphrun/messaging';
import { GraphrunError } from '@graphrun/protocol';
import { openPostgres } from '@graphrun/store';
import { serviceConfig } from './config.js';
import { createControlApp } from './http/control-app.js';

/** Whom the NATS server knows this process as. */
const PRINCIPAL = 'control';

async function main(): Promise<void> {
  const config = serviceConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { service: 'control' } });
  const database = await openPostgres({ url: config.databaseUrl, applicationName: 'control' });
  const messaging = await connectJetStream({
    servers: config.natsUrls,
    cluster: config.cluster,
    role: 'client',
    principal: PRINCIPAL,
    name: 'graphrun control',
    partitions: config.partitions,
    replicas: config.natsReplicas,
    onError: (error, where) => logger.warn({ err: error, where }, 'messaging failed'),
  });
  await database.migrate();
  for (const sentence of [...(await database.checkSettings()), ...messaging.unmetRequirements()])
    logger.warn({}, sentence);
  const control = await createControlApp({
    query: database.query,
    log: messaging.log,
    feed: messaging.feed,
    queue: messaging.queue,
    config,
    logger,
    health: () => (messaging.status().connected ? [] : ['there is no connection to NATS; it is being restored']),
  });
  const url = await control.listen(config.httpHost, config.httpPort);
  logger.info({ url, partitions: config.partitions }, 'control is ready');

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1); // whoever asks twice does not want to wait
    stopping = true;
    logger.info({ signal }, 'control stops');
    // Requests first, then what they need.
    control
      .close()
      .then(() => messaging.close())
      .then(() => database.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'control did not stop in order');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const details = error instanceof GraphrunError ? error.details : {};
  const message = error instanceof GraphrunError ? error.message : 'control does not start';
  pino({ base: { service: 'control' } }).fatal(
    { ...(error instanceof GraphrunError ? details : { err: error }) },
    message,
  );
  process.exit(error instanceof GraphrunError && error.code === 'InvalidArgument' ? 2 : 1);
});
