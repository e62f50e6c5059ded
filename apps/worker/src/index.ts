export { workerConfigFromEnv } from './config.js';
export type { WorkerConfig } from './config.js';
export { createLogger, runWorker } from './run-worker.js';
export type { RunningWorker } from './run-worker.js';
