/** `graphrun dev`: everything in one process on PGlite. */
import { startProcess } from '@graphrun/testing';
import type { RunningProcess } from '@graphrun/testing';
import { builtMain } from './service.js';

export interface EmbeddedProcess {
  readonly url: string;
  readonly process: RunningProcess;
  /** From its start to the line that says it serves, ms. */
  readonly readyMs: number;
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;
const READY_TIMEOUT_MS = 60_000;

/** Returns when it has said that it serves. Throws Error when `/readyz` does not agree at once. */
export async function startEmbedded(dataDir: string): Promise<EmbeddedProcess> {
  const startedAt = performance.now();
  const running = await startProcess({
    name: 'graphrun dev',
    args: [builtMain('cli'), 'dev', '--port', '0', '--data-dir', dataDir],
    ready: (line) => ADDRESS.test(line),
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  const readyMs = performance.now() - startedAt;
  const url = ADDRESS.exec(await running.waitForLine('its address', (line) => ADDRESS.test(line)))?.[0] ?? '';
  const response = await fetch(`${url}/readyz`);
  if (!response.ok) throw new Error(`it serves, but /readyz answers ${response.status}: ${await response.text()}`);
  return { url, process: running, readyMs };
}
