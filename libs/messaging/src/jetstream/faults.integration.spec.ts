/** What JetStream adapters survive on one server (spec 04 "Failures that must be survived", spec 09 "JetStream"). */
import { cp, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { SessionId } from '@graphrun/domain';
import { Subjects } from '@graphrun/protocol';
import type { ChangeNotice, Receipt } from '@graphrun/protocol';
import { eventually, freePort, natsServerBinary, removeDir, startNats, startProcess, tempDir } from '@graphrun/testing';
import type { NatsService, RunningProcess } from '@graphrun/testing';
import {
  aNotice,
  anOffer,
  aReceipt,
  aSession,
  Bench,
  CHARGE,
  command,
  Inbox,
  positionAt,
  START,
} from '../contract/builders.js';
import { jetStreamCluster } from '../contract/jetstream-cluster.js';
import type { JetStreamCluster } from '../contract/jetstream-cluster.js';
import type { JetStreamMessaging } from './connect.js';
import { connectJetStream } from './connect.js';

let nats: NatsService;
let cluster: JetStreamCluster;
let messaging: JetStreamMessaging;
let subjects: Subjects;
/** A connection of somebody else, who does what no part of the product would do. */
let intruder: NatsConnection;
let jsm: JetStreamManager;

beforeEach(async () => {
  nats = await startNats();
  cluster = jetStreamCluster(nats);
  subjects = new Subjects(cluster.name);
  messaging = await cluster.join();
  intruder = await connect({ servers: [...nats.servers], maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  jsm = await jetstreamManager(intruder);
});

afterEach(async () => {
  await cluster.close();
  await intruder.close();
  await nats.stop();
});

async function published(...data: readonly string[]): Promise<void> {
  for (const text of data) await messaging.log.publish(command(text), { ack: true });
}

/** Publishes as a client does: again and again until the log has it. */
async function insist(text: string): Promise<void> {
  await eventually(`the log takes ${text}`, async () => {
    await messaging.log.publish(command(text), { ack: true });
    return true;
  });
}

describe('a reader of the log', () => {
  it('tells its owner when the stream was deleted, and a new one starts in the next incarnation', async () => {
    const inbox = new Inbox();
    const reader = await messaging.log.read(0, START, inbox);
    await published('a', 'b');
    await eventually('they have come', () => inbox.commands.length === 2);
    await jsm.streams.delete(subjects.streamName(0));
    await eventually('the owner knows', () => inbox.lost.length === 1);
    expect(inbox.lost[0]).toMatch(/was deleted; the partition has to be taken over as a new incarnation/);
    await reader.close();

    const next = new Inbox();
    const again = await messaging.log.read(0, positionAt(inbox.commands[1]!), next);
    expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
    await published('c');
    await eventually('it has come', () => next.commands.length === 1);
    expect(next.sequences).toEqual([1]);
    expect(inbox.lost.length).toBe(1);
  });

  it('tells its owner when the stream was deleted and created again with as many messages', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    await published('a', 'b');
    await eventually('they have come', () => inbox.commands.length === 2);
    const { config } = await jsm.streams.info(subjects.streamName(0));
    await jsm.streams.delete(config.name);
    await jsm.streams.add(config);
    await published('a', 'b', 'c');
    await eventually('the owner knows', () => inbox.lost.length === 1);
    expect(inbox.data).toEqual(['a', 'b']);
  });

  it('recognises a store that was restored from an older copy and has grown past the position since', async () => {
    const inbox = new Inbox();
    const [node] = nats.nodes;
    const store = node?.storeDir ?? '';
    const copy = await tempDir('store');
    await messaging.log.read(0, START, inbox);
    await published('a', 'b', 'c');
    await nats.restart();
    await cp(store, copy, { recursive: true });
    await insist('d');
    await insist('e');
    await eventually('they have come', () => inbox.data.at(-1) === 'e');
    const position = positionAt(inbox.commands.at(-1)!);

    await messaging.close();
    await nats.kill();
    await rm(store, { recursive: true });
    await cp(copy, store, { recursive: true });
    await nats.restart();
    messaging = await cluster.join();
    await published('v', 'w', 'x', 'y', 'z');
    expect(await messaging.log.tail(0)).toBeGreaterThan(position.seq);

    const next = new Inbox();
    const again = await messaging.log.read(0, position, next);
    expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
    await eventually('all has come', () => next.data.at(-1) === 'z');
    expect(next.data).toEqual(['a', 'b', 'c', 'v', 'w', 'x', 'y', 'z']);
    expect(cluster.reported.some(({ message }) => message.includes('reading incarnation 2'))).toBe(true);
    await removeDir(copy);
  });

  it('tells its owner while it runs that the store came back from an older copy', async () => {
    const inbox = new Inbox();
    const store = nats.nodes[0]?.storeDir ?? '';
    const copy = await tempDir('store');
    await messaging.log.read(0, START, inbox);
    await published('a');
    await nats.restart();
    await cp(store, copy, { recursive: true });
    await insist('b');
    await eventually('both have come', () => inbox.data.at(-1) === 'b');
    await nats.kill();
    await rm(store, { recursive: true });
    await cp(copy, store, { recursive: true });
    await nats.restart();
    await eventually('the owner knows', () => inbox.lost.length === 1, 20_000);
    expect(inbox.lost[0]).toMatch(/shorter than recorded|is not the one that was read before/);
    await removeDir(copy);
  });

  it('goes on when its consumer was deleted behind its back', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    await published('a');
    await eventually('it has come', () => inbox.commands.length === 1);
    const [consumer] = await jsm.consumers.list(subjects.streamName(0)).next();
    await jsm.consumers.delete(subjects.streamName(0), consumer?.name ?? '');
    await published('b');
    await eventually('it has come', () => inbox.commands.length === 2);
    expect(inbox.sequences).toEqual([1, 2]);
    expect(inbox.lost).toEqual([]);
    expect(cluster.reported[0]).toMatchObject({ where: 'log 0' });
  });

  it('is made anew by the watchdog when its consumer lives but delivers nothing', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    await published('a');
    await eventually('it has come', () => inbox.commands.length === 1);
    const [consumer] = await jsm.consumers.list(subjects.streamName(0)).next();
    // From now on it beats its heart and finds nothing.
    await jsm.consumers.update(subjects.streamName(0), consumer?.name ?? '', {
      filter_subject: subjects.command(0, 'client', 'nobody', 'start'),
    });
    await published('b');
    await eventually('it has come', () => inbox.commands.length === 2, 20_000);
    expect(inbox.sequences).toEqual([1, 2]);
    expect(cluster.reported.map(({ message }) => message)).toEqual([
      'reading starts again behind 1: nothing is delivered although the stream is at 2 and the reader at 1',
    ]);
  });

  it('goes on with the next sequence after the server was killed and started again', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    await published('a', 'b');
    await eventually('they have come', () => inbox.commands.length === 2);
    await nats.restart();
    await insist('c');
    await eventually('it has come', () => inbox.commands.length === 3);
    expect(inbox.sequences).toEqual([1, 2, 3]);
    expect(inbox.lost).toEqual([]);
  });

  it('skips what has no command subject and reports it', async () => {
    const inbox = new Inbox();
    await messaging.log.read(0, START, inbox);
    await published('a');
    intruder.publish(subjects.command(0, 'client', 'shop', 'start').replace('.client.', '.owner.'), 'forged');
    intruder.publish(`${subjects.command(0, 'client', 'shop', 'start')}.more`, 'forged');
    intruder.publish(subjects.command(0, 'client', 'shop', 'start'), new Uint8Array([0xff, 0xfe, 0x00]));
    await intruder.flush();
    await published('b');
    await eventually('the rest has come', () => inbox.commands.length === 3);
    expect(inbox.sequences).toEqual([1, 4, 5]);
    expect(cluster.reported.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^message 2 has no command subject/),
      expect.stringMatching(/^message 3 has no command subject/),
    ]);
  });
});

