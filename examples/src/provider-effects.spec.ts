import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EffectKey } from '@graphrun/domain';
import { createServer, Journal, Provider } from '@graphrun/provider';
import { ActivityError, silentLogger } from '@graphrun/sdk';
import type { ActivityContext } from '@graphrun/sdk';
import { eventually, ProviderClient, removeDir, tempDir } from '@graphrun/testing';
import { effectsAt } from './effects.js';
import type { Effects } from './effects.js';

const effectKey = 'gr1:r1:a1:forward' as EffectKey;
const effect = { activity: 'test.manual', input: { order_id: 'o1' }, output: { order_id: 'o1' } };

function contextOf(signal: AbortSignal): ActivityContext {
  return {
    effectKey,
    subKey: (name) => `${effectKey}:${name}`,
    attempt: 1,
    deadline: 0,
    signal,
    aborted: false,
    shuttingDown: new AbortController().signal,
    logger: silentLogger,
    heartbeat: () => undefined,
  };
}

describe('effects at a provider', () => {
  let dir: string;
  let client: ProviderClient;
  let stop: () => Promise<void>;
  let effects: Effects;
  let aborting: AbortController;
  let context: ActivityContext;

  beforeEach(async () => {
    dir = await tempDir('effects');
    const provider = new Provider(Journal.open(join(dir, 'ledger.jsonl')));
    const server = createServer(provider);
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    client = new ProviderClient(url);
    effects = effectsAt(url);
    aborting = new AbortController();
    context = contextOf(aborting.signal);
    stop = async () => {
      await server.close();
      provider.close();
    };
  });

  afterEach(async () => {
    await stop();
    await removeDir(dir);
  });

  it('happen there, under the effect key, once', async () => {
    expect(await effects.lookUp(context)).toBe('not_applied');
    expect(await effects.request(effect, context)).toEqual(effect.output);
    expect(await effects.request(effect, context)).toEqual(effect.output);
    expect(await effects.lookUp(context)).toEqual({ applied: effect.output });
    const ledger = await client.ledger();
    expect([ledger.requests('test.manual'), ledger.keys()]).toEqual([2, [effectKey]]);
  });

  it('that are refused are known failures; those whose answer is lost are not', async () => {
    await client.rule({}, { kind: 'refuse', code: 'declined', message: 'no cover' });
    const refused = Promise.resolve(effects.request(effect, context));
    await expect(refused).rejects.toThrow(new ActivityError('declined', 'no cover'));
    await client.rule({}, { kind: 'lie' });
    const lost = Promise.resolve(effects.request(effect, context));
    await expect(lost).rejects.not.toBeInstanceOf(ActivityError);
  });

  it('are unknown while a request is under way, and an abort ends only the waiting for it', async () => {
    await client.rule({}, { kind: 'hold' });
    const held = Promise.resolve(effects.request(effect, context));
    held.catch(() => undefined); // met below
    await eventually('it is under way', async () => (await client.ledger()).requests() === 1);
    aborting.abort(new Error('cancelled'));
    await expect(held).rejects.toThrow('cancelled');
    const later = contextOf(new AbortController().signal);
    expect(await effects.lookUp(later)).toBe('unknown');
    await client.release({});
    expect(await effects.lookUp(later)).toEqual({ applied: effect.output });
  });
});
