/** `graphrun dev` as a process that is killed and started again on the same directory and port. */
import { join } from 'node:path';
import { freePort, startProcess } from '@graphrun/testing';
import type { ProcessExit, RunningProcess } from '@graphrun/testing';
import { built } from './built.js';

export interface DevOptions {
  /** Holds the data directory and the log. */
  readonly dir: string;
  readonly handlers: string;
  readonly catalog: string;
  readonly env: Readonly<Record<string, string>>;
}

const READY = / is ready at (http:\S+) after (\d+) ms/;
const READY_TIMEOUT_MS = 60_000;

export class DevProcess {
  #running: RunningProcess | null = null;

  private constructor(
    private readonly options: DevOptions,
    private readonly port: number,
  ) {}

  /** Returns when it serves. */
  static async start(options: DevOptions): Promise<DevProcess> {
    const dev = new DevProcess(options, await freePort());
    await dev.start();
    return dev;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it on what is there; returns how long it took until it served, ms, from before the process was spawned. */
  async start(): Promise<number> {
    const { dir, handlers, catalog, env } = this.options;
    const args = [
      'dev',
      '--port',
      String(this.port),
      '--data-dir',
      join(dir, 'data'),
      '--handlers',
      handlers,
      '--catalog',
      catalog,
    ];
    const startedAt = performance.now();
    this.#running = await startProcess({
      name: 'graphrun dev',
      args: [built('apps/cli/dist/main.js'), ...args],
      env,
      logFile: join(dir, 'dev.log'),
      ready: (line) => READY.test(line),
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
    return performance.now() - startedAt;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#running?.kill();
  }

  /** SIGTERM. */
  async stop(): Promise<ProcessExit | undefined> {
    return this.#running?.stop();
  }
}
