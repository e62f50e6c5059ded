import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOfRun } from '@graphrun/protocol';
import { eventually } from '@graphrun/testing';
import { PARTITIONS, TestCluster } from './testing/cluster-engine.js';
import { sequence } from './testing/definitions.js';
import { endOf, historyOf } from './testing/history.js';
import { TestWorker } from './testing/worker.js';

const DEFINITIONS = [
  sequence('pure', { a: {}, b: {} }),
  sequence('external', { c: { effects: 'external' }, d: { effects: 'external' } }),
  sequence('idle', { nobody: {} }),
];
const ALL = Array.from({ length: PARTITIONS }, (_, id) => id);

async function owners(cluster: TestCluster): Promise<readonly (string | null)[]> {
  return (await cluster.database.engine.partitions()).map((row) => row.owner);
}

describe('the engine on PostgreSQL and JetStream', () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await TestCluster.start(['m1', 'm2'], DEFINITIONS);
  });

  afterEach(() => cluster.stop());

  it('spreads partitions over the members, and gives them back when a member leaves in order', async () => {
    const first = await cluster.member('m1');
    expect([...first.coordinator.health().partitions].sort()).toEqual(ALL);
    const second = await cluster.member('m2');
    await eventually(
      'both own partitions',
      async () => {
        const spread = await owners(cluster);
        return spread.includes('m1') && spread.includes('m2') && !spread.includes(null);
      },
      10_000,
    );
    await second.stop();
    await eventually('m1 owns all', async () => (await owners(cluster)).every((owner) => owner === 'm1'), 10_000);
  });

  it('takes over within 5 s from a member that vanished, and no receipted run is lost or doubled', async () => {
    const first = await cluster.member('m1');
    await cluster.member('m2');
    await eventually('both own partitions', async () => new Set(await owners(cluster)).size === 2, 10_000);
    const client = await cluster.client();
    const messaging = await cluster.connect('worker', 'w1');
    const worker = await TestWorker.open({ messaging, activities: ['a', 'b', 'c', 'd'], free: 4, slots: 32 });
    const before = await Promise.all(
      Array.from({ length: 40 }, (_, n) => client.run(n % 2 === 0 ? 'pure' : 'external', { id: `i${n}`, n })),
    );
    await first.vanish();
    const begin = Date.now();
    const probe = await Promise.all(ALL.map((_, n) => client.run('pure', { id: `after ${n}`, n })));
    await eventually('m2 owns all', async () => (await owners(cluster)).every((owner) => owner === 'm2'), 5_000);
    expect(Date.now() - begin).toBeLessThan(5_000);
    for (const run of [...before, ...probe]) {
      expect(await endOf(cluster.database, run)).toMatchObject({ kind: 'run_succeeded' });
    }
    await worker.close();
    await messaging.close();
  });

  it('two members forced onto one partition: the guard lets exactly one commit, the other drops it', async () => {
    const first = await cluster.member('m1', {
      config: { members: ['m1'], ownershipTickMs: 60_000, partitionRenewMs: 60_000 },
    });
    const client = await cluster.client();
    const run = await client.run('idle', { id: 'before', n: 0 });
    // m2 believes that it is alone and that m1 is dead: it takes everything, and m1 does not notice.
    const second = await cluster.member('m2', { config: { members: ['m2'] } });
    expect([...second.coordinator.health().partitions].sort()).toEqual(ALL);
    expect([...first.coordinator.health().partitions].sort()).toEqual(ALL);
    const runs = await Promise.all(Array.from({ length: 30 }, (_, n) => client.run('idle', { id: `i${n}`, n })));
    const touched = new Set(runs.map((id) => partitionOfRun(id, PARTITIONS)));
    // Both have decided them; of m1's commits none has gone through since.
    await eventually(
      'm1 has been fenced',
      () => [...touched].every((id) => !first.coordinator.health().partitions.includes(id)),
      5_000,
    );
    const kinds = first.faults.commits
      .filter(({ writes }) => writes.some((part) => part.events.length > 0))
      .map(({ outcome }) => outcome.kind);
    expect(kinds.filter((kind) => kind === 'committed')).toHaveLength(1);
    for (const id of [run, ...runs])
      expect((await historyOf(cluster.database, id)).map(({ body }) => body.kind)).toEqual([
        'run_admitted',
        'scope_opened',
        'activity_activated',
      ]);
    expect(new Set(runs).size).toBe(30);
    expect((await cluster.database.query.countRuns({ namespace: 'default' })).active).toBe(31);
  });

  it('goes on after a restart of PostgreSQL under load', async () => {
    await cluster.member('m1', { config: { members: ['m1'] } });
    const client = await cluster.client();
    const messaging = await cluster.connect('worker', 'w1');
    const worker = await TestWorker.open({ messaging, activities: ['a', 'b'], free: 4, slots: 32 });
    const runs = Array.from({ length: 60 }, (_, n) => client.run('pure', { id: `i${n}`, n }, { startKey: `k${n}` }));
    await client.until('some to end', () => (client.ended.size > 5 ? true : undefined));
    await cluster.postgres.restart();
    for (const run of await Promise.all(runs))
      expect(await endOf(cluster.database, run)).toMatchObject({ kind: 'run_succeeded' });
    expect((await cluster.database.query.countRuns({ namespace: 'default' })).succeeded).toBe(60);
    await worker.close();
    await messaging.close();
  });

  it('reads a recreated command log from its first message, as a new incarnation', async () => {
    const member = await cluster.member('m1', { config: { members: ['m1'] } });
    const client = await cluster.client();
    const before = await client.run('idle', { id: 'before', n: 1 });
    await cluster.nats.kill(0);
    // The machine's disk is lost: the server comes back with nothing.
    await rm(join(cluster.nats.nodes[0]?.storeDir ?? '', 'jetstream'), { recursive: true });
    await cluster.nats.restart(0);
    const after = await Promise.all(Array.from({ length: 12 }, (_, n) => client.run('idle', { id: `after ${n}`, n })));
    for (const run of [before, ...after]) await historyOf(cluster.database, run);
    const rows = await cluster.database.engine.partitions();
    expect(rows.some((row) => row.incarnation > 1 || row.epoch > 1)).toBe(true);
    expect(member.coordinator.health().ready).toBe(true);
  });

  it('a command that ends its owner each time is quarantined unread, and its neighbours are applied', async () => {
    const client = await cluster.client();
    const fatal = client.run('idle', { id: 'fatal', n: 0 }, { startKey: 'fatal' });
    const refused = fatal.then(
      () => 'admitted',
      (error: unknown) => String(error),
    );
    let deaths = 0;
    for (;;) {
      let die: (() => void) | null = null;
      let begin: () => void = () => undefined;
      const begun = new Promise<boolean>((resolve) => (begin = () => resolve(false)));
      const member = await cluster.member('m1', {
        config: { members: ['m1'] },
        fault: (writes) => {
          const fatal = writes.some((part) => part.events.some((row) => row.data.includes('"fatal"')));
          if (!fatal) return null;
          begin();
          return new Promise((settle) => {
            die = () => settle({ kind: 'unknown', cause: new Error('the process ended') });
          });
        },
      });
      if (await Promise.race([begun, refused.then(() => true)])) break;
      deaths += 1;
      const gone = member.vanish();
      (die as (() => void) | null)?.();
      await gone;
    }
    // Twice begun alone and marked, at the least; never more often than the counters say.
    expect(deaths).toBeGreaterThanOrEqual(2);
    expect(deaths).toBeLessThanOrEqual(4);
    expect(await refused).toBe(
      'Error: not started: Internal the engine could not apply this command and has put it into quarantine; ask an operator',
    );
    expect(await cluster.database.query.quarantine(10)).toMatchObject([
      { kind: 'start', error: expect.stringContaining('ended the process each time') },
    ]);
    const neighbours = Array.from({ length: 12 }, (_, n) => client.run('idle', { id: `i${n}`, n }));
    expect(new Set(await Promise.all(neighbours)).size).toBe(12);
  });
});
