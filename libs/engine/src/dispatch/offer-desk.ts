/**
 * Offers ready leaves to workers: so many of each activity at a time, the rest in line. The work queue may lose offers, so
 * when none of an activity's moves for a while it is asked what it still holds, ever less often.
 */
import type { WorkQueue } from '@graphrun/messaging';
import type { WorkKey } from '@graphrun/protocol';
import { workKeyText } from '@graphrun/protocol';
import type { Clock, Logger } from '@graphrun/runtime';
import type { EngineConfig } from '../config.js';
import type { Partition } from '../partition.js';
import type { Item } from '../processor/item.js';
import type { Residency } from '../residency.js';
import { offerOf } from './offer.js';
import type { ReadyLeaf } from './ready-queue.js';
import { ReadyQueue } from './ready-queue.js';

export interface OfferDeskOptions {
  readonly queue: WorkQueue;
  readonly config: EngineConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly residency: Residency;
  readonly accept: (partition: Partition, item: Item) => void;
}

/** Longest wait between questions to a queue whose offers nobody takes. */
const LONGEST_PATIENCE_MS = 60_000;

export class OfferDesk {
  readonly #options: OfferDeskOptions;
  readonly #queues = new Map<string, ReadyQueue>();
  /** Queues into which something has come, or in which room was made. */
  readonly #touched = new Set<ReadyQueue>();

  constructor(options: OfferDeskOptions) {
    this.#options = options;
  }

  /** Leaves in line or offered. */
  get count(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.waiting + queue.offered.size;
    return count;
  }

  queueOf(key: WorkKey): ReadyQueue {
    const text = workKeyText(key);
    let queue = this.#queues.get(text);
    if (queue === undefined) {
      const { offersPerKey, offerPatienceMs } = this.#options.config;
      queue = new ReadyQueue(key, offersPerKey, offerPatienceMs);
      this.#queues.set(text, queue);
    }
    return queue;
  }

  /** Puts a leaf in line. It is offered with the next `offer`. */
  wait(leaf: ReadyLeaf): void {
    leaf.queue.wait(leaf);
    this.#touched.add(leaf.queue);
  }

  /** The leaf is no longer ready. */
  remove(leaf: ReadyLeaf): void {
    leaf.queue.remove(leaf, this.#options.clock.monotonic());
    this.#touched.add(leaf.queue);
  }

  /** Offers what there is room for in the queues that have changed. True when something was offered. */
  offer(): boolean {
    let offered = false;
    for (const queue of this.#touched) offered = this.#offerFrom(queue) || offered;
    this.#touched.clear();
    return offered;
  }

  /** Looks after queues in which nothing has moved for too long. False when nothing is offered, and no look is needed. */
  look(): boolean {
    const { clock, logger } = this.#options;
    const now = clock.monotonic();
    let offered = false;
    for (const queue of this.#queues.values()) {
      if (queue.offered.size === 0) continue;
      offered = true;
      if (now - queue.progressAt < queue.patienceMs) continue;
      this.#ask(queue).catch((error: unknown) => {
        logger.warn({ err: error, queue: workKeyText(queue.key) }, 'cannot ask the work queue what it holds');
      });
    }
    return offered;
  }

  #offerFrom(queue: ReadyQueue): boolean {
    const { clock, residency, accept } = this.#options;
    let offered = false;
    for (let leaf = queue.next(); leaf !== undefined; leaf = queue.next()) {
      const run = residency.get(leaf.run)?.run;
      const state = run?.leaves.get(leaf.activation);
      if (run === undefined || state === undefined) {
        leaf.state = 'loading';
        accept(leaf.partition, { kind: 'recover', run: leaf.run });
        continue;
      }
      leaf.state = 'offered';
      const { attempt, generation, strict } = leaf;
      this.#options.queue.offer(
        offerOf(leaf.partition, run, state, { attempt, generation, strict, grantedUntil: null }),
      );
      leaf.strict = true;
      queue.made(clock.monotonic());
      offered = true;
    }
    return offered;
  }

  /** Asks a queue what it still holds, and offers again what it has lost. */
  async #ask(queue: ReadyQueue): Promise<void> {
    const { clock, logger } = this.#options;
    queue.progressAt = clock.monotonic();
    queue.patienceMs = Math.min(queue.patienceMs * 2, LONGEST_PATIENCE_MS);
    const { pending, unacked } = await this.#options.queue.backlog(queue.key);
    const believed = [...queue.offered].filter((leaf) => leaf.state === 'offered');
    const lost = believed.length - (pending + unacked);
    if (lost <= 0) return;
    logger.info({ queue: workKeyText(queue.key), lost }, 'the work queue has lost offers; offering again');
    for (const leaf of believed.slice(0, lost)) queue.wait(leaf);
    this.#offerFrom(queue);
  }
}