describe('publishing', () => {
  it('creates a deleted stream again', async () => {
    await published('a');
    await jsm.streams.delete(subjects.streamName(0));
    await published('b');
    expect(await messaging.log.tail(0)).toBe(1);
  });

  it('is unavailable at once while the server is down, and comes back by itself', async () => {
    await published('a');
    await nats.kill();
    await eventually('the connection is lost', () => !messaging.status().connected);
    expect(messaging.status()).toEqual({ connected: false, connectedSince: null });
    for (const ack of [true, false]) {
      await expect(messaging.log.publish(command('b'), { ack })).rejects.toMatchObject({
        name: 'GraphrunError',
        code: 'Unavailable',
      });
    }
    expect(await messaging.queue.ping('s1' as SessionId)).toBe('unknown');
    const before = Date.now();
    await nats.restart();
    await insist('c');
    expect(messaging.status().connectedSince).toBeGreaterThanOrEqual(before);
    expect(await messaging.log.tail(0)).toBe(2);
  });

  it('uses a stream that exists with other settings as it is, and says what differs', async () => {
    await jsm.streams.add({ name: subjects.streamName(1), subjects: [subjects.commandFilter(1)], max_msgs: 5 });
    await messaging.log.publish(command('a', { partition: 1 }), { ack: true });
    expect(cluster.reported.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^stream GR_.*_CMD_1 differs from this process's settings: discard is "old" instead of "new", max_msgs is 5 instead of 16384, max_msg_size is -1 instead of 917504; edit one of the two$/,
      ),
    ]);
    expect((await jsm.streams.info(subjects.streamName(1))).config.max_msgs).toBe(5);
  });
});

