/**
 * Reads one partition's stream in order. Idea: an ephemeral consumer without acknowledgements, made anew whenever
 * anything is in doubt (heartbeats missed, consumer gone, a gap in its deliveries, a regained connection, a tail that
 * is ahead while nothing comes), each time after checking that the stream is still the one that was read. When it is
 * not, reading stops and the owner is told: going on would skip commands in silence.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, ReplayPolicy } from '@nats-io/jetstream';
import type { StreamInfo } from '@nats-io/jetstream';
import { nanos, nuid } from '@nats-io/nats-core';
import type { Msg } from '@nats-io/nats-core';
import { GraphrunError } from '@graphrun/protocol';
import type { CommandSubject } from '@graphrun/protocol';
import { BACKLOG_RECHECK_MS, READER_BACKLOG } from '../limits.js';
import { messageIdentity } from '../message-identity.js';
import type { LogHandlers, LogPosition, LogReader } from '../ports.js';
import type { Connection } from './connection.js';
import { findBreak } from './position-check.js';
import { PullSubscription } from './pull-subscription.js';
import { ensureCommandStream, isApiError, STREAM_NOT_FOUND } from './streams.js';
import { decodeText, parseDelivery } from './wire.js';

/** Measured: with longer pulls and heartbeats a reader stays silent for more than 14 s after a leader was killed. */
const PULL_MS = 5000;
const HEARTBEAT_MS = 1000;
const BATCH = 500;
/** A sixteenth of what a server buffers for a connection, for each of two requests. */
const BATCH_BYTES = 2 * 1024 * 1024;
/** The server removes a consumer that nobody pulls from. */
const INACTIVE_MS = 30_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;
const SENDERS_CACHED = 4096;

interface Delivered {
  readonly seq: number;
  readonly timestamp: number;
  /** What is known of the message: its content, or the recorded identity, or nothing but its sequence. */
  readonly content: { readonly data: string } | { readonly messageId: string | null };
}

type State = 'reading' | 'restarting' | 'lost' | 'closed';

export class JetStreamLogReader implements LogReader {
  readonly incarnation: number;
  readonly startSeq: number;
  readonly partition: number;
  readonly #connection: Connection;
  readonly #handlers: LogHandlers;
  readonly #stream: string;
  readonly #where: string;
  readonly #senders = new Map<string, CommandSubject | null>();
  #created: string;
  #state: State = 'restarting';
  #pull: PullSubscription | null = null;
  #consumer = '';
  #last: Delivered;
  #nextDelivery = 1;
  /** What the watchdog saw at its previous look. */
  #previousLook = { delivered: -1, tail: 0 };
  #waiting: NodeJS.Timeout | null = null;
  readonly #stopped = new AbortController();
  #work: Promise<void> = Promise.resolve();
  readonly #onClosed: (reader: JetStreamLogReader) => void;

  /** Checks the position and starts to read. Throws `Unavailable`. */
  static async open(
    connection: Connection,
    partition: number,
    position: LogPosition,
    handlers: LogHandlers,
    onClosed: (reader: JetStreamLogReader) => void,
  ): Promise<JetStreamLogReader> {
    const info = await ensureCommandStream(connection, partition);
    const known = { seq: position.seq, messageId: position.messageId, timestamp: position.timestamp };
    const broken = await findBreak(connection, known, info);
    let reader: JetStreamLogReader;
    if (broken === null) {
      const last = { seq: position.seq, timestamp: position.timestamp, content: { messageId: position.messageId } };
      reader = new JetStreamLogReader(connection, partition, position.incarnation, last, info, handlers, onClosed);
    } else {
      const startSeq = Math.max(0, info.state.first_seq - 1);
      const incarnation = position.incarnation + 1;
      connection.report(
        new GraphrunError('Internal', `${broken}; reading incarnation ${incarnation} from its first message`),
        `log ${partition}`,
      );
      const last = { seq: startSeq, timestamp: 0, content: { messageId: null } };
      reader = new JetStreamLogReader(connection, partition, incarnation, last, info, handlers, onClosed);
    }
    await reader.#startConsumer();
    return reader;
  }

