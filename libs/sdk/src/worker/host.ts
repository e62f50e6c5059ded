/**
 * A running session: takes offers and grants from the queue, makes attempts of them, and brings their results home.
 * Each decision stands in a file of its own (slots, leases, requests, attempt); here they meet.
 */
import { setMaxListeners } from 'node:events';
import type { SessionId } from '@graphrun/domain';
import { LIMITS, POLICIES } from '@graphrun/dsl';
import type { Subscription, TakenOffer, WorkSession } from '@graphrun/messaging';
import type { Offer, Receipt, SessionInfo, UnknownContract } from '@graphrun/protocol';
import { workKeyText } from '@graphrun/protocol';
import type { Clock, Logger } from '@graphrun/runtime';
import { Attempt } from './attempt.js';
import type { AttemptServices } from './attempt.js';
import { ThreadPool } from './blocking/thread-pool.js';
import { Correspondence } from './correspondence.js';
import { Leases } from './leases.js';
import type { WorkerMessaging } from './options.js';
import { RecentWork, claimKey } from './recent-work.js';
import type { Registration, Registrations } from './registrations.js';
import { Requests } from './requests.js';
import { Slots } from './slots.js';
import { UnknownContracts } from './unknown-contracts.js';

/** An offer whose contract this worker does not know: others may know it, so it goes back, but not in a tight loop. */
const UNKNOWN_CONTRACT_RELEASE_MS = 2_000;
/** Without a slot, or with the owner silent: another worker should get it, or we a little later. */
const BUSY_RELEASE_MS = 100;
/** Results waiting for receipts, for each attempt that may run: beyond that nothing new is pulled. */
const UNRECEIPTED_PER_SLOT = 8;
/** What is left of a drain for the reports of handlers whose threads had to be ended. */
const LAST_REPORTS_MS = 1_000;

export interface HostSettings {
  readonly messaging: WorkerMessaging;
  readonly registrations: Registrations;
  readonly session: SessionId;
  readonly worker: string;
  readonly principal: string;
  readonly maxRunning: number;
  readonly laxThresholdMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  random(): number;
}

/** What a drain has done. */
export interface DrainReport {
  /** Attempts that were decided before the session ended. */
  readonly finished: number;
  /** Attempts still in hand when the time was over: the engine will notice that the session is gone. */
  readonly abandoned: number;
}

export class Host {
  readonly leases: Leases;
  readonly requests: Requests;
  readonly slots: Slots;
  readonly #settings: HostSettings;
  readonly #inbox: Subscription;
  readonly #session: WorkSession;
  readonly #services: AttemptServices;
  readonly #threads: ThreadPool;
  readonly #shutdown: AbortController;
  readonly #attempts = new Map<string, Attempt>();
  readonly #recent = new RecentWork();
  readonly #handedBack = new Set<string>();
  readonly #unknownContracts: UnknownContracts;
  #onIdle: (() => void) | null = null;

