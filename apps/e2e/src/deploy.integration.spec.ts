/** A deploy: every service is ended in order and started again while orders are under way. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProcessExit } from '@graphrun/testing';
import { callsByKey } from './harness/ledger-file.js';
import { measured } from './harness/measures.js';
import { startOrderCluster } from './harness/order-cluster.js';
import type { OrderCluster } from './harness/order-cluster.js';
import { ofKind } from './judge/history-rules.js';
import { broken } from './judge/order-judge.js';

/** Orders that go on while one service is replaced; all together at least 300. */
const WAVE = { atLeast: 50, strikeAt: 10 };

describe('a deploy under load', () => {
  let orders: OrderCluster;

  beforeEach(async () => {
    orders = await startOrderCluster({ nats: 1, prefix: 'deploy' });
  });

  afterEach(() => orders.stop());

  it('loses nothing and repeats nothing: one physical call for each effect', async () => {
    const { cluster, load, api } = orders;
    const exits: [string, ProcessExit][] = [];
    for (const service of cluster.services) {
      await load.during(async () => {
        exits.push([service.name, await service.stop()]);
        await service.restart();
      }, WAVE);
    }
    const evidence = await orders.evidence();
    const lost = evidence.runs.flatMap((run) => ofKind(run, 'attempt_lost'));
    measured('deploy under load', {
      services: exits.length,
      runs: evidence.runs.length,
      physical_calls: evidence.calls.length,
      handed_back: lost.filter(({ reason }) => reason === 'returned').length,
      requests_repeated: api.repeats,
    });
    expect(exits).toEqual(cluster.services.map(({ name }) => [name, { code: 0, signal: null }]));
    expect(broken(evidence)).toEqual([]);
    expect(evidence.receipts.length).toBeGreaterThanOrEqual(300);
    expect(lost.filter(({ reason }) => reason !== 'returned')).toEqual([]);
    const repeated = [...callsByKey(evidence.calls)].filter(([, calls]) => calls !== 1);
    expect(repeated).toEqual([]);
    expect(callsByKey(evidence.calls).size).toBe(2 * evidence.receipts.length);
  }, 180_000);
});
