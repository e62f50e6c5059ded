import type { SessionId } from '@graphrun/domain';
import { workKeyText } from '@graphrun/protocol';
import type {
  AbortNotice,
  HeartbeatsReply,
  HeartbeatsRequest,
  Offer,
  RenewReply,
  RenewRequest,
  SessionInfo,
  WorkKey,
} from '@graphrun/protocol';
import { decodeHeartbeatsReply, decodeHeartbeatsRequest, decodeRenewRequest, decodeSession } from '../decode.js';
import type { Liveness, SessionHandlers, Subscription, WorkQueue, WorkSession } from '../ports.js';
import type { Connection } from './connection.js';
import { isNoResponders, toGraphrunError } from './errors.js';
import { askLiveness } from './liveness.js';
import { CONSUMER_NOT_FOUND, ensureWorkStream, isApiError, STREAM_NOT_FOUND } from './streams.js';
import { listening } from './subscription.js';
import { decodeText } from './wire.js';
import { JetStreamWorkSession } from './work-session.js';

const PING_TIMEOUT_MS = 800;
const HEARTBEATS_TIMEOUT_MS = 500;
const SESSIONS_WAIT_MS = 300;
const SESSIONS_STALL_MS = 60;
const HEARTBEAT_CHECK_MS = 500;
const SUBJECTS_CACHED = 4096;

export class JetStreamWorkQueue implements WorkQueue {
  readonly #connection: Connection;
  readonly #sessions = new Set<JetStreamWorkSession>();
  readonly #workSubjects = new Map<string, string>();
  readonly #stop: readonly (() => void)[];

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#stop = [
      connection.onReconnect(() => {
        for (const session of this.#sessions) session.reconnected();
        this.#createStream();
      }),
      connection.every(HEARTBEAT_CHECK_MS, () => {
        for (const session of this.#sessions) session.check();
      }),
    ];
  }

  /** Offers that are sent before anybody took one must find the stream. */
  async prepare(): Promise<void> {
    await ensureWorkStream(this.#connection);
  }

  offer(offer: Offer): void {
    this.#connection.send(this.#workSubject(offer), JSON.stringify(offer), `work ${workKeyText(offer)}`);
  }

  grant(session: SessionId, offer: Offer): void {
    this.#connection.send(
      this.#connection.subjects.session(session, 'grant'),
      JSON.stringify(offer),
      `session ${session}`,
    );
  }

