import type { SessionId } from '@graphrun/domain';
import { GraphrunError, workKeyText } from '@graphrun/protocol';
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
import type { Liveness, SessionHandlers, Subscription, TakenOffer, WorkQueue, WorkSession } from '../ports.js';
import type { OfferTaker } from './offer-queue.js';
import { OfferQueue } from './offer-queue.js';
import { OwnerQuestion } from './owner-question.js';
import type { EmbeddedScope } from './scope.js';

export class EmbeddedWorkQueue implements WorkQueue {
  readonly #scope: EmbeddedScope;
  readonly #queues = new Map<string, OfferQueue>();
  readonly #sessions = new Map<SessionId, EmbeddedWorkSession>();
  readonly #renewals: OwnerQuestion<RenewRequest, RenewReply>;
  readonly #heartbeats: OwnerQuestion<HeartbeatsRequest, HeartbeatsReply>;
  #closed = false;

  constructor(scope: EmbeddedScope) {
    this.#scope = scope;
    this.#renewals = new OwnerQuestion(scope, 'renewals');
    this.#heartbeats = new OwnerQuestion(scope, 'heartbeats');
  }

  offer(offer: Offer): void {
    if (!this.#closed) this.queueOf(offer).push(offer);
  }

  grant(session: SessionId, offer: Offer): void {
    this.#scope.soon(`session ${session}`, () => this.#sessions.get(session)?.handlers.onGrant(offer));
  }

  abort(session: SessionId, notice: AbortNotice): void {
    this.#scope.soon(`session ${session}`, () => this.#sessions.get(session)?.handlers.onAbort(notice));
  }

  backlog(key: WorkKey): Promise<{ readonly pending: number; readonly unacked: number }> {
    const { pending, unacked } = this.queueOf(key);
    return Promise.resolve({ pending, unacked });
  }

  purge(key: WorkKey): Promise<void> {
    this.queueOf(key).purge();
    return Promise.resolve();
  }

  ping(session: SessionId): Promise<Liveness> {
    return Promise.resolve(this.#sessions.has(session) ? 'alive' : 'gone');
  }

  serveRenewals(partition: number, handler: (request: RenewRequest) => RenewReply | null): Promise<Subscription> {
    return this.#renewals.serve(partition, handler);
  }

  serveHeartbeats(
    partition: number,
    handler: (request: HeartbeatsRequest) => HeartbeatsReply | null,
  ): Promise<Subscription> {
    return this.#heartbeats.serve(partition, handler);
  }

  heartbeats(partition: number, request: HeartbeatsRequest): Promise<HeartbeatsReply> {
    return this.#heartbeats.ask(partition, request, `asking the owner of partition ${partition} for heartbeats`);
  }

  sessions(): Promise<readonly SessionInfo[]> {
    const found: SessionInfo[] = [];
    for (const session of this.#sessions.values()) {
      try {
        found.push(session.handlers.info());
      } catch (failure) {
        this.#scope.report(failure, 'sessions');
      }
    }
    return Promise.resolve(found);
  }

  openSession(info: SessionInfo, handlers: SessionHandlers): Promise<WorkSession> {
    const what = `opening session ${info.session}`;
    if (this.#closed) {
      return Promise.reject(
        new GraphrunError('Unavailable', `${what} is not possible: this process is closing its messaging`),
      );
    }
    const session = new EmbeddedWorkSession(this, handlers, () => this.#sessions.delete(info.session));
    this.#sessions.set(info.session, session);
    return Promise.resolve(session);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  queueOf(key: WorkKey): OfferQueue {
    const text = workKeyText(key);
    let queue = this.#queues.get(text);
    if (queue === undefined) {
      queue = new OfferQueue(this.#scope, `work ${text}`);
      this.#queues.set(text, queue);
    }
    return queue;
  }

  renew(partition: number, request: RenewRequest): Promise<RenewReply> {
    return this.#renewals.ask(partition, request, `renewing claims with the owner of partition ${partition}`);
  }
}

class EmbeddedWorkSession implements WorkSession, OfferTaker {
  readonly handlers: SessionHandlers;
  readonly #queue: EmbeddedWorkQueue;
  readonly #onClosed: () => void;
  readonly #joined = new Set<OfferQueue>();
  #closed = false;

  constructor(queue: EmbeddedWorkQueue, handlers: SessionHandlers, onClosed: () => void) {
    this.#queue = queue;
    this.handlers = handlers;
    this.#onClosed = onClosed;
  }

  onOffer(taken: TakenOffer): void {
    this.handlers.onOffer(taken);
  }

  setFree(key: WorkKey, slots: number): void {
    if (this.#closed) return;
    const queue = this.#queue.queueOf(key);
    this.#joined.add(queue);
    queue.setFree(this, slots);
  }

  renew(partition: number, request: RenewRequest): Promise<RenewReply> {
    return this.#queue.renew(partition, request);
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      for (const queue of this.#joined) queue.leave(this);
      this.#onClosed();
    }
    return Promise.resolve();
  }
}
