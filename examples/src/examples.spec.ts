import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { EffectKey } from '@graphrun/domain';
import { compileYaml, loadProgram, parseCatalog, versionedName } from '@graphrun/dsl';
import type { Catalog, Json } from '@graphrun/dsl';
import { ActivityError, silentLogger } from '@graphrun/sdk';
import type { ActivityContext, HandlerEntry } from '@graphrun/sdk';
import {
  demoFallback,
  demoHandlers,
  EffectLedger,
  exampleCatalogText,
  exampleDefinitionText,
  exampleInput,
  exampleNames,
  ledger,
  reconcilers,
} from './index.js';

function catalog(): Catalog {
  const parsed = parseCatalog(exampleCatalogText(), 'catalog.json');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return parsed.catalog;
}

let keys = 0;

function context(of: Partial<ActivityContext> = {}): ActivityContext {
  keys += 1;
  const effectKey = `gr1:test:a${keys}:forward` as EffectKey;
  return {
    effectKey,
    subKey: (name) => `${effectKey}:${name}`,
    attempt: 1,
    deadline: 0,
    signal: new AbortController().signal,
    aborted: false,
    shuttingDown: new AbortController().signal,
    logger: silentLogger,
    heartbeat: () => undefined,
    ...of,
  };
}

type Call = (input: Json, context: ActivityContext) => unknown;

function call(name: keyof typeof demoHandlers, input: Json, of?: ActivityContext): unknown {
  const entry: HandlerEntry = demoHandlers[name];
  const handler = 'handler' in entry ? entry.handler : entry;
  if (typeof handler !== 'function') throw new Error(`${name} runs in a thread`);
  return (handler as Call)(input, of ?? context());
}

const order = { order_id: 'o1', amount: 1_234 };
const reserved = { ...order, reservation_id: 'res-1' };
const receipt = { ...order, payment_id: 'pay-1' };

describe('the example catalog', () => {
  it('has a handler for every activity', () => {
    const { contracts } = catalog();
    expect(contracts.map(({ name, version }) => versionedName(name, version)).sort()).toEqual(
      Object.keys(demoHandlers).sort(),
    );
  });

  it('knows a reconciler for each external activity that must not be repeated blindly', () => {
    const known = catalog().reconcilers;
    expect(known.map(({ name, forwardActivity }) => [name, forwardActivity.name])).toEqual([
      ['inventory.lookup', 'inventory.reserve'],
      ['payment.lookup', 'payment.charge'],
      ['test.lookup', 'test.manual'],
    ]);
    expect(known.map(({ name, version }) => versionedName(name, version))).toEqual(Object.keys(reconcilers));
  });
});

describe.each(exampleNames)('the example %s', (name) => {
  it('compiles, and its input fits', () => {
    const compiled = compileYaml(exampleDefinitionText(name), { catalog: catalog(), file: `${name}.yaml` });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    const program = loadProgram(compiled.artifact);
    expect(program.validate(program.definition.root.inputSchema, exampleInput(name))).toBeNull();
  });
});

describe('the demo handlers', () => {
  it('answer with the values of their schemas', () => {
    expect(call('counter.increment/v1', { value: 41 })).toEqual({ value: 42 });
    expect(call('inventory.reserve/v1', order)).toEqual(reserved);
    expect(call('payment.charge/v1', reserved)).toEqual(receipt);
    expect(call('inventory.release/v1', reserved)).toBeNull();
    expect(call('payment.refund/v1', receipt)).toBeNull();
    expect(call('bench.reserve/v1', order)).toEqual(reserved);
    expect(call('bench.charge/v1', reserved)).toEqual(receipt);
    expect(call('shipping.quote/v1', order)).toEqual({ cents: 500 });
    expect(call('remote.echo/v1', order)).toEqual(order);
    expect(call('test.gate/v1', { value: 1 })).toEqual({ value: 1 });
    expect(call('test.manual/v1', order)).toEqual(order);
    expect(demoFallback(order)).toEqual(order);
  });

  it('quote a tax in whole cents, also of refunds', () => {
    expect(call('tax.quote/v1', order)).toEqual({ cents: 123 });
    expect(call('tax.quote/v1', { ...order, amount: -1_239 })).toEqual({ cents: -123 });
  });

  it('fail as often as test.flaky is told, with its retryable code', () => {
    const input = { fail_attempts: 2 };
    for (const attempt of [1, 2]) {
      expect(() => call('test.flaky/v1', input, context({ attempt }))).toThrow(ActivityError);
    }
    expect(call('test.flaky/v1', input, context({ attempt: 3 }))).toEqual(input);
    expect(call('test.flaky/v1', { value: 1 })).toEqual({ value: 1 });
  });

  it('make one effect of two requests with one key, and answer the second as the first', () => {
    const same = context();
    call('payment.charge/v1', reserved, same);
    expect(call('payment.charge/v1', { ...reserved, amount: 9 }, same)).toEqual(receipt);
    expect(ledger.get(same.effectKey)).toEqual({ requests: 2, output: receipt });
  });

  it('are probed with the output of the forward activity; what the ledger does not know is unknown', () => {
    const same = context();
    const lookUp = reconcilers['inventory.lookup/v1'];
    expect(lookUp(order, same)).toBe('unknown');
    call('inventory.reserve/v1', order, same);
    expect(lookUp(order, same)).toEqual({ applied: reserved });
  });
});

describe('the ledger file', () => {
  it('has one line for each request', () => {
    const dir = mkdtempSync(join(tmpdir(), 'graphrun-ledger-'));
    try {
      const file = join(dir, 'ledger.jsonl');
      const kept = new EffectLedger(file);
      kept.request('k1', 'payment.charge', null);
      kept.request('k1', 'payment.charge', null);
      const lines = readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
      expect(lines).toEqual([
        { at: expect.any(Number), pid: process.pid, key: 'k1', activity: 'payment.charge', applied: true },
        { at: expect.any(Number), pid: process.pid, key: 'k1', activity: 'payment.charge', applied: false },
      ]);
      expect(kept.effects).toBe(1);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
