export { systemClock } from './clock.js';
export type { Clock } from './clock.js';
export { silentLogger } from './logger.js';
export type { Logger } from './logger.js';
export * from './worker/index.js';
