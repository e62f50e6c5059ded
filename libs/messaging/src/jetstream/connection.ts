/**
 * The one NATS connection of a process. The client's own callbacks must never throw: an exception in a subscription
 * callback ends the reading of the whole connection, so every handler is registered through `listen`.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection, Subscription as NatsSubscription } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { NodeConnectionOptions } from '@nats-io/transport-node';
import { GraphrunError, Subjects } from '@graphrun/protocol';
import type { SenderRole } from '@graphrun/protocol';
import type { ConnectionStatus, OnMessagingError } from '../messaging.js';
import { reportTo } from '../messaging.js';

export interface JetStreamOptions {
  /** `host:port` or `nats://` URLs. */
  readonly servers: readonly string[];
  readonly cluster: string;
  /** Whose permissions the connection has: replies come to inboxes under this role and principal. */
  readonly role: SenderRole | 'coordinator';
  readonly principal: string;
  /** Shown in the server's connection list. */
  readonly name?: string;
  /** Number of partitions of the cluster. */
  readonly partitions: number;
  /** Replicas of streams that have to be created. */
  readonly replicas: number;
  readonly onError?: OnMessagingError;
  readonly onStatus?: (status: ConnectionStatus) => void;
  /** Credentials, TLS and the like. */
  readonly connection?: Partial<NodeConnectionOptions>;
  /** How long JetStream may take for one request. */
  readonly requestTimeoutMs?: number;
}

const FIRST_RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 2000;
/** A cut network is noticed after two missed pings. */
const PING_INTERVAL_MS = 3000;
const MAX_PINGS_OUT = 2;
const DRAIN_MS = 2000;
const IMPATIENT_MS = 600;
const SETTLE_MS = 1000;

export class Connection {
  readonly nc: NatsConnection;
  readonly jsm: JetStreamManager;
  /** For what is asked again at once: a request that falls into an election is never answered. */
  readonly impatient: JetStreamManager;
  readonly subjects: Subjects;
  readonly options: JetStreamOptions;
  readonly requestTimeoutMs: number;
  /** Where replies and pulled messages come to; it lies under the connection's own role and principal. */
  readonly inboxPrefix: string;
  #connectedSince: number | null = Date.now();
  #closing = false;
  readonly #reconnected = new Set<() => void>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    nc: NatsConnection,
    jsm: JetStreamManager,
    impatient: JetStreamManager,
    options: JetStreamOptions,
    subjects: Subjects,
  ) {
    this.nc = nc;
    this.jsm = jsm;
    this.impatient = impatient;
    this.options = options;
    this.subjects = subjects;
    this.requestTimeoutMs = requestTimeoutOf(options);
    this.inboxPrefix = inboxPrefixOf(options, subjects);
    void this.#follow();
  }

  get connected(): boolean {
    return this.#connectedSince !== null;
  }

  status(): ConnectionStatus {
    return { connected: this.connected, connectedSince: this.#connectedSince };
  }

  report(cause: unknown, where: string): void {
    reportTo(this.options.onError, cause, where);
  }

  /** Throws `Unavailable` while there is no connection: the client would buffer without a bound. */
  requireConnected(what: string): void {
    if (this.connected) return;
    throw new GraphrunError(
      'Unavailable',
      `${what} is not possible: no connection to NATS at ${this.options.servers.join(', ')}; it is being restored, try again`,
    );
  }

  /** Calls back after each regained connection, until the returned function is called. */
  onReconnect(listener: () => void): () => void {
    this.#reconnected.add(listener);
    return () => this.#reconnected.delete(listener);
  }

  every(intervalMs: number, action: () => void): () => void {
    const timer = setInterval(action, intervalMs);
    this.#timers.add(timer);
    return () => {
      clearInterval(timer);
      this.#timers.delete(timer);
    };
  }

  listen(subject: string, where: string, handler: (message: Msg) => void): NatsSubscription {
    return this.nc.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error !== null) this.report(error, where);
          else handler(message);
        } catch (failure) {
          this.report(failure, where);
        }
      },
    });
  }

  /** Fire and forget. Without a connection the message is dropped: whoever needs it asks again. */
  send(subject: string, data: string | Uint8Array, where: string): void {
    if (!this.connected) return;
    try {
      this.nc.publish(subject, data);
    } catch (failure) {
      this.report(failure, where);
    }
  }

  /** Waits until the server has seen what was sent, such as the end of a subscription; not for longer than a second. */
  async settle(): Promise<void> {
    if (!this.connected || this.nc.isClosed()) return;
    await this.#within(SETTLE_MS, this.nc.flush(), 'flushing the connection');
  }

  async close(): Promise<void> {
    if (this.#closing) {
      await this.nc.closed();
      return;
    }
    this.#closing = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
    this.#reconnected.clear();
    if (this.connected && !this.nc.isClosed()) await this.#within(DRAIN_MS, this.nc.drain(), 'draining the connection');
    await this.nc.close();
  }

  /** Waits for the client at most so long: a server that has gone must not keep the process. */
  async #within(limitMs: number, work: Promise<void>, where: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    const done = work.catch((failure: unknown) => {
      this.report(failure, where);
    });
    await Promise.race([done, limit]);
    clearTimeout(timer);
  }

  async #follow(): Promise<void> {
    for await (const status of this.nc.status()) {
      switch (status.type) {
        case 'disconnect':
        case 'close':
          this.#setConnected(false);
          break;
        case 'reconnect':
          this.#setConnected(true);
          break;
        case 'error':
          this.report(status.error, 'connection');
          break;
        default:
          break;
      }
    }
    this.#setConnected(false);
    const cause = await this.nc.closed();
    if (cause !== undefined && !this.#closing) this.report(cause, 'connection closed for good');
  }

  #setConnected(connected: boolean): void {
    if (this.#closing && connected) return;
    if (connected === this.connected) return;
    this.#connectedSince = connected ? Date.now() : null;
    try {
      this.options.onStatus?.(this.status());
    } catch (failure) {
      this.report(failure, 'onStatus');
    }
    if (!connected) return;
    for (const listener of [...this.#reconnected]) {
      try {
        listener();
      } catch (failure) {
        this.report(failure, 'after reconnect');
      }
    }
  }
}

