/** What HTTP alone carries here: a minimal handler and the client of the benchmarks. */
import { fileURLToPath } from 'node:url';
import { startProcess } from '@graphrun/testing';
import { cpuPerUnit, measureCpu } from '../cpu/breakdown.js';
import { HttpClient } from '../http/http-client.js';
import { closedLoop } from '../load.js';

export interface HttpFloor {
  readonly http_requests_per_s: number;
  readonly http_client_cpu_ms: number;
  readonly http_server_cpu_ms: number;
}

const BODY = JSON.stringify({ workflow: 'bench_order', input: { order_id: 'order-1', amount: 1000 } });

export async function httpFloor(count: number, inFlight: number): Promise<HttpFloor> {
  const main = fileURLToPath(new URL('./http-server.js', import.meta.url));
  const server = await startProcess({ args: [main], ready: (line) => line.startsWith('ready ') });
  try {
    const url = (await server.waitForLine('its address', (line) => line.startsWith('ready '))).slice('ready '.length);
    const client = new HttpClient(url);
    await client.open(inFlight);
    const request = async (): Promise<void> => {
      await client.json({ method: 'POST', path: '/echo', body: BODY });
    };
    await closedLoop(2000, inFlight, request);
    const ended = measureCpu([
      { name: 'server', pid: server.pid },
      { name: 'client', pid: process.pid },
    ]);
    const { seconds } = await closedLoop(count, inFlight, request);
    const { client: clientMs = 0, server: serverMs = 0 } = cpuPerUnit(ended(), count);
    client.close();
    return { http_requests_per_s: count / seconds, http_client_cpu_ms: clientMs, http_server_cpu_ms: serverMs };
  } finally {
    await server.stop();
  }
}
