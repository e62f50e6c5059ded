/** One process of each kind is killed while orders are under way, with one NATS server and with three. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Service } from '@graphrun/testing';
import { measured } from './harness/measures.js';
import { PARTITIONS, startOrderCluster } from './harness/order-cluster.js';
import type { OrderCluster } from './harness/order-cluster.js';
import { partitionsOf, startKeyIn } from './harness/ownership.js';
import { ofKind } from './judge/history-rules.js';
import { broken } from './judge/order-judge.js';

const WAVE = 100;
/** The fault strikes when so many orders of a wave have their receipt and the others have not. */
const STRIKE_AT = 20;
const AT_ONCE = 16;
/** Spec 04 aims at 2 s; this is what is promised now. */
const TAKEOVER_MS = 5_000;

describe.each([1, 3] as const)('a cluster with NATS servers: %i', (nats) => {
  let orders: OrderCluster;

  afterEach(() => orders.stop());

  it('keeps every promise to 500 orders while a coordinator, a worker, a NATS server and PostgreSQL are killed', async () => {
    orders = await startOrderCluster({ nats, prefix: `r${nats}` });
    const { cluster, api, load } = orders;
    const [coordinator, ...otherCoordinators] = cluster.coordinators as [Service, ...Service[]];
    expect(otherCoordinators).toHaveLength(1);
    const worker = cluster.workers.find(({ name }) => name === 'worker-both') as Service;

    /** Runs `fault` in the midst of a wave of orders. */
    const during = async (fault: () => Promise<void>): Promise<void> => {
      const strike = load.receipted(load.receipts.length + STRIKE_AT);
      const wave = load.start(WAVE, { atOnce: AT_ONCE });
      await strike;
      await fault();
      await wave;
    };

    let takeoverMs = 0;
    await during(async () => {
      const owned = await partitionsOf(api, coordinator.name);
      expect(owned.length).toBeGreaterThan(0);
      const killedAt = performance.now();
      await coordinator.kill();
      // The next command of each of its partitions.
      await Promise.all(
        owned.map(({ partition }) => {
          const startKey = startKeyIn(partition, PARTITIONS, 'order', `takeover-${nats}`);
          return load.order(startKey);
        }),
      );
      takeoverMs = performance.now() - killedAt;
      await coordinator.restart();
    });
    await during(async () => {
      await worker.kill();
      await worker.restart();
    });
    await during(async () => {
      await cluster.nats.kill(0);
      await cluster.nats.restart(0);
    });
    await during(async () => {
      await cluster.postgres.kill();
      await cluster.postgres.restart();
    });
    await during(() => Promise.resolve());

    const evidence = await orders.evidence();
    measured(`cluster, NATS servers ${nats}`, {
      runs: evidence.runs.length,
      takeover_ms: takeoverMs,
      requests_repeated: api.repeats,
      attempts_lost: evidence.runs.flatMap((run) => ofKind(run, 'attempt_lost')).length,
      physical_calls: evidence.calls.length,
      results_late: evidence.runs.flatMap((run) => ofKind(run, 'late_result_observed')).length,
    });
    expect(broken(evidence)).toEqual([]);
    expect(evidence.receipts.length).toBeGreaterThanOrEqual(5 * WAVE);
    expect(takeoverMs).toBeLessThan(TAKEOVER_MS);
    const { quarantine } = await api.get<{ readonly quarantine: readonly unknown[] }>('/v1/quarantine');
    expect(quarantine).toEqual([]);
  }, 240_000);
});
