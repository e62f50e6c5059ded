import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, removeDir, startProvider, tempDir } from '@graphrun/testing';
import type { EffectRequest, ProviderService } from '@graphrun/testing';

const reserve: EffectRequest = { activity: 'inventory.reserve', input: { order_id: 'o1' }, output: 'res-1' };

describe('the provider process', () => {
  let dir: string;
  let provider: ProviderService;

  beforeEach(async () => {
    dir = await tempDir('provider');
    provider = await startProvider(dir);
  });

  afterEach(async () => {
    await provider.service.stop();
    await removeDir(dir);
  });

  it('loses no effect and no held request to kill -9', async () => {
    const { client, service } = provider;
    await client.request('k1', reserve);
    await client.rule({}, { kind: 'hold' });
    const held = client.request('k2', reserve).catch(() => 'cut');
    await eventually('the second is held', async () => (await client.ledger()).requests() === 2);
    await service.kill();
    expect(await held).toBe('cut');
    await service.restart();
    expect(await client.request('k1', { ...reserve, output: 'res-2' })).toBe('res-1');
    expect(await client.probe('k2')).toEqual({ state: 'unknown' });
    await client.release({ key: 'k2' });
    const ledger = await client.ledger();
    expect([ledger.requests(), ledger.effects()]).toEqual([3, 2]);
    expect((await service.stop()).code).toBe(0);
  });
});
