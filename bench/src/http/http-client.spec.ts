import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpClient } from './http-client.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Node's own server, so that the client is held to HTTP as others understand it. */
async function serve(answer: (method: string, path: string, body: string) => readonly [status: number, body: string]) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const [status, body] = answer(request.method ?? '', request.url ?? '', Buffer.concat(parts).toString('utf8'));
      response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const client = new HttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  closers.push(() => {
    client.close();
    server.close();
  });
  return { client, connections: () => connections };
}

describe('the client', () => {
  it('sends requests that a server of Node understands, and gives each its own answer', async () => {
    const { client } = await serve((method, path, body) => [200, JSON.stringify({ method, path, body })]);
    const answers = await Promise.all([
      client.json({ method: 'GET', path: '/v1/runs?limit=1' }),
      client.json({ method: 'POST', path: '/v1/runs', body: '{"name":"Zoë"}' }),
    ]);
    expect(answers).toEqual([
      { method: 'GET', path: '/v1/runs?limit=1', body: '' },
      { method: 'POST', path: '/v1/runs', body: '{"name":"Zoë"}' },
    ]);
  });

  it('uses a connection again once it is answered', async () => {
    const { client, connections } = await serve(() => [200, '1']);
    await client.open(3);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([1, 2, 3].map(() => client.json({ method: 'GET', path: '/' })));
    }
    expect(connections()).toBe(3);
  });

  it('shows what a server has refused', async () => {
    const { client } = await serve(() => [404, '{"code":"NotFound"}']);
    await expect(client.json({ method: 'GET', path: '/v1/runs/x' })).rejects.toThrow(
      'GET /v1/runs/x answered 404: {"code":"NotFound"}',
    );
  });
});
