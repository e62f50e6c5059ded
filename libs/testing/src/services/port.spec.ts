import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort, freePorts } from './port.js';

describe('free ports', () => {
  it('are below the range of outgoing connections, so that a service can come back to its port', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  });

  it('are never given twice, even while nobody listens on them yet', async () => {
    const ports = await freePorts(200);
    expect(new Set(ports).size).toBe(200);
  });

  it('can be listened on', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  });
});