describe('taking work', () => {
  it('goes on after the server, and with it the queue in memory, was restarted', async () => {
    const bench = new Bench(aSession('s1'));
    const session = await messaging.queue.openSession(aSession('s1'), bench);
    session.setFree(CHARGE, 10);
    messaging.queue.offer(anOffer(1));
    await eventually('it has come', () => bench.taken.length === 1);
    bench.taken[0]?.ack();
    await nats.restart();
    await eventually('offers come again', () => {
      messaging.queue.offer(anOffer(2));
      return bench.ids.includes('0.1.2');
    });
    expect(await messaging.queue.ping('s1' as SessionId)).toBe('alive');
  });

  it.each(['consumer', 'stream'] as const)('goes on at once after its %s was deleted', async (deleted) => {
    const bench = new Bench(aSession('s1'));
    const session = await messaging.queue.openSession(aSession('s1'), bench);
    session.setFree(CHARGE, 1000);
    const [stream, consumer] = [subjects.workStreamName(), subjects.consumerName(CHARGE)];
    await eventually('its request waits', async () => (await jsm.consumers.info(stream, consumer)).num_waiting > 0);
    const since = performance.now();
    await (deleted === 'consumer' ? jsm.consumers.delete(stream, consumer) : jsm.streams.delete(stream));
    await eventually('offers come again', () => {
      messaging.queue.offer(anOffer(1));
      return bench.taken.length > 0;
    });
    expect(performance.now() - since).toBeLessThan(3000);
  });

  it('notices by its silence that a consumer is gone which it asked too late', async () => {
    const bench = new Bench(aSession('s1'));
    const session = await messaging.queue.openSession(aSession('s1'), bench);
    await jsm.consumers.delete(subjects.workStreamName(), subjects.consumerName(CHARGE));
    session.setFree(CHARGE, 1000);
    await eventually('offers come again', () => {
      messaging.queue.offer(anOffer(1));
      return bench.taken.length > 0;
    });
    expect(cluster.reported.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^taking offers starts again: nothing was heard for \d+ ms$/),
    ]);
  });

  it('takes unreadable offers out of the queue and goes on', async () => {
    const bench = new Bench(aSession('s1'));
    const session = await messaging.queue.openSession(aSession('s1'), bench);
    intruder.publish(subjects.work(CHARGE), 'no JSON');
    intruder.publish(subjects.work(CHARGE), '{"id":"0.1.7"}');
    intruder.publish(subjects.session('s1' as SessionId, 'grant'), '[]');
    intruder.publish(subjects.session('s1' as SessionId, 'abort'), '');
    await intruder.flush();
    session.setFree(CHARGE, 1);
    messaging.queue.offer(anOffer(1));
    await eventually('the good one has come', () => bench.taken.length === 1);
    bench.taken[0]?.ack();
    await eventually('nothing is left', async () => {
      const { pending, unacked } = await messaging.queue.backlog(CHARGE);
      return pending + unacked === 0;
    });
    expect(bench.grants).toEqual([]);
    expect(cluster.reported.map(({ message }) => message).sort()).toEqual([
      'an abort notice is not JSON',
      'an offer has no partition of type number',
      'an offer is not JSON',
      'an offer is not a JSON object',
    ]);
  });

  it('answers no renewal that cannot be read and goes on with the next', async () => {
    await messaging.queue.serveRenewals(0, () => ({ epoch: 1, leaseMs: 1, lost: [] }));
    intruder.publish(subjects.renew(0), 'no JSON');
    await intruder.flush();
    const session = await messaging.queue.openSession(aSession('s1'), new Bench(aSession('s1')));
    expect((await session.renew(0, { session: 's1' as SessionId, claims: [] })).epoch).toBe(1);
    expect(cluster.reported.map(({ message }) => message)).toEqual(['a renewal is not JSON']);
  });
});

