/**
 * The offers of one activity in one process: waiting, delayed, or in the hands of a session. Sessions with free slots
 * take turns. An offer that is not acknowledged within the ack wait, or whose session closes, waits again.
 */
import type { Offer } from '@graphrun/protocol';
import { ACK_WAIT_MS } from '../limits.js';
import type { TakenOffer } from '../ports.js';
import type { EmbeddedScope } from './scope.js';

export interface OfferTaker {
  onOffer(taken: TakenOffer): void;
}

interface Held {
  readonly offer: Offer;
  readonly taker: OfferTaker;
  /** Monotonic ms. */
  readonly dueAt: number;
}

export class OfferQueue {
  readonly #scope: EmbeddedScope;
  readonly #where: string;
  #waiting: Offer[] = [];
  /** Index of the first offer in `#waiting`: taking from the front must not move a long queue. */
  #head = 0;
  #delayed = 0;
  /** In the order of delivery, so that the first one is due first. */
  readonly #held = new Set<Held>();
  readonly #free = new Map<OfferTaker, number>();
  #dispatching: (() => void) | null = null;
  #expiring: (() => void) | null = null;

  constructor(scope: EmbeddedScope, where: string) {
    this.#scope = scope;
    this.#where = where;
  }

  get pending(): number {
    return this.#waiting.length - this.#head + this.#delayed;
  }

  get unacked(): number {
    return this.#held.size;
  }

  push(offer: Offer): void {
    this.#waiting.push(offer);
    this.#wake();
  }

  /** Drops what waits; what is in somebody's hands ends with its ack wait or its ack. */
  purge(): void {
    this.#waiting = [];
    this.#head = 0;
    this.#held.clear();
  }

  setFree(taker: OfferTaker, slots: number): void {
    this.#free.set(taker, Math.max(0, Math.floor(slots)));
    this.#wake();
  }

  leave(taker: OfferTaker): void {
    this.#free.delete(taker);
    for (const held of this.#held) if (held.taker === taker) this.#putBack(held);
  }

  #wake(): void {
    if (this.#dispatching !== null || this.#head >= this.#waiting.length) return;
    this.#dispatching = this.#scope.soon(this.#where, () => {
      this.#dispatching = null;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (;;) {
      const offer = this.#waiting[this.#head];
      const taker = offer === undefined ? null : this.#nextTaker();
      if (offer === undefined || taker === null) break;
      this.#head += 1;
      this.#hand(offer, taker);
    }
    if (this.#head > 0 && this.#head * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The first with a free slot; it goes to the end of the line. */
  #nextTaker(): OfferTaker | null {
    for (const [taker, slots] of this.#free) {
      if (slots === 0) continue;
      this.#free.delete(taker);
      this.#free.set(taker, slots - 1);
      return taker;
    }
    return null;
  }

  #hand(offer: Offer, taker: OfferTaker): void {
    const held: Held = { offer, taker, dueAt: performance.now() + ACK_WAIT_MS };
    this.#held.add(held);
    this.#expireLater();
    const taken: TakenOffer = {
      offer,
      ack: () => {
        this.#held.delete(held);
      },
      release: (delayMs) => this.#release(held, delayMs ?? 0),
    };
    try {
      taker.onOffer(taken);
    } catch (failure) {
      this.#scope.report(failure, this.#where);
      taken.release();
    }
  }

  #release(held: Held, delayMs: number): void {
    if (delayMs <= 0) {
      this.#putBack(held);
      return;
    }
    if (!this.#held.delete(held)) return;
    this.#delayed += 1;
    this.#scope.later(delayMs, this.#where, () => {
      this.#delayed -= 1;
      this.push(again(held.offer));
    });
  }

  #putBack(held: Held): void {
    if (this.#held.delete(held)) this.push(again(held.offer));
  }

  /** One timer for all: it looks for the oldest unacknowledged offer when it fires. */
  #expireLater(): void {
    if (this.#expiring !== null) return;
    const [oldest] = this.#held;
    if (oldest === undefined) return;
    this.#expiring = this.#scope.later(Math.max(0, oldest.dueAt - performance.now()), this.#where, () => {
      this.#expiring = null;
      const now = performance.now();
      for (const held of this.#held) {
        if (held.dueAt > now) break;
        this.#putBack(held);
      }
      this.#expireLater();
    });
  }
}

/** Who got it first may have died of it, unseen: from now on the attempt is committed before it starts (spec 03). */
function again(offer: Offer): Offer {
  return offer.strict ? offer : { ...offer, strict: true };
}
