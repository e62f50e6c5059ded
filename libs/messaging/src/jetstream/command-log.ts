import { JetStreamApiError } from '@nats-io/jetstream';
import type { ApiError } from '@nats-io/jetstream';
import { GraphrunError } from '@graphrun/protocol';
import { MAX_COMMAND_BYTES } from '../limits.js';
import type { CommandLog, LogHandlers, LogPosition, LogReader, OutgoingCommand } from '../ports.js';
import type { Connection } from './connection.js';
import { isNoResponders, toGraphrunError } from './errors.js';
import { JetStreamLogReader } from './log-reader.js';
import { ensureCommandStream } from './streams.js';
import { decodeText } from './wire.js';

const WATCHDOG_MS = 3000;
const HEARTBEAT_CHECK_MS = 500;

export class JetStreamCommandLog implements CommandLog {
  readonly #connection: Connection;
  readonly #readers = new Set<JetStreamLogReader>();
  /** Partitions whose stream this process has seen since it is connected. */
  #seen = new Map<number, Promise<unknown>>();
  readonly #stop: readonly (() => void)[];
  #closed = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#stop = [
      connection.onReconnect(() => {
        this.#seen = new Map();
        for (const reader of this.#readers) reader.restart('the connection was lost and is back');
      }),
      connection.every(HEARTBEAT_CHECK_MS, () => {
        for (const reader of this.#readers) reader.checkHeartbeat();
      }),
      connection.every(WATCHDOG_MS, () => {
        for (const reader of this.#readers) void reader.watch();
      }),
    ];
  }

  async publish(command: OutgoingCommand, options: { ack: boolean }): Promise<void> {
    const what = `publishing to partition ${command.partition}`;
    this.#requireOpen(what);
    this.#requirePartition(command.partition);
    const bytes = Buffer.byteLength(command.data, 'utf8');
    if (bytes > MAX_COMMAND_BYTES) {
      throw new GraphrunError(
        'ResourceExhausted',
        `a command has ${bytes} bytes, at most ${MAX_COMMAND_BYTES} are allowed; store the large value elsewhere and pass a reference`,
        { details: { limit: 'command_bytes', limit_value: MAX_COMMAND_BYTES, bytes } },
      );
    }
    this.#connection.requireConnected(what);
    const subject = this.#connection.subjects.command(command.partition, command.role, command.principal, command.kind);
    try {
      await this.#requireStream(command.partition);
      if (options.ack) await this.#publishAcknowledged(command.partition, subject, command.data);
      else this.#connection.nc.publish(subject, command.data);
    } catch (failure) {
      throw toGraphrunError(failure, what);
    }
  }

  async read(partition: number, position: LogPosition, handlers: LogHandlers): Promise<LogReader> {
    const what = `reading partition ${partition}`;
    this.#requireOpen(what);
    this.#requirePartition(partition);
    this.#connection.requireConnected(what);
    try {
      const reader = await JetStreamLogReader.open(this.#connection, partition, position, handlers, (closed) =>
        this.#readers.delete(closed),
      );
      this.#readers.add(reader);
      return reader;
    } catch (failure) {
      throw toGraphrunError(failure, what);
    }
  }

  async tail(partition: number): Promise<number> {
    const what = `asking for the tail of partition ${partition}`;
    this.#requireOpen(what);
    this.#connection.requireConnected(what);
    try {
      return (await this.#connection.jsm.streams.info(this.#connection.subjects.streamName(partition))).state.last_seq;
    } catch (failure) {
      throw toGraphrunError(failure, what);
    }
  }

  async trim(partition: number, seq: number): Promise<void> {
    if (seq <= 1) return;
    const what = `trimming partition ${partition}`;
    this.#requireOpen(what);
    this.#connection.requireConnected(what);
    try {
      await this.#connection.jsm.streams.purge(this.#connection.subjects.streamName(partition), { seq });
    } catch (failure) {
      throw toGraphrunError(failure, what);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stop) stop();
    await Promise.all([...this.#readers].map((reader) => reader.close()));
  }

  async #publishAcknowledged(partition: number, subject: string, data: string): Promise<void> {
    try {
      await this.#request(subject, data);
    } catch (failure) {
      // Nobody took it: the stream may have been deleted since it was seen. Once more, after a look.
      if (!isNoResponders(failure)) throw failure;
      this.#seen.delete(partition);
      await this.#requireStream(partition);
      await this.#request(subject, data);
    }
  }

  /** A plain request without headers: commands carry no message id, and reports are on the hot path. */
  async #request(subject: string, data: string): Promise<void> {
    const answer = await this.#connection.nc.request(subject, data, { timeout: this.#connection.requestTimeoutMs });
    requireTaken(decodeText(answer.data));
  }

  /** The first publisher or reader of a partition creates its stream. */
  #requireStream(partition: number): Promise<unknown> {
    let seen = this.#seen.get(partition);
    if (seen === undefined) {
      seen = ensureCommandStream(this.#connection, partition);
      const remembered = seen;
      this.#seen.set(partition, remembered);
      remembered.catch(() => {
        if (this.#seen.get(partition) === remembered) this.#seen.delete(partition);
      });
    }
    return seen;
  }

  #requirePartition(partition: number): void {
    const { partitions } = this.#connection.options;
    if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return;
    throw new GraphrunError(
      'InvalidArgument',
      `partition ${partition} is not one of the cluster's 0 to ${partitions - 1}`,
    );
  }

  #requireOpen(what: string): void {
    if (this.#closed)
      throw new GraphrunError('Unavailable', `${what} is not possible: this process is closing its messaging`);
  }
}

/** Reads JetStream's answer to a published message; throws what it complains of. */
function requireTaken(answer: string): void {
  const { stream, error } = JSON.parse(answer) as { readonly stream?: unknown; readonly error?: ApiError };
  if (error !== undefined) throw new JetStreamApiError(error);
  if (typeof stream !== 'string' || stream === '') throw new Error(`JetStream answered ${answer.slice(0, 200)}`);
}
