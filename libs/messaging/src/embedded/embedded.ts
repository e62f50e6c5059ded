/** Messaging inside one process, for embedded mode (spec 04 "Embedded mode"). */
import { Subjects } from '@graphrun/protocol';
import type { ConnectionStatus, Messaging, OnMessagingError } from '../messaging.js';
import { EmbeddedChangeFeed } from './change-feed.js';
import { EmbeddedCommandLog } from './command-log.js';
import { EmbeddedPeerProbe } from './peer-probe.js';
import { EmbeddedScope } from './scope.js';
import { EmbeddedWorkQueue } from './work-queue.js';

export interface EmbeddedOptions {
  /** UTC ms: the arrival time of commands. */
  readonly clock: () => number;
  /** Name of the cluster in inbox addresses; `embedded` unless given. */
  readonly cluster?: string;
  readonly onError?: OnMessagingError;
}

export class EmbeddedMessaging implements Messaging {
  readonly log: EmbeddedCommandLog;
  readonly queue: EmbeddedWorkQueue;
  readonly feed: EmbeddedChangeFeed;
  readonly peers: EmbeddedPeerProbe;
  readonly #scope: EmbeddedScope;
  readonly #openedAt: number;

  constructor(options: EmbeddedOptions) {
    this.#scope = new EmbeddedScope(options.clock, options.onError);
    this.#openedAt = options.clock();
    this.log = new EmbeddedCommandLog(this.#scope);
    this.queue = new EmbeddedWorkQueue(this.#scope);
    this.feed = new EmbeddedChangeFeed(this.#scope, new Subjects(options.cluster ?? 'embedded'));
    this.peers = new EmbeddedPeerProbe();
  }

  status(): ConnectionStatus {
    return this.#scope.closed
      ? { connected: false, connectedSince: null }
      : { connected: true, connectedSince: this.#openedAt };
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.log.close();
    await this.feed.close();
    this.#scope.close();
  }
}

export function createEmbeddedMessaging(options: EmbeddedOptions): EmbeddedMessaging {
  return new EmbeddedMessaging(options);
}
