export { systemClock } from '@graphrun/runtime';
export type { Clock } from '@graphrun/runtime';
export { silentLogger } from '@graphrun/runtime';
export type { Logger } from '@graphrun/runtime';
export * from './worker/index.js';
