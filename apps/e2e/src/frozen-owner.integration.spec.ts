/** An owner that is frozen longer than its leases last and then goes on, believing that it still owns its partitions. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@graphrun/testing';
import type { Service } from '@graphrun/testing';
import { measured } from './harness/measures.js';
import { startOrderCluster } from './harness/order-cluster.js';
import type { OrderCluster } from './harness/order-cluster.js';
import { partitionsOf } from './harness/ownership.js';
import { ofKind } from './judge/history-rules.js';
import { broken } from './judge/order-judge.js';

const AT_ONCE = 16;

describe('a coordinator that is frozen past its leases', () => {
  let orders: OrderCluster;

  beforeEach(async () => {
    orders = await startOrderCluster({ nats: 1, prefix: 'frozen' });
  });

  afterEach(() => orders.stop());

  it('commits nothing more for what it has lost, and takes part again', async () => {
    const { cluster, api, load } = orders;
    const [frozen, successor] = cluster.coordinators as [Service, Service];
    const firstWave = load.start(150, { atOnce: AT_ONCE });
    await load.receipted(40);
    const owned = await partitionsOf(api, frozen.name);
    expect(owned.length).toBeGreaterThan(0);
    frozen.pause();
    const frozenAt = performance.now();
    await firstWave;
    const firstWaveMs = performance.now() - frozenAt;
    await eventually('the successor owns all', async () => (await partitionsOf(api, frozen.name)).length === 0, 20_000);
    expect((await partitionsOf(api, successor.name)).length).toBe(16);
    const leaseEnds = Math.max(...owned.map(({ lease_until }) => lease_until));
    await eventually('its leases are over', () => Date.now() > leaseEnds, 20_000);

    const secondWave = load.start(150, { atOnce: AT_ONCE });
    await load.receipted(load.receipts.length + 20);
    const frozenMs = performance.now() - frozenAt;
    const resumedAt = performance.now();
    frozen.resume();
    await secondWave;
    const secondWaveMs = performance.now() - resumedAt;
    await eventually('it owns partitions again', async () => (await partitionsOf(api, frozen.name)).length > 0, 20_000);
    const againMs = performance.now() - resumedAt;
    await load.start(50, { atOnce: AT_ONCE });

    const evidence = await orders.evidence();
    measured('owner frozen past its leases', {
      partitions: owned.length,
      first_wave_done_ms: firstWaveMs,
      frozen_for_ms: frozenMs,
      second_wave_done_ms: secondWaveMs,
      owns_again_after_ms: againMs,
      judged_after_ms: performance.now() - resumedAt,
      physical_calls: evidence.calls.length,
      requests_repeated: api.repeats,
    });
    expect(broken(evidence)).toEqual([]);
    // Who has lost a grant is asked or told: no run waits for the end of a lease.
    const lost = evidence.runs.flatMap((run) => ofKind(run, 'attempt_lost'));
    expect(lost.filter(({ reason }) => reason === 'lease')).toEqual([]);
    expect(evidence.receipts).toHaveLength(350);
    expect(frozen.running.exit).toBeUndefined();
  }, 120_000);
});
