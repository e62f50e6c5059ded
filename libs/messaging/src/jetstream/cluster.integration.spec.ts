/** What JetStream adapters survive on three servers with three replicas. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { SessionId } from '@graphrun/domain';
import { Subjects } from '@graphrun/protocol';
import { eventually, startNats } from '@graphrun/testing';
import type { NatsService } from '@graphrun/testing';
import { anOffer, aSession, Bench, CHARGE, command, Inbox, START } from '../contract/builders.js';
import { jetStreamCluster } from '../contract/jetstream-cluster.js';
import type { JetStreamCluster } from '../contract/jetstream-cluster.js';
import type { JetStreamMessaging } from './connect.js';

let nats: NatsService;
let cluster: JetStreamCluster;
let messaging: JetStreamMessaging;

beforeAll(async () => {
  nats = await startNats({ count: 3 });
});

afterAll(async () => {
  await nats.stop();
});

beforeEach(async () => {
  cluster = jetStreamCluster(nats, 3);
  messaging = await cluster.join();
});

afterEach(async () => {
  await cluster.close();
});

/** Index of the server that leads a stream. */
async function leaderOf(stream: string): Promise<number> {
  const connection = await connect({ servers: [...nats.servers] });
  try {
    const info = await (await jetstreamManager(connection)).streams.info(stream);
    return nats.nodes.findIndex(({ name }) => name === info.cluster?.leader);
  } finally {
    await connection.close();
  }
}

async function insist(text: string, timeoutMs = 20_000): Promise<void> {
  await eventually(
    `the log takes ${text}`,
    async () => {
      await messaging.log.publish(command(text), { ack: true });
      return true;
    },
    timeoutMs,
  );
}

/** Copies are allowed, a gap is not: a publisher that had no answer sends again. */
function withoutCopies(data: readonly string[]): readonly string[] {
  return data.filter((text, n) => data.indexOf(text) === n);
}

describe('with three replicas', () => {
  it('reads on after the server that leads the stream was killed, losing nothing that was acknowledged', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    const sent = Array.from({ length: 200 }, (_, n) => `${n}`);
    for (const text of sent.slice(0, 100)) await insist(text);
    const leader = await leaderOf(new Subjects(cluster.name).streamName(0));
    await nats.kill(leader);
    const since = performance.now();
    await insist('100');
    await eventually('it has come', () => inbox.data.includes('100'), 20_000);
    expect(performance.now() - since).toBeLessThan(14_000);
    for (const text of sent.slice(101)) await insist(text);
    await eventually('all have come', () => inbox.data.includes('199'), 20_000);
    expect(withoutCopies(inbox.data)).toEqual(sent);
    expect(inbox.sequences).toEqual(inbox.sequences.map((_, n) => n + 1));
    expect(inbox.lost).toEqual([]);
    await nats.restart(leader);
  });

  it('brings offers again after the server that leads the queue was killed', async () => {
    const bench = new Bench(aSession('s1'));
    const session = await messaging.queue.openSession(aSession('s1'), bench);
    session.setFree(CHARGE, 100);
    messaging.queue.offer(anOffer(1));
    await eventually('it has come', () => bench.ids.includes('0.1.1'));
    const leader = await leaderOf(new Subjects(cluster.name).workStreamName());
    await nats.kill(leader);
    let n = 1;
    await eventually(
      'offers come again',
      () => {
        n += 1;
        messaging.queue.offer(anOffer(n));
        return bench.taken.length > 1;
      },
      30_000,
    );
    expect(await messaging.queue.ping('s1' as SessionId)).toBe('alive');
    await nats.restart(leader);
  });

  it('is unavailable without a quorum and goes on in the same incarnation when it is back', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    await insist('a');
    await eventually('it has come', () => inbox.commands.length === 1);
    await Promise.all([nats.kill(0), nats.kill(1)]);
    await eventually('it is unavailable', async () => {
      await expect(messaging.log.publish(command('lost?'), { ack: true })).rejects.toMatchObject({
        code: 'Unavailable',
      });
      return true;
    });
    await Promise.all([nats.restart(0), nats.restart(1)]);
    await insist('b', 40_000);
    await eventually('it has come', () => inbox.data.includes('b'), 40_000);
    expect(inbox.lost).toEqual([]);
    expect(inbox.sequences).toEqual(inbox.sequences.map((_, n) => n + 1));
  });
});
