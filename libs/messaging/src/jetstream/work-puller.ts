/**
 * Takes offers of one activity for one session. It asks the queue for as many as there are free slots and never for
 * more: an offer that waits behind a busy worker would be lost to the others for the whole ack wait (spec 09
 * "JetStream", ack-pending pins). What comes while no slot is free any more is given back at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg } from '@nats-io/nats-core';
import { nanos } from '@nats-io/nats-core';
import type { Offer, WorkKey } from '@graphrun/protocol';
import { workKeyText } from '@graphrun/protocol';
import { decodeOffer } from '../decode.js';
import type { TakenOffer } from '../ports.js';
import type { Connection } from './connection.js';
import { PullSubscription } from './pull-subscription.js';
import { ensureWorkConsumer, ensureWorkStream } from './streams.js';
import { decodeText, isRedelivered } from './wire.js';

const PULL_MS = 30_000;
const HEARTBEAT_MS = 2000;
/**
 * With few requests in flight each one asks for all slots that became free meanwhile: under load the batches grow by
 * themselves, and at rest a worker occupies few of the server's waiting requests.
 */
const REQUESTS_IN_FLIGHT = 4;
const LARGEST_BATCH = 256;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;
/** The server had too many requests waiting. */
const REFUSED_PAUSE_MS = 1000;

const ACK = '+ACK';
const NAK = '-NAK';
const TERM = '+TERM';

export class WorkPuller {
  readonly #connection: Connection;
  readonly #key: WorkKey;
  readonly #where: string;
  readonly #onOffer: (taken: TakenOffer) => void;
  readonly #held = new Set<HeldOffer>();
  readonly #stopped = new AbortController();
  #pull: PullSubscription | null = null;
  #free = 0;
  #flush: NodeJS.Immediate | null = null;
  #pausedUntil = 0;
  #closed = false;
  #restarting: Promise<void> | null = null;

  constructor(connection: Connection, key: WorkKey, onOffer: (taken: TakenOffer) => void) {
    this.#connection = connection;
    this.#key = key;
    this.#where = `work ${workKeyText(key)}`;
    this.#onOffer = onOffer;
  }

  /** Resolves after the first attempt to reach the queue; what fails is tried again in the background. */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (failure) {
      this.#connection.report(failure, this.#where);
      this.restart();
    }
  }

  setFree(slots: number): void {
    this.#free = Math.max(0, Math.floor(slots));
    this.#schedule();
  }

  /** Twice a second. */
  check(): void {
    this.#pull?.check();
    if (this.#pausedUntil !== 0 && performance.now() >= this.#pausedUntil) {
      this.#pausedUntil = 0;
      this.#schedule();
    }
  }

  restart(): void {
    if (this.#closed || this.#restarting !== null) return;
    this.#pull?.close();
    this.#pull = null;
    this.#restarting = this.#restartLoop().finally(() => {
      this.#restarting = null;
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#free = 0;
    this.#stopped.abort();
    if (this.#flush !== null) clearImmediate(this.#flush);
    this.#flush = null;
    if (this.#connection.connected) await this.#pull?.drain();
    this.#pull?.close();
    this.#pull = null;
    for (const held of this.#held) held.release();
    await this.#restarting;
  }

  async #restartLoop(): Promise<void> {
    for (let wait = FIRST_RETRY_MS; !this.#closed; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      if (this.#connection.connected) {
        try {
          await this.#connect();
          return;
        } catch (failure) {
          this.#connection.report(failure, this.#where);
        }
      }
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    }
  }

  async #connect(): Promise<void> {
    await ensureWorkStream(this.#connection);
    const consumer = await ensureWorkConsumer(this.#connection, this.#key);
    // A regained connection may have started a second attempt: only one may ask, or it would be asked for too much.
    if (this.#closed || this.#pull !== null) return;
    this.#pull = new PullSubscription(
      this.#connection,
      {
        stream: this.#connection.subjects.workStreamName(),
        consumer,
        where: this.#where,
        expiresMs: PULL_MS,
        heartbeatMs: HEARTBEAT_MS,
      },
      {
        onMessage: (message) => this.#onMessage(message),
        onRoom: () => this.#schedule(),
        onRefused: (reason) => {
          this.#connection.report(new Error(`the queue has too many waiting workers: ${reason}`), this.#where);
          this.#pausedUntil = performance.now() + REFUSED_PAUSE_MS;
        },
        onBroken: (reason) => {
          this.#connection.report(new Error(`taking offers starts again: ${reason}`), this.#where);
          this.restart();
        },
      },
    );
    this.#schedule();
  }

  /** Slots that become free in one turn of the event loop are asked for together. */
  #schedule(): void {
    if (this.#flush !== null || this.#closed) return;
    this.#flush = setImmediate(() => {
      this.#flush = null;
      this.#ask();
    });
  }

  #ask(): void {
    const pull = this.#pull;
    if (pull === null || this.#pausedUntil !== 0 || !this.#connection.connected) return;
    const wanted = Math.min(this.#free - pull.outstanding, LARGEST_BATCH);
    if (wanted > 0 && pull.requests < REQUESTS_IN_FLIGHT) pull.request(wanted);
  }

  #onMessage(message: Msg): void {
    if (this.#free <= 0) {
      this.#answer(message, NAK);
      return;
    }
    let offer: Offer;
    try {
      offer = decodeOffer(decodeText(message.data));
    } catch (failure) {
      // Nobody will ever be able to read it: take it out of the queue. Its owner offers the work again.
      this.#answer(message, TERM);
      this.#connection.report(failure, this.#where);
      this.#schedule();
      return;
    }
    this.#free -= 1;
    // Who got it first may have died of it, unseen: from now on the attempt is committed before it starts (spec 03).
    if (isRedelivered(message.reply)) offer = { ...offer, strict: true };
    const held = new HeldOffer(offer, (text, done) => {
      this.#held.delete(done);
      this.#answer(message, text);
    });
    this.#held.add(held);
    try {
      this.#onOffer(held);
    } catch (failure) {
      this.#connection.report(failure, this.#where);
      held.release();
    }
  }

  /** Never throws: a lost answer costs the ack wait, no more. */
  #answer(message: Msg, text: string): void {
    if (message.reply !== undefined && !this.#connection.nc.isClosed()) {
      this.#connection.send(message.reply, text, this.#where);
    }
  }
}

/** Answered once: the first of ack and release counts. */
class HeldOffer implements TakenOffer {
  readonly offer: Offer;
  readonly #answer: (text: string, held: HeldOffer) => void;
  #answered = false;

  constructor(offer: Offer, answer: (text: string, held: HeldOffer) => void) {
    this.offer = offer;
    this.#answer = answer;
  }

  ack(): void {
    this.#once(ACK);
  }

  release(delayMs?: number): void {
    this.#once(delayMs === undefined || delayMs <= 0 ? NAK : `${NAK} {"delay": ${nanos(delayMs)}}`);
  }

  #once(text: string): void {
    if (this.#answered) return;
    this.#answered = true;
    this.#answer(text, this);
  }
}
