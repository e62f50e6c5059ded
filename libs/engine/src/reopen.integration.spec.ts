import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestCluster } from './testing/cluster-engine.js';
import { sequence } from './testing/definitions.js';
import { historyOf, recorded } from './testing/history.js';
import { passOn, TestWorker } from './testing/worker.js';

const CLIENTS = ['ann', 'bob', 'eve', 'joe'];

describe('reopen on PostgreSQL and JetStream', () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await TestCluster.start(['m1', 'm2'], [sequence('order', { step: { effects: 'external' } })]);
  });

  afterEach(() => cluster.stop());

  it('has one winner of many that race', async () => {
    await cluster.member('m1');
    await cluster.member('m2');
    const messaging = await cluster.connect('worker', 'w1');
    let broken = true;
    const worker = await TestWorker.open({
      messaging,
      activities: ['step'],
      script: (offer) => (broken ? { kind: 'error', failure: { code: 'refused', message: 'no' } } : passOn(offer)),
    });
    const clients = await Promise.all(CLIENTS.map((name) => cluster.client(name)));
    const [first] = clients;
    if (first === undefined) throw new Error('there is no client');
    const run = await first.run('order', { id: 'i1', n: 1 });
    const { seq } = await recorded(cluster.database, run, 'run_failed');
    broken = false;
    const answers = await Promise.all(clients.map((client) => client.reopen(run, { expectedSeq: seq })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    await recorded(cluster.database, run, 'run_succeeded');
    const kinds = (await historyOf(cluster.database, run)).map(({ body }) => body.kind);
    expect(kinds.filter((kind) => kind === 'run_reopened')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'activity_succeeded')).toHaveLength(1);
    await worker.close();
    await messaging.close();
  });
});
