/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@graphrun/engine';
import { createEmbeddedMessaging } from '@graphrun/messaging';
import { isLoopback } from '../address.js';
import { createControl } from '../index.js';
import { embeddedControl, PARTITIONS } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';

const KEYS = [
  { name: 'alice', token: 'alice-token-0000001' },
  { name: 'bob', token: 'bob-token-000000001' },
];
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const START = { workflow: 'order', input: { order_id: 'o-1', amount: 1 } };

describe('authentication with API keys', () => {
  let system: EmbeddedControl;

  beforeAll(async () => {
    system = await embeddedControl({ config: { partitions: PARTITIONS, apiKeys: KEYS, mode: 'cluster' } });
  }, 60_000);

  afterAll(() => system.close());

  it.each([
    ['no key', {}, 'Send an API key as "Authorization: Bearer <token>".'],
    ['another scheme', { authorization: 'Basic YWxpY2U6eA==' }, 'Send an API key as "Authorization: Bearer <token>".'],
    ['an unknown key', as('alice-token-0000002'), 'This API key is not known here; check the token.'],
  ])('refuses %s', async (_what, headers, detail) => {
    const answer = await ask(system.url, '/v1/runs', { headers });
    expect(answer.body).toEqual({
      type: 'urn:graphrun:problem:unauthenticated',
      title: 'A valid API key is needed',
      status: 401,
      detail,
      code: 'Unauthenticated',
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="graphrun"');
  });

  it('answers alike for what exists and what does not, to somebody without a key', async () => {
    const started = await ask(system.url, '/v1/runs?wait=30s', { json: START, headers: as('alice-token-0000001') });
    const existing = await ask(system.url, `/v1/runs/${started.body.run}`);
    const missing = await ask(system.url, '/v1/runs/01900000-0000-7000-8000-000000000000');
    const noRoute = await ask(system.url, '/v1/nothing');
    expect(existing.body).toEqual(missing.body);
    expect(noRoute.body).toEqual(missing.body);
  });

  it('takes the name of the key as the principal: command ids of others are not known', async () => {
    const headers = { ...as('alice-token-0000001'), 'idempotency-key': 'mine' };
    const { run } = (await ask(system.url, '/v1/runs?wait=30s', { json: START, headers })).body;
    expect((await ask(system.url, '/v1/commands/mine', { headers: as('alice-token-0000001') })).body.run).toBe(run);
    const foreign = await ask(system.url, '/v1/commands/mine', { headers: as('bob-token-000000001') });
    const unknown = await ask(system.url, '/v1/commands/none', { headers: as('bob-token-000000001') });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, detail: '', command_id: '' }).toEqual({ ...unknown.body, detail: '', command_id: '' });
    const history = await ask(system.url, `/v1/runs/${run}/history?limit=1`, { headers: as('bob-token-000000001') });
    expect(history.body.events[0]).toMatchObject({ by: 'alice' });
  });

  it('lets probes in without a key, and nothing else', async () => {
    expect((await ask(system.url, '/healthz')).status).toBe(200);
    expect((await ask(system.url, '/readyz')).status).toBe(200);
    for (const path of ['/metrics', '/docs', '/openapi.json', '/healthz/', '/readyz/x']) {
      expect([path, (await ask(system.url, path)).status]).toEqual([path, 401]);
    }
  });
});

describe('serving without API keys', () => {
  it('refuses to start off loopback', async () => {
    const { services } = await offline();
    await expect(services.listen('0.0.0.0', 0)).rejects.toMatchObject({
      code: 'FailedPrecondition',
      message:
        'Refusing to serve on 0.0.0.0 without authentication; set GRAPHRUN_API_KEYS=name:token, or serve on 127.0.0.1.',
    });
    await services.close();
  });

  it('says which port is taken', async () => {
    const first = await offline();
    const second = await offline();
    const url = await first.services.listen('127.0.0.1', 0);
    const { port } = new URL(url);
    await expect(second.services.listen('127.0.0.1', Number(port))).rejects.toMatchObject({
      code: 'Unavailable',
      message: `Port ${port} on 127.0.0.1 is taken; stop what uses it or choose another with --port or GRAPHRUN_HTTP_PORT.`,
    });
    await first.services.close();
    await second.services.close();
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['127.0.0.1.example.com', false],
    ['::', false],
  ])('knows whether %s is loopback', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

/** Control whose store is never asked. */
async function offline() {
  const messaging = createEmbeddedMessaging({ clock: Date.now });
  const services = await createControl({
    query: {} as never,
    log: messaging.log,
    feed: messaging.feed,
    queue: messaging.queue,
    config: { partitions: PARTITIONS, apiKeys: [], mode: 'embedded' },
    logger: silentLogger,
  });
  return { services };
}