  private constructor(settings: HostSettings, inbox: Subscription & { readonly address: string }, link: SessionLink) {
    const { clock, logger, session } = settings;
    this.#settings = settings;
    this.#unknownContracts = new UnknownContracts(logger);
    this.#inbox = inbox;
    this.#session = link.session;
    this.#shutdown = link.shutdown;
    this.#threads = new ThreadPool(LIMITS.blockingThreadsPerWorker, logger);
    this.requests = new Requests(settings.messaging.log, settings.principal, clock, logger);
    this.leases = new Leases(session, (partition, request) => link.session.renew(partition, request), clock, logger);
    this.slots = new Slots(settings.registrations.all(), settings.maxRunning, (key, slots) => {
      link.session.setFree(key, slots);
    });
    this.#services = {
      clock,
      logger,
      threads: this.#threads,
      leases: this.leases,
      shuttingDown: this.#shutdown.signal,
      laxThresholdMs: settings.laxThresholdMs,
      monotonic: () => clock.monotonic(),
      correspondence: new Correspondence({
        session,
        inbox: inbox.address,
        requests: this.requests,
        slots: this.slots,
        random: () => settings.random(),
        onGrant: (offer) => {
          this.onGrant(offer);
        },
      }),
      onLateGrant: (offer) => {
        this.#returnGrant(offer, 'the grant came after this worker stopped waiting for it');
      },
      releaseSlot: (registration) => {
        this.#releaseSlot(registration);
      },
    };
  }

  /** Opens inbox and session, then pulls. Throws GraphrunError `Unavailable` when the transport is not there. */
  static async open(settings: HostSettings): Promise<Host> {
    // Deliveries may begin while the session opens; until the host stands there is nothing to hand them to.
    let host: Host | null = null;
    const startedAt = settings.clock.now();
    const shutdown = new AbortController();
    // Every running handler may listen to it.
    setMaxListeners(0, shutdown.signal);
    const inbox = await settings.messaging.feed.openInbox('worker', settings.principal, (receipt: Receipt) => {
      if (receipt.kind === 'worker') host?.requests.onReceipt(receipt);
    });
    const capabilities = settings.registrations.capabilities();
    const info = (): SessionInfo => ({
      session: settings.session,
      worker: settings.worker,
      principal: settings.principal,
      startedAt,
      capabilities,
      unknownContracts: host?.unknownContracts() ?? [],
      draining: shutdown.signal.aborted,
      running: host?.running ?? 0,
    });
    const opening = settings.messaging.queue.openSession(info(), {
      info,
      onOffer: (taken) => {
        if (host === null) taken.release();
        else host.#onOffer(taken);
      },
      onGrant: (offer) => {
        host?.onGrant(offer);
      },
      onAbort: (notice) => {
        host?.leases.onAbort(notice);
      },
    });
    const session = await opening.catch(async (error: unknown) => {
      await inbox.close();
      throw error;
    });
    host = new Host(settings, inbox, { session, shutdown });
    host.slots.pull();
    return host;
  }

  /** Attempts whose handlers run now. */
  get running(): number {
    let running = 0;
    for (const attempt of this.#attempts.values()) if (attempt.phase === 'running') running += 1;
    return running;
  }

  unknownContracts(): readonly UnknownContract[] {
    return this.#unknownContracts.list();
  }

  attempts(): readonly Attempt[] {
    return [...this.#attempts.values()];
  }

  /**
   * Stops pulling, lets what runs finish, hands back what was not started, waits for the receipts, closes the session
   * (spec 09 "Shutdown"). Handlers see `shuttingDown` now, and their `signal` aborts a grace before the time is over. The
   * threads of blocking handlers that ignore it are ended just before that, so that their outcomes can still be reported.
   */
  async drain(timeoutMs: number): Promise<DrainReport> {
    const { clock } = this.#settings;
    const begun = this.#attempts.size;
    this.slots.pause();
    this.#shutdown.abort();
    const graceMs = Math.min(POLICIES.cancellationGraceMs, timeoutMs / 2);
    const cancelAbort = clock.after(timeoutMs - graceMs, () => {
      for (const attempt of this.#attempts.values()) attempt.abort('shutdown');
    });
    const cancelThreads = clock.after(timeoutMs - Math.min(LAST_REPORTS_MS, graceMs / 2), () => {
      void this.#threads.close();
    });
    await this.#idle(timeoutMs);
    cancelAbort();
    cancelThreads();
    const abandoned = this.#attempts.size;
    await this.close();
    return { finished: Math.max(0, begun - abandoned), abandoned };
  }

  /** Ends the session at once. What is in hand is left to the engine, which notices. */
  async close(): Promise<void> {
    this.slots.pause();
    this.#shutdown.abort();
    for (const attempt of this.#attempts.values()) attempt.abort('shutdown');
    this.requests.close();
    this.leases.close();
    await this.#session.close();
    await this.#inbox.close();
    await this.#threads.close();
  }

  #onOffer(taken: TakenOffer): void {
    const { offer } = taken;
    const key = claimKey(offer);
    const known = this.#attempts.get(key);
    const keyText = workKeyText(offer);
    const registration = this.#settings.registrations.get(keyText);
    const slot = this.slots.takePulled(keyText);
    if (registration !== undefined && known === undefined && slot && this.#accepts(taken, key, registration)) {
      this.#track(new Attempt(offer, registration, taken, this.#services), registration);
      return;
    }
    if (slot) this.slots.release(keyText);
    if (known !== undefined) known.retake(taken);
    else if (registration === undefined || !slot) taken.release(BUSY_RELEASE_MS);
  }

  /** False when the offer is not for us; it has been acknowledged or given back then. */
  #accepts(taken: TakenOffer, key: string, registration: Registration): boolean {
    const { offer } = taken;
    if (this.#recent.has(key) || this.#recent.has(offer.id)) {
      // A copy of what this session has done: its first acknowledgement was lost.
      taken.ack();
      return false;
    }
    if (offer.contractDigest !== registration.contractDigest) {
      this.#unknownContracts.warn(offer, registration);
      taken.release(UNKNOWN_CONTRACT_RELEASE_MS);
      return false;
    }
    if (!this.leases.takesWork(offer.partition)) {
      taken.release(BUSY_RELEASE_MS);
      return false;
    }
    return true;
  }

  /**
   * Work for this session alone, with a receipt or straight from the owner: a committed grant, or an offer of pure work
   * (without `grantedUntil`), which is claimed like one from the queue.
   */
  onGrant(offer: Offer): void {
    const key = claimKey(offer);
    if (this.#attempts.has(key) || this.#recent.has(key) || this.#recent.has(offer.id)) return;
    const keyText = workKeyText(offer);
    const registration = this.#settings.registrations.get(keyText);
    if (registration?.contractDigest !== offer.contractDigest) {
      if (registration !== undefined) this.#unknownContracts.warn(offer, registration);
      this.#returnGrant(offer, `this worker does not know the contract ${offer.contractDigest} of ${keyText}`);
    } else if (this.#shutdown.signal.aborted) {
      this.#returnGrant(offer, 'the worker is draining');
    } else if (!this.slots.takeGranted(keyText)) {
      this.#returnGrant(offer, `the worker has no free slot for ${keyText}`);
    } else {
      this.#track(new Attempt(offer, registration, null, this.#services), registration);
    }
  }

  #track(attempt: Attempt, registration: Registration): void {
    this.#attempts.set(attempt.key, attempt);
    attempt.perform().then(
      (done) => {
        for (const key of done) this.#recent.add(key);
        this.#forget(attempt.key);
      },
      (error: unknown) => {
        // perform never rejects; were it to, the slot and the run must not be lost in silence.
        this.#settings.logger.error({ err: error, activity: registration.key.activity }, 'an attempt broke off');
        this.#forget(attempt.key);
      },
    );
  }

  /**
   * Nothing was started: handing it back costs the run no attempt. The offer's id is remembered, not its claim: without
   * a committed grant the engine offers the same generation again.
   */
  #returnGrant(offer: Offer, reason: string): void {
    const key = claimKey(offer);
    if (this.#attempts.has(key) || this.#recent.has(key) || this.#handedBack.has(key)) return;
    this.#handedBack.add(key);
    this.#recent.add(offer.id);
    this.#settings.logger.info({ run: offer.run, activation: offer.activation, reason }, 'handed a grant back');
    void this.#services.correspondence.report(offer, { kind: 'returned', reason }, { lax: false }).then(() => {
      this.#handedBack.delete(key);
      this.#checkIdle();
    });
  }

  #forget(key: string): void {
    this.#attempts.delete(key);
    if (this.requests.waiting < this.#mostWaiting()) this.#resume();
    this.#checkIdle();
  }

  #releaseSlot(registration: Registration): void {
    // Results without receipts pile up while the engine is away, with this one too: more work would only add to them.
    if (this.requests.waiting + 1 >= this.#mostWaiting()) this.slots.pause();
    this.slots.release(registration.keyText);
  }

  #mostWaiting(): number {
    return this.#settings.maxRunning * UNRECEIPTED_PER_SLOT;
  }

  #resume(): void {
    if (!this.#shutdown.signal.aborted) this.slots.pull();
  }

  #checkIdle(): void {
    if (this.#attempts.size === 0 && this.#handedBack.size === 0) this.#onIdle?.();
  }

  #idle(timeoutMs: number): Promise<void> {
    if (this.#attempts.size === 0 && this.#handedBack.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#settings.clock.after(timeoutMs, () => {
        resolve();
      });
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
  }
}

interface SessionLink {
  readonly session: WorkSession;
  readonly shutdown: AbortController;
}
