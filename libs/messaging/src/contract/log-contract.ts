/** What every command log keeps (ports.ts `CommandLog`; spec 04 "Ownership", Position and Consumers). */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LOG_CAPACITY, MAX_COMMAND_BYTES, READER_BACKLOG } from '../limits.js';
import type { Messaging } from '../messaging.js';
import { command, Inbox, positionAt, START } from './builders.js';
import type { Adapter, TestCluster } from './cluster.js';

export function commandLogContract(adapter: Adapter): void {
  const { eventually } = adapter;

  describe(`the command log of ${adapter.name}`, () => {
    let cluster: TestCluster;
    let messaging: Messaging;

    beforeEach(async () => {
      cluster = await adapter.open();
      messaging = await cluster.join();
    });

    afterEach(async () => {
      await cluster.close();
    });

    it('delivers every command once, in the order it was published, with its sender', async () => {
      const inbox = new Inbox();
      const reader = await messaging.log.read(0, START, inbox);
      const sent = Array.from({ length: 600 }, (_, n) => `{"n":${n}}`);
      for (const [n, data] of sent.entries()) await messaging.log.publish(command(data), { ack: n % 50 === 49 });
      await eventually('all commands have come', () => inbox.commands.length >= sent.length);
      expect(inbox.data).toEqual(sent);
      expect(inbox.sequences).toEqual(sent.map((_, n) => n + 1));
      expect(inbox.commands[0]).toMatchObject({ partition: 0, role: 'client', principal: 'shop', kind: 'start' });
      await reader.close();
    });

    it('keeps principals with any characters apart', async () => {
      const inbox = new Inbox();
      await messaging.log.read(0, START, inbox);
      await messaging.log.publish(command('a', { principal: 'a.b *>', role: 'worker', kind: 'report' }), { ack: true });
      await messaging.log.publish(command('b', { principal: 'ä_' }), { ack: true });
      await eventually('both have come', () => inbox.commands.length === 2);
      expect(inbox.commands.map(({ principal, role, kind }) => [principal, role, kind])).toEqual([
        ['a.b *>', 'worker', 'report'],
        ['ä_', 'client', 'start'],
      ]);
    });

    it('delivers what was published before the first reader came', async () => {
      await messaging.log.publish(command('early'), { ack: true });
      const inbox = new Inbox();
      await messaging.log.read(0, START, inbox);
      await eventually('it has come', () => inbox.commands.length === 1);
      expect(inbox.data).toEqual(['early']);
    });

    it('keeps partitions apart', async () => {
      const inbox = new Inbox();
      await messaging.log.read(1, START, inbox);
      await messaging.log.publish(command('zero', { partition: 0 }), { ack: true });
      await messaging.log.publish(command('one', { partition: 1 }), { ack: true });
      await eventually('it has come', () => inbox.commands.length > 0);
      expect(inbox.data).toEqual(['one']);
    });

    it('never calls the owner inside publish', async () => {
      const inbox = new Inbox();
      await messaging.log.read(0, START, inbox);
      const published = messaging.log.publish(command('x'), { ack: false });
      expect(inbox.data).toEqual([]);
      await published;
      await eventually('it has come', () => inbox.commands.length === 1);
    });

    it('continues behind a recorded position in the same incarnation', async () => {
      const first = new Inbox();
      const reader = await messaging.log.read(0, START, first);
      for (const data of ['a', 'b', 'c']) await messaging.log.publish(command(data), { ack: true });
      await eventually('they have come', () => first.commands.length === 3);
      await reader.close();

      const second = new Inbox();
      // Index 1 was delivered: there are three.
      const position = positionAt(first.commands[1]!, 7);
      const again = await messaging.log.read(0, position, second);
      await messaging.log.publish(command('d'), { ack: true });
      await eventually('the rest has come', () => second.commands.length === 2);
      expect([again.incarnation, again.startSeq]).toEqual([7, 2]);
      expect(second.data).toEqual(['c', 'd']);
      expect(second.sequences).toEqual([3, 4]);
      expect(cluster.reported).toEqual([]);
    });

    it('starts a new incarnation, loudly, when the message at the position is another one', async () => {
      const first = new Inbox();
      const reader = await messaging.log.read(0, START, first);
      for (const data of ['a', 'b']) await messaging.log.publish(command(data), { ack: true });
      await eventually('they have come', () => first.commands.length === 2);
      await reader.close();

      const second = new Inbox();
      const position = { ...positionAt(first.commands[1]!), messageId: 'ffffffffffffffff' };
      const again = await messaging.log.read(0, position, second);
      await eventually('all has come again', () => second.commands.length === 2);
      expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
      expect(second.sequences).toEqual([1, 2]);
      expect(cluster.reported.map(({ where }) => where)).toEqual(['log 0']);
      expect(cluster.reported[0]?.message).toMatch(
        /message 2 .* is not the one that was read before; reading incarnation 2/,
      );
    });

    it('starts a new incarnation when the same content came at another time', async () => {
      const first = new Inbox();
      const reader = await messaging.log.read(0, START, first);
      await messaging.log.publish(command('a'), { ack: true });
      await eventually('it has come', () => first.commands.length === 1);
      await reader.close();
      const position = positionAt(first.commands[0]!);
      const again = await messaging.log.read(0, { ...position, timestamp: position.timestamp - 1 }, new Inbox());
      expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
    });

    it('starts a new incarnation when the position is ahead of the log', async () => {
      const first = new Inbox();
      const reader = await messaging.log.read(0, START, first);
      await messaging.log.publish(command('a'), { ack: true });
      await eventually('it has come', () => first.commands.length === 1);
      await reader.close();
      const second = new Inbox();
      const again = await messaging.log.read(0, { ...positionAt(first.commands[0]!), seq: 40 }, second);
      await eventually('it has come again', () => second.commands.length === 1);
      expect([again.incarnation, again.startSeq]).toEqual([2, 0]);
      expect(cluster.reported[0]?.message).toMatch(/ends at 1, but 40 was read before/);
    });

    it('starts a new incarnation when messages behind the position are gone', async () => {
      const first = new Inbox();
      const reader = await messaging.log.read(0, START, first);
      for (const data of ['a', 'b', 'c', 'd']) await messaging.log.publish(command(data), { ack: true });
      await eventually('they have come', () => first.commands.length === 4);
      await reader.close();
      await messaging.log.trim(0, 4);
      const second = new Inbox();
      const again = await messaging.log.read(0, positionAt(first.commands[1]!), second);
      await eventually('what is left has come', () => second.commands.length === 1);
      expect([again.incarnation, again.startSeq]).toEqual([2, 3]);
      expect(second.data).toEqual(['d']);
    });

    it('knows its tail and forgets only what is below the trimmed sequence', async () => {
      const first = new Inbox();
      const reader = await messaging.log.read(0, START, first);
      for (const data of ['a', 'b', 'c']) await messaging.log.publish(command(data), { ack: true });
      await eventually('they have come', () => first.commands.length === 3);
      await messaging.log.trim(0, 2);
      expect(await messaging.log.tail(0)).toBe(3);
      await reader.close();
      const second = new Inbox();
      const again = await messaging.log.read(0, positionAt(first.commands[1]!), second);
      await eventually('the last has come', () => second.commands.length === 1);
      expect(again.incarnation).toBe(1);
      expect(second.data).toEqual(['c']);
    });

    it('takes a command of the longest size and refuses a longer one by the name of the limit', async () => {
      const inbox = new Inbox();
      await messaging.log.read(0, START, inbox);
      await messaging.log.publish(command('x'.repeat(MAX_COMMAND_BYTES)), { ack: true });
      for (const ack of [true, false]) {
        await expect(
          messaging.log.publish(command('ä'.repeat(MAX_COMMAND_BYTES / 2 + 1)), { ack }),
        ).rejects.toMatchObject({
          name: 'GraphrunError',
          code: 'ResourceExhausted',
          details: { limit: 'command_bytes', limit_value: 917_504, bytes: 917_506 },
        });
      }
      await eventually('the long one has come', () => inbox.commands.length === 1);
      expect(inbox.data[0]?.length).toBe(MAX_COMMAND_BYTES);
    });

    it('refuses commands while it is full and takes them again once it is trimmed', async () => {
      const inbox = new Inbox();
      await messaging.log.read(0, START, inbox);
      for (let n = 0; n < LOG_CAPACITY; n += 1) await messaging.log.publish(command('x'), { ack: n % 1024 === 1023 });
      await expect(messaging.log.publish(command('y'), { ack: true })).rejects.toMatchObject({
        name: 'GraphrunError',
        code: 'ResourceExhausted',
      });
      await eventually('all that fitted has come', () => inbox.commands.length === LOG_CAPACITY);
      await messaging.log.trim(0, LOG_CAPACITY);
      await messaging.log.publish(command('z'), { ack: true });
      await eventually('the next one has come', () => inbox.commands.length === LOG_CAPACITY + 1);
      expect(inbox.data.at(-1)).toBe('z');
      expect(inbox.sequences.at(-1)).toBe(LOG_CAPACITY + 1);
    });

    it('goes on when the owner throws, and reports it', async () => {
      const inbox = new Inbox();
      await messaging.log.read(0, START, {
        onCommand: (logged) => {
          if (logged.data === 'b') throw new Error('the owner stumbled');
          inbox.onCommand(logged);
        },
        onIncarnationLost: (reason) => inbox.onIncarnationLost(reason),
      });
      for (const data of ['a', 'b', 'c']) await messaging.log.publish(command(data), { ack: true });
      await eventually('the others have come', () => inbox.commands.length === 2);
      expect(inbox.data).toEqual(['a', 'c']);
      expect(cluster.reported).toEqual([{ message: 'the owner stumbled', where: 'log 0' }]);
    });

    it('waits for an owner that is behind and goes on when it has caught up', async () => {
      let unapplied = 0;
      const seen: number[] = [];
      const total = READER_BACKLOG + 2500;
      await messaging.log.read(0, START, {
        onCommand: ({ seq }) => {
          seen.push(seq);
          unapplied += 1;
        },
        onIncarnationLost: () => undefined,
        backlog: () => unapplied,
      });
      for (let n = 0; n < total; n += 1) await messaging.log.publish(command('x'), { ack: n % 1000 === 999 });
      await eventually('the owner is behind', () => unapplied > READER_BACKLOG);
      // What was asked for before the limit may still come, no more: two batches of 500.
      expect(unapplied).toBeLessThanOrEqual(READER_BACKLOG + 1000);
      await eventually('all commands have come', () => {
        unapplied = 0;
        return seen.length === total;
      });
      expect(seen).toEqual(Array.from({ length: total }, (_, n) => n + 1));
    });

    it('delivers nothing after a reader was closed', async () => {
      const closed = new Inbox();
      const reader = await messaging.log.read(0, START, closed);
      await reader.close();
      await reader.close();
      const open = new Inbox();
      await messaging.log.read(0, START, open);
      await messaging.log.publish(command('x'), { ack: true });
      await eventually('the open one has it', () => open.commands.length === 1);
      expect(closed.data).toEqual([]);
    });

    it('is unavailable after it was closed', async () => {
      await messaging.close();
      await messaging.close();
      expect(messaging.status()).toEqual({ connected: false, connectedSince: null });
      await expect(messaging.log.publish(command('x'), { ack: false })).rejects.toMatchObject({ code: 'Unavailable' });
      await expect(messaging.log.read(0, START, new Inbox())).rejects.toMatchObject({ code: 'Unavailable' });
    });
  });
}