  abort(session: SessionId, notice: AbortNotice): void {
    this.#connection.send(
      this.#connection.subjects.session(session, 'abort'),
      JSON.stringify(notice),
      `session ${session}`,
    );
  }

  async backlog(key: WorkKey): Promise<{ readonly pending: number; readonly unacked: number }> {
    const what = `asking for the backlog of ${workKeyText(key)}`;
    this.#connection.requireConnected(what);
    const { subjects, jsm } = this.#connection;
    try {
      const info = await jsm.consumers.info(subjects.workStreamName(), subjects.consumerName(key));
      return { pending: info.num_pending, unacked: info.num_ack_pending };
    } catch (failure) {
      if (isApiError(failure, STREAM_NOT_FOUND)) return { pending: 0, unacked: 0 };
      if (isApiError(failure, CONSUMER_NOT_FOUND)) return { pending: await this.#waiting(key, what), unacked: 0 };
      throw toGraphrunError(failure, what);
    }
  }

  async purge(key: WorkKey): Promise<void> {
    const what = `purging the offers of ${workKeyText(key)}`;
    this.#connection.requireConnected(what);
    const { subjects, jsm } = this.#connection;
    try {
      await jsm.streams.purge(subjects.workStreamName(), { filter: subjects.work(key) });
    } catch (failure) {
      if (!isApiError(failure, STREAM_NOT_FOUND)) throw toGraphrunError(failure, what);
    }
  }

  ping(session: SessionId): Promise<Liveness> {
    return askLiveness(this.#connection, this.#connection.subjects.session(session, 'ping'), PING_TIMEOUT_MS);
  }

  serveRenewals(partition: number, handler: (request: RenewRequest) => RenewReply | null): Promise<Subscription> {
    return listening(
      this.#connection,
      this.#connection.subjects.renew(partition),
      `renewals ${partition}`,
      (message) => {
        const reply = handler(decodeRenewRequest(decodeText(message.data)));
        // Who is not the owner stays silent, so that the owner's answer is the one that arrives.
        if (reply !== null) message.respond(JSON.stringify(reply));
      },
    );
  }

  serveHeartbeats(
    partition: number,
    handler: (request: HeartbeatsRequest) => HeartbeatsReply | null,
  ): Promise<Subscription> {
    const subject = this.#connection.subjects.heartbeats(partition);
    return listening(this.#connection, subject, `heartbeats ${partition}`, (message) => {
      const reply = handler(decodeHeartbeatsRequest(decodeText(message.data)));
      if (reply !== null) message.respond(JSON.stringify(reply));
    });
  }

  async heartbeats(partition: number, request: HeartbeatsRequest): Promise<HeartbeatsReply> {
    const what = `asking the owner of partition ${partition} for heartbeats`;
    this.#connection.requireConnected(what);
    try {
      const subject = this.#connection.subjects.heartbeats(partition);
      const options = { timeout: HEARTBEATS_TIMEOUT_MS };
      const answer = await this.#connection.nc.request(subject, JSON.stringify(request), options);
      return decodeHeartbeatsReply(decodeText(answer.data));
    } catch (failure) {
      throw toGraphrunError(failure, what);
    }
  }

  async sessions(): Promise<readonly SessionInfo[]> {
    const what = 'asking for the sessions of workers';
    this.#connection.requireConnected(what);
    const found: SessionInfo[] = [];
    try {
      const answers = await this.#connection.nc.requestMany(this.#connection.subjects.sessionsAll(), '', {
        strategy: 'stall',
        maxWait: SESSIONS_WAIT_MS,
        stall: SESSIONS_STALL_MS,
      });
      for await (const answer of answers) {
        if (answer.headers?.code === 503) break;
        try {
          found.push(decodeSession(decodeText(answer.data)));
        } catch (failure) {
          this.#connection.report(failure, 'sessions');
        }
      }
    } catch (failure) {
      if (isNoResponders(failure)) return [];
      throw toGraphrunError(failure, what);
    }
    return found;
  }

  async openSession(info: SessionInfo, handlers: SessionHandlers): Promise<WorkSession> {
    const what = `opening session ${info.session}`;
    this.#connection.requireConnected(what);
    const session = new JetStreamWorkSession(this.#connection, info, handlers, (closed) =>
      this.#sessions.delete(closed),
    );
    this.#sessions.add(session);
    try {
      await session.open();
    } catch (failure) {
      await session.close();
      throw toGraphrunError(failure, what);
    }
    return session;
  }

  async close(): Promise<void> {
    for (const stop of this.#stop) stop();
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  /** The queue is kept in memory: after a restart of the server it has to be made anew, by whoever comes first. */
  #createStream(): void {
    this.prepare().catch((failure: unknown) => this.#connection.report(failure, 'work stream'));
  }

  /** Without a consumer all offers of the key wait. */
  async #waiting(key: WorkKey, what: string): Promise<number> {
    const { subjects, jsm } = this.#connection;
    const subject = subjects.work(key);
    try {
      const info = await jsm.streams.info(subjects.workStreamName(), { subjects_filter: subject });
      return info.state.subjects?.[subject] ?? 0;
    } catch (failure) {
      if (isApiError(failure, STREAM_NOT_FOUND)) return 0;
      throw toGraphrunError(failure, what);
    }
  }

  #workSubject(key: WorkKey): string {
    const text = workKeyText(key);
    let subject = this.#workSubjects.get(text);
    if (subject === undefined) {
      subject = this.#connection.subjects.work(key);
      if (this.#workSubjects.size >= SUBJECTS_CACHED) this.#workSubjects.clear();
      this.#workSubjects.set(text, subject);
    }
    return subject;
  }
}
