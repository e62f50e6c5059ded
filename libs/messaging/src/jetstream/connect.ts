import type { ConnectionStatus, Messaging } from '../messaging.js';
import { JetStreamChangeFeed } from './change-feed.js';
import { JetStreamCommandLog } from './command-log.js';
import type { Connection, JetStreamOptions } from './connection.js';
import { openConnection, unmetRequirements } from './connection.js';
import { toGraphrunError } from './errors.js';
import { JetStreamPeerProbe } from './peer-probe.js';
import { JetStreamWorkQueue } from './work-queue.js';

export class JetStreamMessaging implements Messaging {
  readonly log: JetStreamCommandLog;
  readonly queue: JetStreamWorkQueue;
  readonly feed: JetStreamChangeFeed;
  readonly peers: JetStreamPeerProbe;
  readonly #connection: Connection;
  #closing: Promise<void> | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.log = new JetStreamCommandLog(connection);
    this.queue = new JetStreamWorkQueue(connection);
    this.feed = new JetStreamChangeFeed(connection);
    this.peers = new JetStreamPeerProbe(connection);
  }

  status(): ConnectionStatus {
    return this.#connection.status();
  }

  /** For the start-up check: what the NATS server lacks, one sentence each. */
  unmetRequirements(): readonly string[] {
    return unmetRequirements(this.#connection);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.queue.close();
    await this.log.close();
    await this.feed.close();
    await this.#connection.close();
  }
}

/**
 * Connects a process to the messaging of its cluster. Throws GraphrunError `Unavailable` when no server is reachable or
 * JetStream does not answer, `FailedPrecondition` when the server runs without JetStream. Afterwards the connection is
 * restored for ever.
 */
export async function connectJetStream(options: JetStreamOptions): Promise<JetStreamMessaging> {
  const connection = await openConnection(options);
  const messaging = new JetStreamMessaging(connection);
  try {
    await messaging.queue.prepare();
  } catch (failure) {
    await messaging.close();
    throw toGraphrunError(failure, 'preparing the work queue');
  }
  return messaging;
}
