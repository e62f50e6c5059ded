import type { SessionId } from '@graphrun/domain';
import { GraphrunError, workKeyText } from '@graphrun/protocol';
import type { AbortNotice, Offer, RenewReply, RenewRequest, SessionInfo, WorkKey } from '@graphrun/protocol';
import type { Liveness, SessionHandlers, Subscription, TakenOffer, WorkQueue, WorkSession } from '../ports.js';
import type { OfferTaker } from './offer-queue.js';
import { OfferQueue } from './offer-queue.js';
import type { EmbeddedScope } from './scope.js';

type RenewalHandler = (request: RenewRequest) => RenewReply | null;

export class EmbeddedWorkQueue implements WorkQueue {
  readonly #scope: EmbeddedScope;
  readonly #queues = new Map<string, OfferQueue>();
  readonly #sessions = new Map<SessionId, EmbeddedWorkSession>();
  readonly #renewals = new Map<number, Set<RenewalHandler>>();
  #closed = false;

  constructor(scope: EmbeddedScope) {
    this.#scope = scope;
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

  serveRenewals(partition: number, handler: RenewalHandler): Promise<Subscription> {
    const handlers = this.#renewals.get(partition) ?? new Set();
    this.#renewals.set(partition, handlers);
    // A wrapper of its own for each subscription: the same function may serve twice.
    const entry: RenewalHandler = (request) => handler(request);
    handlers.add(entry);
    return Promise.resolve({
      close: () => {
        handlers.delete(entry);
        return Promise.resolve();
      },
    });
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

  async renew(partition: number, request: RenewRequest): Promise<RenewReply> {
    // Not in the caller's turn: the owner may be in the middle of a batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const handler of this.#renewals.get(partition) ?? []) {
      try {
        const reply = handler(request);
        if (reply !== null) return reply;
      } catch (failure) {
        this.#scope.report(failure, `renewals ${partition}`);
      }
    }
    throw new GraphrunError(
      'Unavailable',
      `renewing claims with the owner of partition ${partition} failed: nobody owns it at the moment; renew again in a moment`,
    );
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
