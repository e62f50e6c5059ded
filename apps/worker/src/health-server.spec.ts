import { afterEach, describe, expect, it } from '@jest/globals';
import { HealthServer } from './health-server.js';

let server: HealthServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

async function get(path: string, reasons: { alive: readonly string[]; ready: readonly string[] }): Promise<unknown> {
  server = await HealthServer.listen('127.0.0.1', 0, { notAlive: () => reasons.alive, notReady: () => reasons.ready });
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return [response.status, await response.json()];
}

describe('the health pages', () => {
  it('are fine without reasons', async () => {
    expect(await get('/healthz', { alive: [], ready: ['away'] })).toEqual([200, { status: 'ok', reasons: [] }]);
  });

  it('give their reasons', async () => {
    expect(await get('/readyz', { alive: [], ready: ['away'] })).toEqual([
      503,
      { status: 'failing', reasons: ['away'] },
    ]);
  });

  it('are the only ones', async () => {
    expect((await get('/metrics', { alive: [], ready: [] })) as number[]).toContain(404);
  });

  it('say when their port is taken', async () => {
    await get('/healthz', { alive: [], ready: [] });
    const port = server?.port ?? 0;
    await expect(HealthServer.listen('127.0.0.1', port, { notAlive: () => [], notReady: () => [] })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
