/** What every process of ours is given from outside: time, and somewhere to log. */
export type { Cancel, Clock, WallClock } from './clock.js';
export { systemClock } from './clock.js';
export type { Logger } from './logger.js';
export { silentLogger, withFields } from './logger.js';
