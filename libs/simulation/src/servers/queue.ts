/** The work queue: offers that get lost, come twice or to whoever is there, and sessions that can be reached or not. */
import type { SessionId } from '@graphrun/domain';
import type { Liveness, SessionHandlers, Subscription, TakenOffer, WorkQueue, WorkSession } from '@graphrun/messaging';
import { GraphrunError, workKeyText } from '@graphrun/protocol';
import type { AbortNotice, Offer, RenewReply, RenewRequest, SessionInfo, WorkKey } from '@graphrun/protocol';
import type { Process } from '../core/process.js';
import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import type { Rates } from '../plan.js';

const ACK_WAIT_MS = 3000;
const ANSWER_MS = 1000;

export interface QueueWatcher {
  /** An owner hands work out. */
  offered(process: Process, offer: Offer, session: SessionId | null): void;
}

interface Session {
  readonly process: Process;
  readonly info: SessionInfo;
  readonly handlers: SessionHandlers;
  readonly free: Map<string, number>;
}

interface Renewals {
  readonly process: Process;
  readonly handler: (request: RenewRequest) => RenewReply | null;
}

export class QueueServer {
  readonly sessions = new Map<SessionId, Session>();
  readonly #waiting = new Map<string, Offer[]>();
  readonly #unacked = new Map<string, Set<Offer>>();
  readonly renewals = new Map<number, Set<Renewals>>();

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    readonly rates: () => Rates,
    readonly watcher: QueueWatcher,
  ) {}

  push(offer: Offer): void {
    const { random } = this;
    if (random.chance(this.rates().offerLoss)) return;
    this.#later(offer, random.int(0, 3));
    // A copy is delivered again as far as the queue knows, and so strict.
    if (random.chance(this.rates().offerTwice)) this.#later({ ...offer, strict: true }, random.int(0, 2000));
  }

  #later(offer: Offer, delayMs: number): void {
    this.scheduler.at(delayMs, null, `queue takes ${offer.activation} of ${offer.run.slice(-8)}`, () => {
      this.waiting(offer).push(offer);
      this.dispatch(workKeyText(offer));
    });
  }

  waiting(key: WorkKey): Offer[] {
    return listOf(this.#waiting, workKeyText(key));
  }

  backlog(key: WorkKey): { readonly pending: number; readonly unacked: number } {
    return { pending: this.waiting(key).length, unacked: this.#unacked.get(workKeyText(key))?.size ?? 0 };
  }

  /** Memory storage: its server was restarted. */
  lose(): void {
    this.#waiting.clear();
    this.#unacked.clear();
  }

  dispatch(key: string): void {
    const waiting = listOf(this.#waiting, key);
    while (waiting.length > 0) {
      const takers = [...this.sessions.values()].filter(
        ({ process, free }) => process.alive && (free.get(key) ?? 0) > 0,
      );
      if (takers.length === 0) return;
      const taker = this.random.pick(takers);
      const [offer] = waiting.splice(this.random.int(0, waiting.length - 1), 1);
      if (offer === undefined) return;
      taker.free.set(key, (taker.free.get(key) ?? 0) - 1);
      this.#hand(key, offer, taker);
    }
  }

  #hand(key: string, offer: Offer, taker: Session): void {
    const unacked = this.#unacked.get(key) ?? new Set();
    this.#unacked.set(key, unacked);
    unacked.add(offer);
    const again = (): void => {
      if (!unacked.delete(offer)) return;
      listOf(this.#waiting, key).push({ ...offer, strict: true });
      this.dispatch(key);
    };
    this.scheduler.at(ACK_WAIT_MS, null, 'ack wait is over', again);
    const taken: TakenOffer = {
      offer,
      ack: () => void unacked.delete(offer),
      release: (delayMs) => void this.scheduler.at(delayMs ?? 0, null, 'an offer is given back', again),
    };
    this.scheduler.at(
      this.random.int(0, 3),
      taker.process,
      `is offered ${offer.activation} of ${offer.run.slice(-8)}`,
      () => taker.handlers.onOffer(taken),
    );
  }

  /** Answers of a question to a process: null when it is silent. */
  async ask<T>(from: Process, to: Process, label: string, answer: () => T): Promise<T | 'gone' | 'silent'> {
    const { random, scheduler } = this;
    return new Promise((resolve) => {
      let open = true;
      const settle = (value: T | 'gone' | 'silent', delayMs: number): void => {
        scheduler.at(delayMs, from, `${label} comes back`, () => {
          if (open) resolve(value);
          open = false;
        });
      };
      if (from.cut || to.cut || random.chance(this.rates().pingLoss)) settle('silent', ANSWER_MS);
      else if (!to.alive) settle('gone', random.int(0, 3));
      else {
        settle('silent', ANSWER_MS);
        scheduler.at(random.int(0, 2), to, `is asked: ${label}`, () => settle(answer(), random.int(0, 2)));
      }
    });
  }
}

function listOf(map: Map<string, Offer[]>, key: string): Offer[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

/** The owner's side. */
export class QueuePort implements WorkQueue {
  constructor(
    readonly process: Process,
    readonly server: QueueServer,
  ) {}

  offer(offer: Offer): void {
    if (!this.process.alive) return;
    this.server.watcher.offered(this.process, offer, null);
    if (!this.process.cut) this.server.push(offer);
  }

  grant(session: SessionId, offer: Offer): void {
    if (!this.process.alive) return;
    this.server.watcher.offered(this.process, offer, session);
    this.#tell(session, 'is granted work', (handlers) => handlers.onGrant(offer));
  }

  abort(session: SessionId, notice: AbortNotice): void {
    this.#tell(session, `is told to abort ${notice.activation}`, (handlers) => handlers.onAbort(notice));
  }

  #tell(session: SessionId, label: string, tell: (handlers: SessionHandlers) => void): void {
    const to = this.server.sessions.get(session);
    if (to === undefined || !this.process.alive || this.process.cut) return;
    if (this.server.random.chance(this.server.rates().receiptLoss)) return;
    this.server.scheduler.at(this.server.random.int(0, 3), to.process, label, () => tell(to.handlers));
  }

  backlog(key: WorkKey): Promise<{ readonly pending: number; readonly unacked: number }> {
    return this.process.request('backlog', { there: 1, back: 1 }, () => this.server.backlog(key));
  }

  purge(): Promise<void> {
    return Promise.resolve();
  }

  async ping(session: SessionId): Promise<Liveness> {
    const to = this.server.sessions.get(session);
    if (to === undefined) return this.process.request('ping', { there: 1, back: 1 }, () => 'gone' as const);
    const answer = await this.server.ask(this.process, to.process, 'do you live', () => 'alive' as const);
    return answer === 'silent' ? 'unknown' : answer;
  }

  serveRenewals(partition: number, handler: (request: RenewRequest) => RenewReply | null): Promise<Subscription> {
    return this.process.request(`serve renewals of ${partition}`, { there: 1, back: 1 }, () => {
      const entry: Renewals = { process: this.process, handler };
      const all = this.server.renewals.get(partition) ?? new Set();
      this.server.renewals.set(partition, all);
      all.add(entry);
      return { close: () => Promise.resolve(void all.delete(entry)) };
    });
  }

  serveHeartbeats(): Promise<Subscription> {
    return this.process.request('serve heartbeats', { there: 1, back: 1 }, () => ({ close: () => Promise.resolve() }));
  }

  heartbeats(): Promise<never> {
    return Promise.reject(new GraphrunError('Unavailable', 'nobody asks for heartbeats here'));
  }

  sessions(): Promise<readonly SessionInfo[]> {
    return this.process.request('sessions', { there: 1, back: 2 }, () =>
      [...this.server.sessions.values()]
        .filter(({ process }) => process.alive && !process.frozen && !this.process.cut)
        .map(({ info }) => info),
    );
  }

  openSession(): Promise<WorkSession> {
    return Promise.reject(new GraphrunError('Unavailable', 'a coordinator opens no session'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
