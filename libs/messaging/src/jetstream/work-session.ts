import type { Msg, Subscription as NatsSubscription } from '@nats-io/nats-core';
import type { RenewReply, RenewRequest, SessionInfo, WorkKey } from '@graphrun/protocol';
import { workKeyText } from '@graphrun/protocol';
import { decodeAbort, decodeOffer, decodeRenewReply } from '../decode.js';
import type { SessionHandlers, WorkSession } from '../ports.js';
import type { Connection } from './connection.js';
import { toGraphrunError } from './errors.js';
import { decodeText } from './wire.js';
import { WorkPuller } from './work-puller.js';

const RENEW_TIMEOUT_MS = 2000;

export class JetStreamWorkSession implements WorkSession {
  readonly #connection: Connection;
  readonly #info: SessionInfo;
  readonly #handlers: SessionHandlers;
  readonly #pullers = new Map<string, WorkPuller>();
  readonly #onClosed: (session: JetStreamWorkSession) => void;
  #subscriptions: readonly NatsSubscription[] = [];
  #closing: Promise<void> | null = null;

  constructor(
    connection: Connection,
    info: SessionInfo,
    handlers: SessionHandlers,
    onClosed: (session: JetStreamWorkSession) => void,
  ) {
    this.#connection = connection;
    this.#info = info;
    this.#handlers = handlers;
    this.#onClosed = onClosed;
  }

  async open(): Promise<void> {
    const { subjects } = this.#connection;
    const { session, capabilities } = this.#info;
    const where = `session ${session}`;
    const answer = (message: Msg): void => {
      message.respond(JSON.stringify(this.#handlers.info()));
    };
    this.#subscriptions = [
      this.#connection.listen(subjects.session(session, 'ping'), where, answer),
      this.#connection.listen(subjects.sessionsAll(), where, answer),
      this.#connection.listen(subjects.session(session, 'grant'), where, (message) =>
        this.#handlers.onGrant(decodeOffer(decodeText(message.data))),
      ),
      this.#connection.listen(subjects.session(session, 'abort'), where, (message) =>
        this.#handlers.onAbort(decodeAbort(decodeText(message.data))),
      ),
    ];
    // Pings must be answered before anything can be claimed, or a young session looks dead.
    await this.#connection.nc.flush();
    await Promise.all(capabilities.map((capability) => this.#puller(capability).start()));
  }

  setFree(key: WorkKey, slots: number): void {
    if (this.#closing !== null) return;
    const known = this.#pullers.get(workKeyText(key));
    const puller = known ?? this.#puller(key);
    puller.setFree(slots);
    if (known === undefined) void puller.start();
  }

  async renew(partition: number, request: RenewRequest): Promise<RenewReply> {
    const what = `renewing claims with the owner of partition ${partition}`;
    this.#connection.requireConnected(what);
    try {
      const subject = this.#connection.subjects.renew(partition);
      const answer = await this.#connection.nc.request(subject, JSON.stringify(request), { timeout: RENEW_TIMEOUT_MS });
      return decodeRenewReply(decodeText(answer.data));
    } catch (failure) {
      throw toGraphrunError(failure, what);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Twice a second. */
  check(): void {
    for (const puller of this.#pullers.values()) puller.check();
  }

  /** After a regained connection: requests that waited in the server are gone, and perhaps the whole queue. */
  reconnected(): void {
    for (const puller of this.#pullers.values()) puller.restart();
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#pullers.values()].map((puller) => puller.close()));
    if (!this.#connection.nc.isClosed()) {
      for (const subscription of this.#subscriptions) subscription.unsubscribe();
      // What was given back has to leave before the process does.
      await this.#connection.settle();
    }
    this.#onClosed(this);
  }

  #puller(key: WorkKey): WorkPuller {
    const puller = new WorkPuller(
      this.#connection,
      { role: key.role, activity: key.activity, version: key.version },
      (taken) => this.#handlers.onOffer(taken),
    );
    this.#pullers.set(workKeyText(key), puller);
    return puller;
  }
}
