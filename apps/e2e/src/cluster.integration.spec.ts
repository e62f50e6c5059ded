/** One process of each kind is killed while orders are under way, with one NATS server and with three. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Service } from '@graphrun/testing';
import { measured } from './harness/measures.js';
import { leaderOf } from './harness/nats-leader.js';
import { PARTITIONS, startOrderCluster } from './harness/order-cluster.js';
import type { OrderCluster } from './harness/order-cluster.js';
import { partitionsOf, startKeyIn } from './harness/ownership.js';
import { ofKind } from './judge/history-rules.js';
import { broken } from './judge/order-judge.js';

/** Orders that go on during one fault; all together at least 500. */
const WAVE = { atLeast: 125, strikeAt: 20 };
/** Spec 04 aims at 2 s; this is what is promised now. */
const TAKEOVER_MS = 5_000;

describe.each([1, 3] as const)('a cluster with NATS servers: %i', (nats) => {
  let orders: OrderCluster;

  afterEach(() => orders.stop());

  it('keeps every promise to 500 orders while a coordinator, a worker, a NATS server and PostgreSQL are killed', async () => {
    orders = await startOrderCluster({ nats, prefix: `r${nats}` });
    const { cluster, api, load } = orders;
    const [coordinator] = cluster.coordinators as [Service, Service];
    const worker = cluster.workers.find(({ name }) => name === 'worker-both') as Service;

    const took = { takeover: 0, nats: 0, postgres: 0 };
    /** Until each of the partitions has applied another command. */
    const applyAgain = async (partitions: readonly number[], since: number, prefix: string): Promise<number> => {
      const keys = partitions.map((partition) => startKeyIn(partition, PARTITIONS, 'order', `${prefix}-${nats}`));
      await Promise.all(keys.map((startKey) => load.order(startKey)));
      return performance.now() - since;
    };

    await load.during(async () => {
      const owned = (await partitionsOf(api, coordinator.name)).map(({ partition }) => partition);
      expect(owned.length).toBeGreaterThan(0);
      const killedAt = performance.now();
      await coordinator.kill();
      took.takeover = await applyAgain(owned, killedAt, 'takeover');
      await coordinator.restart();
    }, WAVE);
    await load.during(async () => {
      await worker.kill();
      await worker.restart();
    }, WAVE);
    await load.during(async () => {
      const leader = await leaderOf(cluster.nats);
      const killedAt = performance.now();
      await cluster.nats.kill(leader);
      if (nats === 1) await cluster.nats.restart(leader);
      took.nats = await applyAgain(ALL, killedAt, 'nats');
      if (nats === 3) await cluster.nats.restart(leader);
    }, WAVE);
    await load.during(async () => {
      await cluster.postgres.kill();
      await cluster.postgres.restart();
      took.postgres = await applyAgain(ALL, performance.now(), 'postgres');
    }, WAVE);

    const evidence = await orders.evidence();
    measured(`cluster, NATS servers ${nats}`, {
      runs: evidence.runs.length,
      takeover_ms: took.takeover,
      nats_server_killed_ms: took.nats,
      after_postgres_restart_ms: took.postgres,
      requests_repeated: api.repeats,
      attempts_lost: evidence.runs.flatMap((run) => ofKind(run, 'attempt_lost')).length,
      physical_calls: evidence.calls.length,
    });
    expect(broken(evidence)).toEqual([]);
    // Who has lost a grant is asked or told: no run waits for the end of a lease.
    const lost = evidence.runs.flatMap((run) => ofKind(run, 'attempt_lost'));
    expect(lost.filter(({ reason }) => reason === 'lease')).toEqual([]);
    expect(evidence.receipts.length).toBeGreaterThanOrEqual(500);
    expect(took.takeover).toBeLessThan(TAKEOVER_MS);
  }, 240_000);
});

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
