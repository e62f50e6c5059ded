/**
 * Loaded into a service before its own code (`node --import`). The first SIGUSR2 starts a CPU profile, the next one
 * writes it, so that a profile holds what was measured and not the start of the process.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { PROFILE_DIR_VARIABLE, PROFILE_NAME_VARIABLE } from './variables.js';

const SAMPLING_INTERVAL_US = 500;

const directory = process.env[PROFILE_DIR_VARIABLE];
const name = process.env[PROFILE_NAME_VARIABLE];

if (isMainThread && directory !== undefined && name !== undefined) {
  const session = new Session();
  session.connect();
  let recording = false;
  let written = 0;
  const toggle = async (): Promise<void> => {
    recording = !recording;
    if (recording) {
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
      await session.post('Profiler.start');
      return;
    }
    const { profile } = await session.post('Profiler.stop');
    written += 1;
    writeFileSync(join(directory, `${name}.${written}.cpuprofile`), JSON.stringify(profile));
  };
  process.on('SIGUSR2', () => {
    toggle().catch((error: unknown) => {
      process.stderr.write(`the profile of ${name} failed: ${String(error)}\n`);
    });
  });
}
