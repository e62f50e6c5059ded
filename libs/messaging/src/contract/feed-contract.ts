/** What every change feed and every peer probe keeps (ports.ts `ChangeFeed`, peers.ts). */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangeNotice, Receipt } from '@graphrun/protocol';
import type { Messaging } from '../messaging.js';
import { aNotice, aReceipt } from './builders.js';
import type { Adapter, TestCluster } from './cluster.js';

export function changeFeedContract(adapter: Adapter): void {
  const { eventually } = adapter;

  describe(`the change feed of ${adapter.name}`, () => {
    let cluster: TestCluster;
    let owner: Messaging;
    let client: Messaging;

    beforeEach(async () => {
      cluster = await adapter.open();
      owner = await cluster.join();
      client = await cluster.join();
    });

    afterEach(async () => {
      await cluster.close();
    });

    it('brings receipts to their inbox, in order, and to no other', async () => {
      const mine: Receipt[] = [];
      const other: Receipt[] = [];
      const inbox = await client.feed.openInbox('client', 'shop', (receipt) => mine.push(receipt));
      const second = await client.feed.openInbox('client', 'shop', (receipt) => other.push(receipt));
      owner.feed.receipts(inbox.address, [aReceipt('c1'), aReceipt('c2')]);
      owner.feed.receipts(second.address, [aReceipt('c3')]);
      await eventually('all have come', () => mine.length === 2 && other.length === 1);
      expect(mine).toEqual([aReceipt('c1'), aReceipt('c2')]);
      expect(other).toEqual([aReceipt('c3')]);
    });

    it('gives each inbox an address under its role and principal', async () => {
      const one = await client.feed.openInbox('client', 'shop', () => undefined);
      const two = await client.feed.openInbox('worker', 'a.b', () => undefined);
      expect(one.address).toMatch(/^gr\.[A-Za-z0-9_-]+\.inbox\.client\.shop\.[A-Za-z0-9_-]+$/);
      expect(two.address).toMatch(/^gr\.[A-Za-z0-9_-]+\.inbox\.worker\.a_2eb\.[A-Za-z0-9_-]+$/);
    });

    it('goes on when the reader of one receipt throws', async () => {
      const seen: Receipt[] = [];
      const inbox = await client.feed.openInbox('client', 'shop', (receipt) => {
        seen.push(receipt);
        if (seen.length === 1) throw new Error('the client stumbled');
      });
      owner.feed.receipts(inbox.address, [aReceipt('c1'), aReceipt('c2')]);
      owner.feed.receipts(inbox.address, [aReceipt('c3')]);
      await eventually('all have come', () => seen.length === 3);
      expect(cluster.reported.map(({ message }) => message)).toEqual(['the client stumbled']);
    });

    it('brings nothing to an inbox that was closed', async () => {
      const closed: Receipt[] = [];
      const open: Receipt[] = [];
      const first = await client.feed.openInbox('client', 'shop', (receipt) => closed.push(receipt));
      const second = await client.feed.openInbox('client', 'shop', (receipt) => open.push(receipt));
      await first.close();
      await first.close();
      owner.feed.receipts(first.address, [aReceipt('c1')]);
      owner.feed.receipts(second.address, [aReceipt('c2')]);
      await eventually('the open one has its receipt', () => open.length === 1);
      expect(closed).toEqual([]);
    });

    it('shows all watchers every notice until they stop', async () => {
      const one: ChangeNotice[] = [];
      const two: ChangeNotice[] = [];
      const watching = await client.feed.watch((notice) => one.push(notice));
      await owner.feed.watch((notice) => two.push(notice));
      owner.feed.announce([aNotice(1)]);
      await eventually('both have it', () => one.length === 1 && two.length === 1);
      await watching.close();
      owner.feed.announce([aNotice(2)]);
      await eventually('the other has the second', () => two.length === 2);
      expect(one).toEqual([aNotice(1)]);
      expect(two).toEqual([aNotice(1), aNotice(2)]);
    });

    it('knows whether a member of the cluster answers', async () => {
      const info = { member: 'm1', startedAt: 1, partitions: [0] };
      const answering = await client.peers.answer('m1', () => info);
      expect(await owner.peers.ask('m1', 500)).toBe('alive');
      expect(await client.peers.ask('m1', 500)).toBe('alive');
      expect(await owner.peers.ask('m2', 500)).toBe('gone');
      await answering.close();
      expect(await owner.peers.ask('m1', 500)).toBe('gone');
    });
  });
}
