/** Entry of the worker service. Exit codes: 0 drained, 2 wrong settings, 1 anything else. */
import { pino } from 'pino';
import { GraphrunError } from '@graphrun/protocol';
import { workerConfigFromEnv } from './config.js';
import { runWorker } from './run-worker.js';
import type { RunningWorker } from './run-worker.js';

function failStart(error: unknown): never {
  const details = error instanceof GraphrunError ? error.details : {};
  pino({ base: { service: 'worker' } }).fatal({ err: error, ...details }, 'the worker does not start');
  process.exit(error instanceof GraphrunError && error.code === 'InvalidArgument' ? 2 : 1);
}

function drainOn(running: RunningWorker): void {
  let stopping = false;
  const stop = (): void => {
    // A second signal: whoever sends it does not want to wait for the drain.
    if (stopping) process.exit(1);
    stopping = true;
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        pino({ base: { service: 'worker' } }).fatal({ err: error }, 'the drain failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

try {
  drainOn(await runWorker(workerConfigFromEnv(process.env)));
} catch (error) {
  failStart(error);
}
