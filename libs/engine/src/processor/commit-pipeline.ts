/**
 * Commits closed batches one after the other. While one is on its way the next may wait here; what was decided on top of
 * a batch that fails is discarded before anything else is sent.
 */
import type { Clock } from '@graphrun/runtime';
import type { ApplyOutcome, EngineStore } from '@graphrun/store';
import type { EngineMetrics } from '../metrics.js';
import type { Partition } from '../partition.js';
import type { ClosedPartitionBatch } from './batch.js';
import type { Item } from './item.js';

export type Parts = readonly ClosedPartitionBatch[];
export type DataError = Extract<ApplyOutcome, { kind: 'data_error' }>;

export interface CommitPipelineOptions {
  readonly store: EngineStore;
  readonly clock: Clock;
  readonly metrics: EngineMetrics;
  /** Certain: these parts are in PostgreSQL. */
  readonly committed: (parts: Parts) => void;
  /** The guard missed for this part alone: somebody else has the partition, or our clock is ahead. */
  readonly fenced: (part: ClosedPartitionBatch, reason: 'row' | 'clock') => void;
  /** PostgreSQL refused this part alone. Nothing of it was written. */
  readonly refused: (part: ClosedPartitionBatch, error: DataError) => void;
  readonly unknown: (part: ClosedPartitionBatch, cause: unknown) => void;
  /** Nothing is on its way and nothing waits: what is open may be closed. */
  readonly idle: () => void;
}

export class CommitPipeline {
  readonly #options: CommitPipelineOptions;
  readonly #closed: Parts[] = [];
  #committing: Promise<void> | null = null;

  constructor(options: CommitPipelineOptions) {
    this.#options = options;
  }

  /** A transaction is on its way. */
  get busy(): boolean {
    return this.#committing !== null;
  }

  add(parts: Parts): void {
    this.#closed.push(parts);
    this.#pump();
  }

  /** Waits until no closed batch waits behind the one that is being committed. */
  async oneWaits(): Promise<void> {
    while (this.#closed.length > 0 && this.#committing !== null) await this.#committing;
  }

  /** Waits until nothing is being committed and nothing closed waits. */
  async settled(): Promise<void> {
    while (this.#committing !== null) await this.#committing;
  }

  /** Discards what waits for a partition: it was decided on top of a batch that failed. Its items, in order. */
  discard(partition: Partition): Item[] {
    const items: Item[] = [];
    for (const parts of this.#closed) {
      for (const part of parts) {
        if (part.partition !== partition || part.discarded) continue;
        part.discarded = true;
        items.push(...part.open.items);
      }
    }
    return items;
  }

  #pump(): void {
    if (this.#committing !== null) return;
    const next = this.#closed.shift();
    if (next === undefined) {
      this.#options.idle();
      return;
    }
    this.#committing = this.#commit(next).finally(() => {
      this.#committing = null;
      this.#pump();
    });
  }

  async #commit(all: Parts): Promise<void> {
    const parts = all.filter((part) => part.partition.dropped === null && !part.discarded);
    for (const part of all) if (!parts.includes(part)) part.unpin();
    if (parts.length === 0) return;
    const { store, metrics, clock } = this.#options;
    const begin = clock.monotonic();
    const outcome = await store
      .apply(parts.map((part) => part.writes))
      .catch((cause: unknown) => ({ kind: 'unknown' as const, cause }));
    metrics.committed(outcome.kind, parts, clock.monotonic() - begin);
    // Nothing was written for any of them; one bad partition must not take the others with it.
    const apart = outcome.kind === 'guard_missed' || outcome.kind === 'data_error';
    if (apart && parts.length > 1) {
      for (const part of parts) await this.#commit([part]);
      return;
    }
    for (const part of parts) part.unpin();
    if (outcome.kind === 'committed') this.#options.committed(parts);
    else for (const part of parts) this.#failed(part, outcome);
  }

  #failed(part: ClosedPartitionBatch, outcome: Exclude<ApplyOutcome, { kind: 'committed' }>): void {
    if (part.partition.dropped !== null) return;
    switch (outcome.kind) {
      case 'guard_missed':
        this.#options.fenced(part, outcome.reason);
        return;
      case 'data_error':
        this.#options.refused(part, outcome);
        return;
      case 'unknown':
        this.#options.unknown(part, outcome.cause);
        return;
    }
  }
}
