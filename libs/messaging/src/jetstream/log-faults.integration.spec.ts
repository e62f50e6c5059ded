/** What the command log survives on one server (spec 04 "Failures that must be survived", spec 09 "JetStream"). */
import { cp, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SessionId } from '@graphrun/domain';
import { eventually, removeDir, startNats, tempDir } from '@graphrun/testing';
import type { NatsService } from '@graphrun/testing';
import { command, Inbox, positionAt, START } from '../contract/builders.js';
import { FaultBench } from '../contract/fault-bench.js';

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

describe('a reader of the log', () => {
  it('tells its owner when the stream was deleted, and a new one starts in the next incarnation', async () => {
    const inbox = new Inbox();
    const reader = await bench.messaging.log.read(0, START, inbox);
    await bench.published('a', 'b');
    await eventually('they have come', () => inbox.commands.length === 2);
    await bench.jsm.streams.delete(bench.subjects.streamName(0));
    await eventually('the owner knows', () => inbox.lost.length === 1);
    expect(inbox.lost[0]).toMatch(/was deleted; the partition has to be taken over as a new incarnation/);
    await reader.close();

    const next = new Inbox();
    const again = await bench.messaging.log.read(0, positionAt(inbox.commands[1]!), next);
    expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
    await bench.published('c');
    await eventually('it has come', () => next.commands.length === 1);
    expect(next.sequences).toEqual([1]);
    expect(inbox.lost.length).toBe(1);
  });

  it('tells its owner when the stream was deleted and created again with as many messages', async () => {
    const inbox = new Inbox();
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a', 'b');
    await eventually('they have come', () => inbox.commands.length === 2);
    const { config } = await bench.jsm.streams.info(bench.subjects.streamName(0));
    await bench.jsm.streams.delete(config.name);
    await bench.jsm.streams.add(config);
    await bench.published('a', 'b', 'c');
    await eventually('the owner knows', () => inbox.lost.length === 1);
    expect(inbox.data).toEqual(['a', 'b']);
  });

  it('recognises a store that was restored from an older copy and has grown past the position since', async () => {
    const inbox = new Inbox();
    const [node] = nats.nodes;
    const store = node?.storeDir ?? '';
    const copy = await tempDir('store');
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a', 'b', 'c');
    await nats.restart();
    await cp(store, copy, { recursive: true });
    await bench.insist('d');
    await bench.insist('e');
    await eventually('they have come', () => inbox.data.at(-1) === 'e');
    const position = positionAt(inbox.commands.at(-1)!);

    await bench.messaging.close();
    await nats.kill();
    await rm(store, { recursive: true });
    await cp(copy, store, { recursive: true });
    await nats.restart();
    bench.messaging = await bench.cluster.join();
    await bench.published('v', 'w', 'x', 'y', 'z');
    expect(await bench.messaging.log.tail(0)).toBeGreaterThan(position.seq);

    const next = new Inbox();
    const again = await bench.messaging.log.read(0, position, next);
    expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
    await eventually('all has come', () => next.data.at(-1) === 'z');
    expect(next.data).toEqual(['a', 'b', 'c', 'v', 'w', 'x', 'y', 'z']);
    expect(bench.cluster.reported.some(({ message }) => message.includes('reading incarnation 2'))).toBe(true);
    await removeDir(copy);
  });

  it('tells its owner while it runs that the store came back from an older copy', async () => {
    const inbox = new Inbox();
    const store = nats.nodes[0]?.storeDir ?? '';
    const copy = await tempDir('store');
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a');
    await nats.restart();
    await cp(store, copy, { recursive: true });
    await bench.insist('b');
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
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a');
    await eventually('it has come', () => inbox.commands.length === 1);
    const [consumer] = await bench.jsm.consumers.list(bench.subjects.streamName(0)).next();
    await bench.jsm.consumers.delete(bench.subjects.streamName(0), consumer?.name ?? '');
    await bench.published('b');
    await eventually('it has come', () => inbox.commands.length === 2);
    expect(inbox.sequences).toEqual([1, 2]);
    expect(inbox.lost).toEqual([]);
    expect(bench.cluster.reported[0]).toMatchObject({ where: 'log 0' });
  });

  it('is made anew by the watchdog when its consumer lives but delivers nothing', async () => {
    const inbox = new Inbox();
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a');
    await eventually('it has come', () => inbox.commands.length === 1);
    const [consumer] = await bench.jsm.consumers.list(bench.subjects.streamName(0)).next();
    // From now on it beats its heart and finds nothing.
    await bench.jsm.consumers.update(bench.subjects.streamName(0), consumer?.name ?? '', {
      filter_subject: bench.subjects.command(0, 'client', 'nobody', 'start'),
    });
    await bench.published('b');
    await eventually('it has come', () => inbox.commands.length === 2, 20_000);
    expect(inbox.sequences).toEqual([1, 2]);
    expect(bench.complaints).toEqual([
      'reading starts again behind 1: nothing is delivered although the stream is at 2 and the reader at 1',
    ]);
  });

  it('goes on with the next sequence after the server was killed and started again', async () => {
    const inbox = new Inbox();
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a', 'b');
    await eventually('they have come', () => inbox.commands.length === 2);
    await nats.restart();
    await bench.insist('c');
    await eventually('it has come', () => inbox.commands.length === 3);
    expect(inbox.sequences).toEqual([1, 2, 3]);
    expect(inbox.lost).toEqual([]);
  });

  it('skips what has no command subject and reports it', async () => {
    const inbox = new Inbox();
    await bench.messaging.log.read(0, START, inbox);
    await bench.published('a');
    bench.intruder.publish(
      bench.subjects.command(0, 'client', 'shop', 'start').replace('.client.', '.owner.'),
      'forged',
    );
    bench.intruder.publish(`${bench.subjects.command(0, 'client', 'shop', 'start')}.more`, 'forged');
    bench.intruder.publish(bench.subjects.command(0, 'client', 'shop', 'start'), new Uint8Array([0xff, 0xfe, 0x00]));
    await bench.intruder.flush();
    await bench.published('b');
    await eventually('the rest has come', () => inbox.commands.length === 3);
    expect(inbox.sequences).toEqual([1, 4, 5]);
    expect(bench.complaints).toEqual([
      expect.stringMatching(/^message 2 has no command subject/),
      expect.stringMatching(/^message 3 has no command subject/),
    ]);
  });
});

