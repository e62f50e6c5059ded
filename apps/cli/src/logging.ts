/** Logs of the processes that a command hosts: JSON lines on stderr, warnings and worse unless asked for more. */
import { pino } from 'pino';
import type { Logger } from '@graphrun/engine';
import type { Streams } from './terminal.js';

export function hostLogger(streams: Streams): Logger {
  return pino({ level: streams.env['GRAPHRUN_LOG_LEVEL'] ?? 'warn', base: null }, streams.stderr);
}