describe('a worker process', () => {
  /** Listens as a session does; a process of its own, so that it can be killed and frozen. */
  async function workerProcess(session: string): Promise<RunningProcess> {
    const subject = subjects.session(session as SessionId, 'ping');
    const program = `
      const { connect } = require('@nats-io/transport-node');
      connect({ servers: ${JSON.stringify(nats.servers)} }).then(async (nc) => {
        nc.subscribe(${JSON.stringify(subject)}, { callback: (_, m) => m.respond('{}') });
        await nc.flush();
        console.log('ready');
      });`;
    return startProcess({
      name: session,
      args: ['-e', program],
      cwd: process.cwd(),
      ready: (line) => line === 'ready',
    });
  }

  it('is known to be gone well within a second after kill -9', async () => {
    const worker = await workerProcess('s1');
    expect(await messaging.queue.ping('s1' as SessionId)).toBe('alive');
    const since = performance.now();
    await worker.kill();
    await eventually('it is gone', async () => (await messaging.queue.ping('s1' as SessionId)) === 'gone');
    expect(performance.now() - since).toBeLessThan(1000);
  });

  it('is not called gone while it is only frozen', async () => {
    const worker = await workerProcess('s1');
    worker.pause();
    expect(await messaging.queue.ping('s1' as SessionId)).toBe('unknown');
    worker.resume();
    expect(await messaging.queue.ping('s1' as SessionId)).toBe('alive');
    await worker.kill();
  });
});

