/** One process with a data directory: `graphrun dev`. */
import { DevProcess } from '../harness/dev-process.js';
import type { Processes, ProcessesOptions } from './processes.js';

export async function startEmbedded(options: ProcessesOptions): Promise<Processes> {
  const dev = await DevProcess.start(options);
  return {
    url: dev.url,
    database: null,
    kill: () => dev.kill(),
    comeBack: async () => {
      await dev.start();
    },
    stop: async () => {
      await dev.stop();
    },
  };
}