describe('publishing', () => {
  it('creates a deleted stream again', async () => {
    await bench.published('a');
    await bench.jsm.streams.delete(bench.subjects.streamName(0));
    await bench.published('b');
    expect(await bench.messaging.log.tail(0)).toBe(1);
  });

  it('is unavailable at once while the server is down, and comes back by itself', async () => {
    await bench.published('a');
    await nats.kill();
    await eventually('the connection is lost', () => !bench.messaging.status().connected);
    expect(bench.messaging.status()).toEqual({ connected: false, connectedSince: null });
    for (const ack of [true, false]) {
      await expect(bench.messaging.log.publish(command('b'), { ack })).rejects.toMatchObject({
        name: 'GraphrunError',
        code: 'Unavailable',
      });
    }
    expect(await bench.messaging.queue.ping('s1' as SessionId)).toBe('unknown');
    const before = Date.now();
    await nats.restart();
    await bench.insist('c');
    expect(bench.messaging.status().connectedSince).toBeGreaterThanOrEqual(before);
    expect(await bench.messaging.log.tail(0)).toBe(2);
  });

  it('uses a stream that exists with other settings as it is, and says what differs', async () => {
    await bench.jsm.streams.add({
      name: bench.subjects.streamName(1),
      subjects: [bench.subjects.commandFilter(1)],
      max_msgs: 5,
    });
    await bench.messaging.log.publish(command('a', { partition: 1 }), { ack: true });
    expect(bench.complaints).toEqual([
      expect.stringMatching(
        /^stream GR_.*_CMD_1 differs from this process's settings: discard is "old" instead of "new", max_msgs is 5 instead of 16384, max_msg_size is -1 instead of 917504; edit one of the two$/,
      ),
    ]);
    expect((await bench.jsm.streams.info(bench.subjects.streamName(1))).config.max_msgs).toBe(5);
  });
});
