/**
 * Pulls from one JetStream consumer, by the protocol itself: each request carries a batch, a time to live and an idle
 * heartbeat, and is answered by messages and then by a status. The client library's own pull loops hide how much is
 * asked for and restart on their own terms; here both must be known exactly (spec 09 "JetStream": a queue must never
 * hold more than its free slots, a log reader must check its position at each restart).
 *
 * It never repairs itself. Whatever ends it (missed heartbeats, a deleted consumer, a lost leader) is told once, and
 * its owner makes another one.
 */
import { createInbox, nanos } from '@nats-io/nats-core';
import type { Msg, Subscription as NatsSubscription } from '@nats-io/nats-core';
import type { Connection } from './connection.js';

export interface PullSettings {
  readonly stream: string;
  readonly consumer: string;
  /** For reports. */
  readonly where: string;
  readonly expiresMs: number;
  readonly heartbeatMs: number;
  /** Bytes one request may bring; keeps the server's buffer for this connection small. */
  readonly maxBytes?: number;
}

export interface PullHandlers {
  onMessage(message: Msg): void;
  /** A request has ended or was used up: there may be reason to ask again. */
  onRoom(): void;
  /** The server has too many requests waiting: ask again later. */
  onRefused(reason: string): void;
  /** No more will come. Called once at most, never after `close`. */
  onBroken(reason: string): void;
}

interface PullRequest {
  readonly subject: string;
  readonly expiresAt: number;
  left: number;
}

/** A server answers an expired request at once; the rest is the network. */
const EXPIRY_GRACE_MS = 1000;
const MISSED_HEARTBEATS = 2.5;

export class PullSubscription {
  readonly #connection: Connection;
  readonly #settings: PullSettings;
  readonly #handlers: PullHandlers;
  readonly #inbox: string;
  readonly #apiSubject: string;
  readonly #subscription: NatsSubscription;
  #requests: PullRequest[] = [];
  #counter = 0;
  #outstanding = 0;
  #lastHeard = performance.now();
  #ended = false;

  constructor(connection: Connection, settings: PullSettings, handlers: PullHandlers) {
    this.#connection = connection;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#inbox = `${createInbox(connection.inboxPrefix)}.`;
    this.#apiSubject = `$JS.API.CONSUMER.MSG.NEXT.${settings.stream}.${settings.consumer}`;
    this.#subscription = connection.nc.subscribe(`${this.#inbox}*`, {
      callback: (error, message) => {
        try {
          if (error !== null) this.#break(error.message);
          else this.#onWire(message);
        } catch (failure) {
          connection.report(failure, settings.where);
        }
      },
    });
  }

  /** Messages that were asked for and have not come. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get requests(): number {
    return this.#requests.length;
  }

  request(batch: number): void {
    if (this.#ended) return;
    const { expiresMs, heartbeatMs, maxBytes } = this.#settings;
    const subject = `${this.#inbox}${this.#counter++}`;
    const now = performance.now();
    if (this.#requests.length === 0) this.#lastHeard = now;
    this.#requests.push({ subject, expiresAt: now + expiresMs, left: batch });
    this.#outstanding += batch;
    const body: Record<string, number> = { batch, expires: nanos(expiresMs), idle_heartbeat: nanos(heartbeatMs) };
    if (maxBytes !== undefined) body['max_bytes'] = maxBytes;
    try {
      this.#connection.nc.publish(this.#apiSubject, JSON.stringify(body), { reply: subject });
    } catch (failure) {
      this.#break(failure instanceof Error ? failure.message : String(failure));
    }
  }

  /** To be called about twice a second: notices silence and requests whose end got lost. */
  check(): void {
    if (this.#ended || this.#requests.length === 0) return;
    const now = performance.now();
    if (now - this.#lastHeard > this.#settings.heartbeatMs * MISSED_HEARTBEATS) {
      this.#break(`nothing was heard for ${Math.round(now - this.#lastHeard)} ms`);
      return;
    }
    const overdue = this.#requests.filter((request) => now > request.expiresAt + EXPIRY_GRACE_MS);
    for (const request of overdue) this.#forget(request);
    if (overdue.length > 0) this.#handlers.onRoom();
  }

  /** No message is handed out afterwards. */
  close(): void {
    this.#ended = true;
    this.#requests = [];
    this.#outstanding = 0;
    if (!this.#connection.nc.isClosed()) this.#subscription.unsubscribe();
  }

  /** Stops asking but hands out what is on its way, until the server has confirmed the end. */
  async drain(): Promise<void> {
    this.#requests = [];
    this.#outstanding = 0;
    if (this.#ended) return;
    try {
      await this.#subscription.drain();
    } catch (failure) {
      this.#connection.report(failure, this.#settings.where);
    }
    this.#ended = true;
  }

  #onWire(message: Msg): void {
    if (this.#ended) return;
    this.#lastHeard = performance.now();
    if (!message.subject.startsWith(this.#inbox)) {
      this.#onMessage(message);
      return;
    }
    this.#onStatus(message);
  }

  #onMessage(message: Msg): void {
    const first = this.#requests[0];
    if (first !== undefined) {
      first.left -= 1;
      this.#outstanding -= 1;
      if (first.left === 0) this.#requests.shift();
    }
    this.#handlers.onMessage(message);
    if (first?.left === 0 && !this.#ended) this.#handlers.onRoom();
  }

  #onStatus(message: Msg): void {
    const code = message.headers?.code ?? 0;
    const description = message.headers?.description ?? '';
    if (code === 100) return;
    const request = this.#requests.find((candidate) => candidate.subject === message.subject);
    if (code === 404 || code === 408 || (code === 409 && /maxbytes|batch completed/i.test(description))) {
      if (request !== undefined) this.#forget(request);
      this.#handlers.onRoom();
      return;
    }
    if (code === 409 && /maxwaiting/i.test(description)) {
      if (request !== undefined) this.#forget(request);
      this.#handlers.onRefused(description);
      return;
    }
    this.#break(`${code} ${description === '' ? 'no responders' : description}`);
  }

  #forget(request: PullRequest): void {
    this.#requests = this.#requests.filter((candidate) => candidate !== request);
    this.#outstanding -= request.left;
  }

  #break(reason: string): void {
    if (this.#ended) return;
    this.close();
    this.#handlers.onBroken(reason);
  }
}
