export { MissingBinary, natsServerBinary, postgresBinDir } from './binaries.js';
export { eventually, NeverHappened } from './eventually.js';
export { startNats, type NatsOptions, type NatsServer, type NatsService } from './nats.js';
export { freePort, freePorts } from './port.js';
export { startPostgres, type PostgresOptions, type PostgresService } from './postgres.js';
export {
  logsMessage,
  startProcess,
  type ProcessExit,
  type RunningProcess,
  type StartProcessOptions,
} from './process.js';
export { removeDir, tempDir } from './temp-dir.js';
