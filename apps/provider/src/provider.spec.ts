import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, ProviderClient, removeDir, tempDir } from '@graphrun/testing';
import type { EffectRequest, ProviderLedger } from '@graphrun/testing';
import { createServer, Journal, Provider } from './index.js';

const charge: EffectRequest = {
  activity: 'payment.charge',
  input: { order_id: 'o1' },
  output: { payment_id: 'pay-1' },
};
const KEY = 'gr1:r1:a2:forward';

describe('the provider', () => {
  let dir: string;
  let client: ProviderClient;
  let stop: () => Promise<void>;
  let now = 1_000;

  /** A provider on what the journal holds; the one before is left as a death leaves it. */
  async function start(): Promise<void> {
    const provider = new Provider(Journal.open(join(dir, 'ledger.jsonl')), () => now);
    const server = createServer(provider);
    client = new ProviderClient(await server.listen({ host: '127.0.0.1', port: 0 }));
    stop = async () => {
      await server.close();
      provider.close();
    };
  }

  async function restart(): Promise<void> {
    await stop();
    await start();
  }

  async function ledgerWhen(what: string, check: (ledger: ProviderLedger) => boolean): Promise<ProviderLedger> {
    return eventually(what, async () => {
      const ledger = await client.ledger();
      return check(ledger) ? ledger : undefined;
    });
  }

  beforeEach(async () => {
    dir = await tempDir('provider');
    now = 1_000;
    await start();
  });

  afterEach(async () => {
    await stop();
    await removeDir(dir);
  });

  it('makes one effect of two requests with one key, and answers the second as the first', async () => {
    expect(await client.request(KEY, charge)).toEqual(charge.output);
    expect(await client.request(KEY, { ...charge, output: { payment_id: 'pay-2' } })).toEqual(charge.output);
    const ledger = await client.ledger();
    expect([ledger.requests('payment.charge'), ledger.effects('payment.charge')]).toEqual([2, 1]);
    expect(await client.probe(KEY)).toEqual({ state: 'applied', output: charge.output });
  });

  it('notes a key that comes back for another activity or another input, and does nothing', async () => {
    await client.request(KEY, charge);
    await expect(client.request(KEY, { ...charge, input: { order_id: 'o2' } })).rejects.toThrow('key_misused');
    await expect(client.request(KEY, { ...charge, activity: 'payment.refund' })).rejects.toThrow('key_misused');
    const ledger = await client.ledger();
    expect(ledger.misused()).toHaveLength(2);
    expect(ledger.effects()).toBe(1);
  });

  it('says of a key it has never seen, or has refused, that nothing was applied', async () => {
    expect(await client.probe(KEY)).toEqual({ state: 'not_applied' });
    await client.rule({}, { kind: 'refuse', code: 'declined', message: 'no cover' });
    await expect(client.request(KEY, charge)).rejects.toThrow('409: {"code":"declined","message":"no cover"}');
    expect(await client.probe(KEY)).toEqual({ state: 'not_applied' });
    expect(await client.request(KEY, charge)).toEqual(charge.output);
  });

  it('lies by a lost answer: the effect has happened', async () => {
    await client.rule({ activity: 'payment.charge' }, { kind: 'lie' });
    await expect(client.request(KEY, charge)).rejects.toThrow('fetch failed');
    expect(await client.probe(KEY)).toEqual({ state: 'applied', output: charge.output });
  });

  it('holds a request until it is released, and knows nothing of its effect until then', async () => {
    await client.rule({ input: { order_id: 'o1' } }, { kind: 'hold' });
    const answered = client.request(KEY, charge);
    await ledgerWhen('it has come in', (ledger) => ledger.requests() === 1);
    expect(await client.probe(KEY)).toEqual({ state: 'unknown' });
    expect(await client.release({ activity: 'payment.refund' })).toBe(0);
    expect(await client.release({ key: ':a2:forward' })).toBe(1);
    expect(await answered).toEqual(charge.output);
    expect((await client.ledger()).lines.map(({ kind }) => kind)).toEqual(['requested', 'probed', 'applied']);
  });

  it('lets a delayed effect happen after its request has failed, once, whatever came between', async () => {
    await client.rule({}, { kind: 'delay', ms: null });
    await expect(client.request(KEY, charge)).rejects.toThrow('fetch failed');
    expect(await client.probe(KEY)).toEqual({ state: 'unknown' });
    await client.request(KEY, charge);
    await client.release({});
    const ledger = await client.ledger();
    expect([ledger.requests(), ledger.effects()]).toEqual([2, 1]);
  });

  it('lets a delayed effect happen when its time has come', async () => {
    await client.rule({}, { kind: 'delay', ms: 20 });
    await expect(client.request(KEY, charge)).rejects.toThrow('fetch failed');
    await ledgerWhen('it has happened', (ledger) => ledger.effects() === 1);
  });

  it('applies a rule as often as it says, and then the next that matches', async () => {
    await client.rule({ activity: 'payment.charge' }, { kind: 'refuse', code: 'first', message: 'no' }, 2);
    await client.rule({}, { kind: 'refuse', code: 'second', message: 'no' });
    for (const code of ['first', 'first', 'second']) await expect(client.request(KEY, charge)).rejects.toThrow(code);
    await client.rule({}, { kind: 'hold' }, 9);
    await client.clearRules();
    expect(await client.request(KEY, charge)).toEqual(charge.output);
  });

  it('refuses a rule that it does not understand', async () => {
    const rule = client.rule({}, { kind: 'sulk' } as never);
    await expect(rule).rejects.toThrow('POST /v1/rules with 400');
  });

  it('goes on with what waited when it was ended, and a delay does not begin anew', async () => {
    await client.rule({ key: ':a1:forward' }, { kind: 'hold' });
    await client.rule({ key: ':a2:forward' }, { kind: 'delay', ms: 60_000 });
    const held = client.request('gr1:r1:a1:forward', charge).catch(() => 'cut');
    await expect(client.request(KEY, charge)).rejects.toThrow('fetch failed');
    await ledgerWhen('both are there', (ledger) => ledger.requests() === 2);
    now += 59_990;
    await restart();
    expect(await held).toBe('cut');
    await ledgerWhen('the delayed effect has happened', (ledger) => ledger.keys().includes(KEY));
    expect(await client.probe('gr1:r1:a1:forward')).toEqual({ state: 'unknown' });
    expect(await client.release({})).toBe(1);
    expect((await client.ledger()).effects()).toBe(2);
  });

  it('removes a line that was cut short, and drops a request of which nothing more is known', async () => {
    await client.request('k1', charge);
    await stop();
    const file = join(dir, 'ledger.jsonl');
    const requested = readFileSync(file, 'utf8')
      .split('\n', 1)[0]!
      .replace('"k1"', '"k2"')
      .replace('"seq":1', '"seq":3');
    appendFileSync(file, `${requested}\n{"kind":"appl`);
    await start();
    expect((await client.ledger()).lines.map(({ kind }) => kind)).toEqual([
      'requested',
      'applied',
      'requested',
      'dropped',
    ]);
    expect(await client.probe('k2')).toEqual({ state: 'not_applied' });
  });
});
