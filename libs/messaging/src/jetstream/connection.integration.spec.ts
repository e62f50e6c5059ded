/** Connecting, closing, and the change feed among broken and foreign senders. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangeNotice, Receipt } from '@graphrun/protocol';
import { eventually, freePort, natsServerBinary, startNats, startProcess } from '@graphrun/testing';
import type { NatsService } from '@graphrun/testing';
import { aNotice, aReceipt, aSession, Bench, CHARGE, Inbox, START } from '../contract/builders.js';
import { FaultBench } from '../contract/fault-bench.js';
import { connectJetStream } from './connect.js';

let nats: NatsService;
let bench: FaultBench;

beforeEach(async () => {
  nats = await startNats();
  bench = await FaultBench.on(nats, eventually);
});

afterEach(async () => {
  await bench.close();
  await nats.stop();
});

describe('the change feed', () => {
  it('sends receipts to inboxes of its cluster and to no other subject', async () => {
    const seen: string[] = [];
    bench.intruder.subscribe('>', {
      callback: (_, message) => {
        seen.push(message.subject);
      },
    });
    await bench.intruder.flush();
    for (const address of [
      '$JS.API.STREAM.DELETE.X',
      'gr.other.inbox.client.shop.1',
      bench.subjects.inbox('client', 'shop', '1').replace('.client.', '.coordinator.'),
      `${bench.subjects.inboxPrefix('client', 'shop')}*`,
      `${bench.subjects.inboxPrefix('client', 'shop')}a b`,
      `${bench.subjects.inboxPrefix('client', 'shop')}.`,
    ]) {
      bench.messaging.feed.receipts(address, [aReceipt('c1')]);
    }
    const own = bench.subjects.inbox('client', 'shop', '1');
    bench.messaging.feed.receipts(own, [aReceipt('c1')]);
    await eventually('the good one was sent', () => seen.includes(own));
    expect(seen).toEqual([own]);
    expect(bench.cluster.reported.length).toBe(6);
  });

  it('splits receipts that do not fit into one message', async () => {
    const seen: Receipt[] = [];
    const inbox = await bench.messaging.feed.openInbox('client', 'shop', (receipt) => seen.push(receipt));
    const long = 'x'.repeat(200_000);
    const receipts = Array.from({ length: 9 }, (_, n): Receipt => ({
      kind: 'worker',
      ref: `r${n}`,
      verdict: 'stale',
      reason: long,
    }));
    bench.messaging.feed.receipts(inbox.address, receipts);
    await eventually('all have come', () => seen.length === 9);
    expect(seen).toEqual(receipts);
    expect(bench.cluster.reported).toEqual([]);
  });

  it('skips what it cannot read, and goes on after a reconnect', async () => {
    const notices: ChangeNotice[] = [];
    const receipts: Receipt[] = [];
    await bench.messaging.feed.watch((notice) => notices.push(notice));
    const inbox = await bench.messaging.feed.openInbox('client', 'shop', (receipt) => receipts.push(receipt));
    bench.intruder.publish(bench.subjects.changes(), 'no JSON');
    bench.intruder.publish(inbox.address, '[{"kind":"other"}]');
    await bench.intruder.flush();
    await nats.restart();
    await eventually('both come', () => {
      bench.messaging.feed.announce([aNotice(1)]);
      bench.messaging.feed.receipts(inbox.address, [aReceipt('c1')]);
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
    expect(bench.messaging.unmetRequirements()).toEqual([]);
  });

  it('leaves no timer and no socket behind', async () => {
    // Looked at from within "eventually" both times: it has a timer of its own.
    const before = await eventually('it has been looked at', () => handles());
    const other = await bench.cluster.join();
    const desk = new Bench(aSession('s1'));
    const session = await other.queue.openSession(aSession('s1'), desk);
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
    const consumers = await bench.jsm.consumers.list(bench.subjects.streamName(0)).next();
    expect(consumers).toEqual([]);
  });

  it('closes while the server is down', async () => {
    await bench.messaging.log.read(0, START, new Inbox());
    await nats.kill();
    await eventually('the connection is lost', () => !bench.messaging.status().connected);
    await bench.messaging.close();
  });
});

function handles(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => name === 'Timeout' || name === 'TCPSocketWrap' || name === 'TCPWRAP')
    .sort();
}