describe('the change feed', () => {
  it('sends receipts to inboxes of its cluster and to no other subject', async () => {
    const seen: string[] = [];
    intruder.subscribe('>', {
      callback: (_, message) => {
        seen.push(message.subject);
      },
    });
    await intruder.flush();
    for (const address of [
      '$JS.API.STREAM.DELETE.X',
      'gr.other.inbox.client.shop.1',
      subjects.inbox('client', 'shop', '1').replace('.client.', '.coordinator.'),
      `${subjects.inboxPrefix('client', 'shop')}*`,
      `${subjects.inboxPrefix('client', 'shop')}a b`,
      `${subjects.inboxPrefix('client', 'shop')}.`,
    ]) {
      messaging.feed.receipts(address, [aReceipt('c1')]);
    }
    const own = subjects.inbox('client', 'shop', '1');
    messaging.feed.receipts(own, [aReceipt('c1')]);
    await eventually('the good one was sent', () => seen.includes(own));
    expect(seen).toEqual([own]);
    expect(cluster.reported.length).toBe(6);
  });

  it('splits receipts that do not fit into one message', async () => {
    const seen: Receipt[] = [];
    const inbox = await messaging.feed.openInbox('client', 'shop', (receipt) => seen.push(receipt));
    const long = 'x'.repeat(200_000);
    const receipts = Array.from({ length: 9 }, (_, n): Receipt => ({
      kind: 'worker',
      ref: `r${n}`,
      verdict: 'stale',
      reason: long,
    }));
    messaging.feed.receipts(inbox.address, receipts);
    await eventually('all have come', () => seen.length === 9);
    expect(seen).toEqual(receipts);
    expect(cluster.reported).toEqual([]);
  });

  it('skips what it cannot read, and goes on after a reconnect', async () => {
    const notices: ChangeNotice[] = [];
    const receipts: Receipt[] = [];
    await messaging.feed.watch((notice) => notices.push(notice));
    const inbox = await messaging.feed.openInbox('client', 'shop', (receipt) => receipts.push(receipt));
    intruder.publish(subjects.change(0), 'no JSON');
    intruder.publish(inbox.address, '[{"kind":"other"}]');
    await intruder.flush();
    await nats.restart();
    await eventually('both come', () => {
      messaging.feed.announce(aNotice(1));
      messaging.feed.receipts(inbox.address, [aReceipt('c1')]);
      return notices.length > 0 && receipts.length > 0;
    });
    expect(notices[0]).toEqual(aNotice(1));
    expect(receipts[0]).toEqual(aReceipt('c1'));
  });
});

describe('connecting and closing', () => {
  it('says what to do when no server answers', async () => {
    const port = await freePort();
    const attempt = connectJetStream({
      servers: [`127.0.0.1:${port}`],
      cluster: 'x',
      role: 'client',
      principal: 'shop',
      partitions: 4,
      replicas: 1,
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringMatching(/check the addresses, the credentials and that the server runs$/),
    });
  });

  it('refuses a server without JetStream', async () => {
    const port = await freePort();
    const server = await startProcess({
      name: 'plain nats',
      command: natsServerBinary(),
      args: ['-a', '127.0.0.1', '-p', String(port)],
      ready: (line) => line.includes('Server is ready'),
    });
    const attempt = connectJetStream({
      servers: [`127.0.0.1:${port}`],
      cluster: 'x',
      role: 'client',
      principal: 'shop',
      partitions: 4,
      replicas: 1,
    });
    await expect(attempt).rejects.toMatchObject({ code: 'FailedPrecondition' });
    await server.stop();
  });

  it('finds the installed server good enough', () => {
    expect(messaging.unmetRequirements()).toEqual([]);
  });

  it('leaves no timer and no socket behind', async () => {
    // Looked at from within "eventually" both times: it has a timer of its own.
    const before = await eventually('it has been looked at', () => handles());
    const other = await cluster.join();
    const bench = new Bench(aSession('s1'));
    const session = await other.queue.openSession(aSession('s1'), bench);
    session.setFree(CHARGE, 3);
    await other.log.read(0, START, new Inbox());
    await other.feed.watch(() => undefined);
    await other.feed.openInbox('client', 'shop', () => undefined);
    await other.peers.answer('m1', () => ({ member: 'm1', startedAt: 0, partitions: [] }));
    await other.close();
    await eventually('all is gone', () => {
      expect(handles()).toEqual(before);
      return true;
    });
    const consumers = await jsm.consumers.list(subjects.streamName(0)).next();
    expect(consumers).toEqual([]);
  });

  it('closes while the server is down', async () => {
    await messaging.log.read(0, START, new Inbox());
    await nats.kill();
    await eventually('the connection is lost', () => !messaging.status().connected);
    await messaging.close();
  });
});

function handles(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => name === 'Timeout' || name === 'TCPSocketWrap' || name === 'TCPWRAP')
    .sort();
}