function requestTimeoutOf(options: JetStreamOptions): number {
  return options.requestTimeoutMs ?? 3000;
}

function inboxPrefixOf(options: JetStreamOptions, subjects: Subjects): string {
  // The inboxes of coordinators lie beside those of the roles that may send commands.
  return subjects.inboxPrefix(options.role as SenderRole, options.principal).slice(0, -1);
}

/** Waits grow from 250 ms to 2 s and are spread, so that a restarted server is not stormed. */
function reconnectDelay(failuresInARow: number): number {
  const wait = Math.min(LONGEST_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** failuresInARow);
  return wait / 2 + Math.random() * (wait / 2);
}

/** Throws `Unavailable` when no server can be reached, `FailedPrecondition` when it has no JetStream. */
export async function openConnection(options: JetStreamOptions): Promise<Connection> {
  const subjects = new Subjects(options.cluster);
  let failures = 0;
  let nc: NatsConnection;
  try {
    nc = await connect({
      servers: [...options.servers],
      name: options.name ?? `graphrun-${options.role}-${options.principal}`,
      inboxPrefix: inboxPrefixOf(options, subjects),
      maxReconnectAttempts: -1,
      reconnectDelayHandler: () => reconnectDelay(failures++ % 8),
      // A credential that is refused now may be accepted after the server's configuration was mended.
      ignoreAuthErrorAbort: true,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: MAX_PINGS_OUT,
      noAsyncTraces: true,
      timeout: 5000,
      ...options.connection,
    });
  } catch (cause) {
    throw new GraphrunError(
      'Unavailable',
      `no connection to NATS at ${options.servers.join(', ')}: ${cause instanceof Error ? cause.message : String(cause)}; ` +
        'check the addresses, the credentials and that the server runs',
      { cause },
    );
  }
  if (nc.info?.jetstream !== true) {
    await nc.close();
    throw new GraphrunError(
      'FailedPrecondition',
      `the NATS server at ${options.servers.join(', ')} has no JetStream; start it with -js or a jetstream block`,
    );
  }
  const timeout = requestTimeoutOf(options);
  const jsm = await jetstreamManager(nc, { timeout, checkAPI: false });
  const impatient = await jetstreamManager(nc, { timeout: Math.min(timeout, IMPATIENT_MS), checkAPI: false });
  const connection = new Connection(nc, jsm, impatient, options, subjects);
  connection.onReconnect(() => {
    failures = 0;
  });
  return connection;
}

/** What the server lacks of what this project needs, one sentence each (spec 04 "Limits of the messaging layer"). */
export function unmetRequirements(connection: Connection): readonly string[] {
  const info = connection.nc.info;
  if (info === undefined) return ['there is no connection to NATS'];
  const unmet: string[] = [];
  const [major = 0, minor = 0] = info.version.split('.').map(Number);
  if (major < 2 || (major === 2 && minor < 9)) {
    unmet.push(`nats-server ${info.version} is too old: 2.9 is the oldest that is supported`);
  }
  if (info.max_payload < 1024 * 1024) {
    unmet.push(`max_payload of the NATS server is ${info.max_payload} bytes: set it to 1048576 at least`);
  }
  return unmet;
}
