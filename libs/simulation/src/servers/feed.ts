/** Receipts and notices on their way: some get lost, all are watched as they leave. */
import type { ChangeFeed, MemberInfo, Messaging, PeerProbe, Liveness, Subscription } from '@graphrun/messaging';
import type { ChangeNotice, Receipt } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { Process } from '../core/process.js';
import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import type { Rates } from '../plan.js';
import { LogPort } from './log.js';
import type { LogServer } from './log.js';
import { QueuePort } from './queue.js';
import type { QueueServer } from './queue.js';

export interface FeedWatcher {
  receipts(process: Process, inbox: string, receipts: readonly Receipt[]): void;
  announced(process: Process, notices: readonly ChangeNotice[]): void;
}

export class FeedServer {
  readonly inboxes = new Map<string, { readonly process: Process; readonly onReceipt: (receipt: Receipt) => void }>();

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    readonly rates: () => Rates,
    readonly watcher: FeedWatcher,
  ) {}
}

class FeedPort implements ChangeFeed {
  constructor(
    readonly process: Process,
    readonly server: FeedServer,
  ) {}

  receipts(address: string, receipts: readonly Receipt[]): void {
    const { scheduler, random, rates, watcher, inboxes } = this.server;
    if (!this.process.alive) return;
    watcher.receipts(this.process, address, receipts);
    const inbox = inboxes.get(address);
    if (inbox === undefined || this.process.cut || random.chance(rates().receiptLoss)) return;
    scheduler.at(random.int(0, 3), inbox.process, 'gets receipts', () => {
      for (const receipt of receipts) inbox.onReceipt(receipt);
    });
  }

  announce(notices: readonly ChangeNotice[]): void {
    if (this.process.alive) this.server.watcher.announced(this.process, notices);
  }

  openInbox(): Promise<never> {
    return Promise.reject(new GraphrunError('Unavailable', 'a coordinator opens no inbox'));
  }

  watch(): Promise<Subscription> {
    return Promise.resolve({ close: () => Promise.resolve() });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Members that answer. */
export class PeerServer {
  readonly members = new Map<string, { readonly process: Process; readonly info: () => MemberInfo }>();
}

class PeerPort implements PeerProbe {
  constructor(
    readonly process: Process,
    readonly server: PeerServer,
    readonly queue: QueueServer,
  ) {}

  answer(memberId: string, info: () => MemberInfo): Promise<Subscription> {
    return this.process.request('answer for itself', { there: 1, back: 1 }, () => {
      const entry = { process: this.process, info };
      this.server.members.set(memberId, entry);
      return {
        close: () => {
          if (this.server.members.get(memberId) === entry) this.server.members.delete(memberId);
          return Promise.resolve();
        },
      };
    });
  }

  async ask(memberId: string): Promise<Liveness> {
    const to = this.server.members.get(memberId);
    if (to === undefined) return this.process.request('ask', { there: 1, back: 1 }, () => 'gone' as const);
    const answer = await this.queue.ask(this.process, to.process, `does ${memberId} live`, () => 'alive' as const);
    return answer === 'silent' ? 'unknown' : answer;
  }
}

export interface Servers {
  readonly log: LogServer;
  readonly queue: QueueServer;
  readonly feed: FeedServer;
  readonly peers: PeerServer;
}

/** The messaging of one coordinator. */
export function messagingOf(process: Process, servers: Servers): Messaging {
  return {
    log: new LogPort(process, servers.log),
    queue: new QueuePort(process, servers.queue),
    feed: new FeedPort(process, servers.feed),
    peers: new PeerPort(process, servers.peers, servers.queue),
    status: () => ({
      connected: !process.cut,
      connectedSince: process.cut ? null : Math.max(process.bornAt, process.cutUntil),
    }),
    close: () => Promise.resolve(),
  };
}