  private constructor(
    connection: Connection,
    partition: number,
    incarnation: number,
    last: Delivered,
    info: StreamInfo,
    handlers: LogHandlers,
    onClosed: (reader: JetStreamLogReader) => void,
  ) {
    this.#connection = connection;
    this.partition = partition;
    this.incarnation = incarnation;
    this.startSeq = last.seq;
    this.#last = last;
    this.#created = info.created;
    this.#handlers = handlers;
    this.#stream = info.config.name;
    this.#where = `log ${partition}`;
    this.#onClosed = onClosed;
  }

  /** Twice a second. */
  checkHeartbeat(): void {
    this.#pull?.check();
  }

  /** Every few seconds: a tail ahead of what was delivered while nothing comes means a consumer that has died. */
  async watch(): Promise<void> {
    if (this.#state !== 'reading') return;
    // Taken before the question: what is delivered while it is answered may be newer than the answer.
    const delivered = this.#last.seq;
    let info: StreamInfo;
    try {
      info = await this.#connection.impatient.streams.info(this.#stream);
    } catch (failure) {
      if (isApiError(failure, STREAM_NOT_FOUND)) this.restart('the stream is gone');
      // Anything else is a server without a leader or a lost connection: heartbeats and reconnects notice those.
      return;
    }
    const before = this.#previousLook;
    this.#previousLook = { delivered, tail: info.state.last_seq };
    if (info.created !== this.#created || info.state.last_seq < delivered) {
      this.restart('the stream is another one');
    } else if (before.delivered === delivered && delivered < before.tail && this.#waiting === null) {
      this.restart(`nothing is delivered although the stream is at ${before.tail} and the reader at ${delivered}`);
    }
  }

  /** Makes the consumer anew, after the position check. */
  restart(reason: string): void {
    if (this.#state !== 'reading') return;
    this.#state = 'restarting';
    this.#dropPull();
    this.#connection.report(new Error(`reading starts again behind ${this.#last.seq}: ${reason}`), this.#where);
    this.#work = this.#restartLoop();
  }

  async close(): Promise<void> {
    if (this.#state !== 'closed') {
      this.#state = 'closed';
      this.#stopped.abort();
      this.#dropPull();
      this.#onClosed(this);
    }
    await this.#work;
    await this.#deleteConsumer();
  }

  async #restartLoop(): Promise<void> {
    for (let wait = FIRST_RETRY_MS; this.#state === 'restarting'; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        if (this.#connection.connected) {
          await this.#deleteConsumer();
          const broken = await this.#findBreak();
          if (broken !== null) {
            this.#lose(broken);
            return;
          }
          await this.#startConsumer();
          return;
        }
      } catch (failure) {
        this.#connection.report(failure, this.#where);
      }
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    }
  }

  async #findBreak(): Promise<string | null> {
    let info: StreamInfo;
    try {
      info = await this.#connection.impatient.streams.info(this.#stream);
    } catch (failure) {
      if (!isApiError(failure, STREAM_NOT_FOUND)) throw failure;
      return `${this.#stream} was deleted`;
    }
    if (info.created !== this.#created) return `${this.#stream} was deleted and created again`;
    const { seq, timestamp, content } = this.#last;
    const messageId = 'data' in content ? messageIdentity(content.data) : content.messageId;
    return findBreak(this.#connection, { seq, timestamp, messageId }, info);
  }

  async #startConsumer(): Promise<void> {
    const info = await this.#connection.impatient.consumers.add(this.#stream, {
      name: `reader-${nuid.next()}`,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#last.seq + 1,
      ack_policy: AckPolicy.None,
      replay_policy: ReplayPolicy.Instant,
      inactive_threshold: nanos(INACTIVE_MS),
      num_replicas: 1,
      mem_storage: true,
    });
    this.#consumer = info.name;
    if (this.#state !== 'restarting') return;
    this.#nextDelivery = 1;
    this.#previousLook = { delivered: -1, tail: 0 };
    this.#state = 'reading';
    const pull = new PullSubscription(
      this.#connection,
      {
        stream: this.#stream,
        consumer: info.name,
        where: this.#where,
        expiresMs: PULL_MS,
        heartbeatMs: HEARTBEAT_MS,
        maxBytes: BATCH_BYTES,
      },
      {
        onMessage: (message) => this.#onMessage(message),
        onRoom: () => this.#askForMore(),
        onRefused: (reason) => this.restart(reason),
        onBroken: (reason) => this.restart(reason),
      },
    );
    this.#pull = pull;
    this.#askForMore();
  }

  /** Two requests overlap, so that a batch is on its way while the one before is handed out. */
  #askForMore(): void {
    const pull = this.#pull;
    if (pull === null || this.#waiting !== null) return;
    if ((this.#handlers.backlog?.() ?? 0) > READER_BACKLOG) {
      this.#waiting = setTimeout(() => {
        this.#waiting = null;
        this.#askForMore();
      }, BACKLOG_RECHECK_MS);
      return;
    }
    while (pull.requests < 2 && this.#pull === pull) pull.request(BATCH);
  }

  #onMessage(message: Msg): void {
    const delivery = parseDelivery(message.reply);
    if (delivery === null) {
      this.restart(`a message came without delivery data on ${message.subject}`);
      return;
    }
    if (delivery.deliverySeq !== this.#nextDelivery) {
      this.restart(`delivery ${delivery.deliverySeq} came instead of ${this.#nextDelivery}`);
      return;
    }
    if (delivery.seq <= this.#last.seq) {
      this.#lose(`${this.#stream} delivered ${delivery.seq}, but ${this.#last.seq} was read before`);
      return;
    }
    this.#nextDelivery += 1;
    const data = decodeText(message.data);
    this.#last = { seq: delivery.seq, timestamp: delivery.timestamp, content: { data } };
    const sender = this.#senderOf(message.subject);
    if (sender === null) {
      this.#connection.report(
        new Error(`message ${delivery.seq} has no command subject: ${message.subject}`),
        this.#where,
      );
      return;
    }
    try {
      this.#handlers.onCommand({
        partition: this.partition,
        seq: delivery.seq,
        arrivedAt: delivery.timestamp,
        role: sender.role,
        principal: sender.principal,
        kind: sender.kind,
        data,
      });
    } catch (failure) {
      this.#connection.report(failure, this.#where);
    }
  }

  #senderOf(subject: string): CommandSubject | null {
    let sender = this.#senders.get(subject);
    if (sender === undefined) {
      sender = this.#connection.subjects.parseCommand(subject);
      if (sender?.partition !== this.partition) sender = null;
      if (this.#senders.size >= SENDERS_CACHED) this.#senders.clear();
      this.#senders.set(subject, sender);
    }
    return sender;
  }

  #lose(reason: string): void {
    if (this.#state === 'closed' || this.#state === 'lost') return;
    this.#state = 'lost';
    this.#dropPull();
    const sentence = `${reason}; the partition has to be taken over as a new incarnation`;
    this.#connection.report(new GraphrunError('Internal', sentence), this.#where);
    try {
      this.#handlers.onIncarnationLost(sentence);
    } catch (failure) {
      this.#connection.report(failure, this.#where);
    }
  }

  #dropPull(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    this.#waiting = null;
    this.#pull?.close();
    this.#pull = null;
  }

  /** A courtesy to the server, which removes the consumer by itself after a while. */
  async #deleteConsumer(): Promise<void> {
    const consumer = this.#consumer;
    this.#consumer = '';
    if (consumer === '' || !this.#connection.connected || this.#connection.nc.isClosed()) return;
    try {
      await this.#connection.impatient.consumers.delete(this.#stream, consumer);
    } catch (failure) {
      if (failure instanceof Error && /not found/i.test(failure.message)) return;
      this.#connection.report(failure, this.#where);
    }
  }
}
