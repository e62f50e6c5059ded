/**
 * The apply loop (spec 04): takes what has arrived for all owned partitions, decides it in memory, and writes it as one
 * guarded transaction. While one batch commits, the next is decided on top of it; so a batch that fails takes all
 * that was decided after it with it.
 *
 * Invariants:
 *  - commands of a partition are decided in the order of the log, each once;
 *  - at most one batch is being committed; what follows waits, closed or open;
 *  - nothing of a batch is seen outside before its commit is certain;
 *  - a partition whose commit was not certain is dropped with all that was decided on top of it, before anything else
 *    is decided for it;
 *  - a batch that cannot be decided or written is taken apart: its commands are decided again one by one, and only the
 *    one that fails alone is quarantined.
 */
import { Subjects } from '@graphrun/protocol';
import type { Clock, Logger } from '@graphrun/runtime';
import type { EngineStore } from '@graphrun/store';
import type { EngineConfig } from '../config.js';
import type { EngineMetrics } from '../metrics.js';
import type { Partition } from '../partition.js';
import type { Programs } from '../programs.js';
import type { Residency } from '../residency.js';
import { Signal } from '../signal.js';
import type { ClosedPartitionBatch } from './batch.js';
import { PartitionBatch } from './batch.js';
import type { DataError, Parts } from './commit-pipeline.js';
import { CommitPipeline } from './commit-pipeline.js';
import { decide } from './decide.js';
import type { Item } from './item.js';
import type { PartitionItem, Preparation } from './preparation.js';
import { prepare } from './preparation.js';
import { quarantineInto } from './quarantine.js';
import { Recent } from './recent.js';
import type { Shared, Turn } from './turn.js';

export interface ProcessorEvents {
  /** Certain: these parts of a batch are in PostgreSQL. Receipts, offers and notices may go out. */
  committed(parts: readonly ClosedPartitionBatch[]): void;
  /** Somebody else owns the partition, or the clock guard refused: it has been dropped. */
  fenced(partition: Partition, reason: 'row' | 'clock'): void;
  /** The commit may or may not have happened: the partition has been dropped and must be taken over from ourselves. */
  unknown(partition: Partition, cause: unknown): void;
}

export interface ProcessorOptions {
  readonly config: EngineConfig;
  readonly cluster: string;
  readonly store: EngineStore;
  readonly programs: Programs;
  readonly residency: Residency;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: EngineMetrics;
  readonly events: ProcessorEvents;
  /** Where the entropy of decisions begins: 32 bits. */
  readonly seed: number;
}

/** After a failed read from PostgreSQL, before the next try. */
const READ_RETRY_MS = 250;
/** More than what can be between a look-up and the commit it should have seen. */
const RECENT_ENTRIES = 16_384;

export class Processor {
  readonly #options: ProcessorOptions;
  readonly #shared: Shared;
  readonly #subjects: Subjects;
  readonly #partitions = new Map<number, Partition>();
  readonly #work = new Signal();
  readonly #pipeline: CommitPipeline;
  readonly #open = new Map<Partition, PartitionBatch>();
  #openCommands = 0;
  #openBytes = 0;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: ProcessorOptions) {
    this.#options = options;
    this.#subjects = new Subjects(options.cluster);
    let entropy = options.seed;
    this.#shared = {
      programs: options.programs,
      residency: options.residency,
      recentResults: new Recent(RECENT_ENTRIES),
      recentWorkflows: new Recent(RECENT_ENTRIES),
      recentSignals: new Recent(RECENT_ENTRIES),
      partitions: options.config.partitions,
      // A Weyl sequence from a random start: never the same twice in a row, and cheap on the hot path.
      entropy: () => (entropy = (entropy + 0x9e3779b9) >>> 0),
    };
    const { store, clock, metrics, events } = options;
    this.#pipeline = new CommitPipeline({
      store,
      clock,
      metrics,
      committed: (parts) => this.#committed(parts),
      fenced: ({ partition }, reason) => {
        this.drop(partition, 'fenced');
        events.fenced(partition, reason);
      },
      refused: (part, error) => this.#refused(part, error),
      unknown: ({ partition }, cause) => {
        this.drop(partition, 'outcome of a commit unknown');
        events.unknown(partition, cause);
      },
      // What was decided meanwhile goes out at once.
      idle: () => this.#flush(),
    });
  }

  start(): void {
    this.#running ??= this.#loop();
  }

  /** Commits what has been decided, then stops. What still waits in inboxes is in the log. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#work.raise();
    await this.#running;
    this.#flush();
    await this.#pipeline.settled();
  }

  add(partition: Partition): void {
    this.#partitions.set(partition.id, partition);
    this.#work.raise();
  }

  partition(id: number): Partition | undefined {
    return this.#partitions.get(id);
  }

  held(): readonly Partition[] {
    return [...this.#partitions.values()];
  }

  /** Puts an item at the end of a partition's inbox. */
  accept(partition: Partition, item: Item): void {
    if (partition.dropped !== null) return;
    if (item.kind === 'logged') {
      const { seq } = item.command;
      if (seq <= partition.deliveredSeq) {
        const fields = { partition: partition.id, seq, after: partition.deliveredSeq };
        this.#options.logger.error(fields, 'the log delivered a message again or out of order; ignored');
        return;
      }
      partition.deliveredSeq = seq;
    }
    partition.inbox.push(item);
    this.#work.raise();
  }

  /** Throws away all that is in memory of a partition. Nothing of it will be committed or seen any more. */
  drop(partition: Partition, reason: string): void {
    partition.drop(reason);
    if (this.#partitions.get(partition.id) === partition) this.#partitions.delete(partition.id);
    this.#open.delete(partition);
    this.#forget(partition);
  }

  /** Commits what was decided for a partition, then drops it: for a planned hand-over. */
  async finish(partition: Partition): Promise<void> {
    partition.inbox = [];
    this.#flush();
    await this.#pipeline.settled();
    this.drop(partition, 'handed over');
  }

  // ------------------------------------------------------------------------------------------------ deciding

  async #loop(): Promise<void> {
    for (;;) {
      if (!this.#stopped && !this.#hasWork()) await this.#work.wait();
      if (this.#stopped) return;
      await this.#repairStalled();
      const items = this.#take();
      if (items.length === 0) continue;
      const prepared = await this.#prepare(items);
      if (prepared === null) return;
      this.#forgetDropped(items);
      try {
        await this.#round(items, prepared);
      } finally {
        prepared.release();
      }
      if (!this.#pipeline.busy) this.#flush();
    }
  }

  #hasWork(): boolean {
    for (const partition of this.#partitions.values()) {
      if (partition.inbox.length > 0 || partition.stalled) return true;
    }
    return false;
  }

  /** Takes items from all partitions, a share each, up to what a batch may hold. */
  #take(): PartitionItem[] {
    const items: PartitionItem[] = [];
    const busy = this.held().filter((partition) => partition.inbox.length > 0 && !partition.stalled);
    const share = Math.max(1, Math.floor(this.#options.config.batchCommands / Math.max(1, busy.length)));
    for (const partition of busy) {
      for (const item of partition.inbox.splice(0, share)) items.push({ partition, item });
    }
    return items;
  }

  /** Null when the processor was stopped while PostgreSQL could not be read. */
  async #prepare(items: readonly PartitionItem[]): Promise<Preparation | null> {
    const { store, programs, residency, config, logger } = this.#options;
    while (!this.#stopped) {
      try {
        return await prepare(items, { store, programs, residency, partitions: config.partitions });
      } catch (error) {
        logger.warn({ err: error }, 'cannot read from PostgreSQL; trying again');
        await this.#pause(READ_RETRY_MS);
      }
    }
    return null;
  }

  async #round(items: readonly PartitionItem[], prepared: Preparation): Promise<void> {
    for (const { partition, item } of items) {
      if (partition.dropped !== null) continue;
      // What memory held of the partition is gone: it needs a preparation of its own, in its place in the order.
      if (partition.stalled) partition.leftover.push(item);
      else if (partition.singly > 0) await this.#alone(partition, item, prepared);
      else this.#decide(partition, item, prepared);
      if (this.#full()) {
        this.#flush();
        await this.#pipeline.oneWaits();
      }
    }
  }

  #decide(partition: Partition, item: Item, prepared: Preparation): void {
    const batch = this.#openBatch(partition);
    const before = batch.bytes;
    try {
      decide(this.#turn(partition, batch, item, prepared), item);
    } catch (error) {
      this.#options.logger.warn({ err: error, partition: partition.id }, 'a command could not be decided');
      this.#open.delete(partition);
      this.#setAside(partition, [...batch.items, item]);
      return;
    }
    batch.took(item);
    this.#openCommands += 1;
    this.#openBytes += batch.bytes - before;
  }

  /** Decides an item in a batch of its own, when all before it is committed, and waits for its commit. */
  async #alone(partition: Partition, item: Item, prepared: Preparation): Promise<void> {
    this.#flush();
    await this.#pipeline.settled();
    if (partition.dropped !== null) return;
    if (partition.stalled) {
      partition.leftover.push(item);
      return;
    }
    partition.singly -= 1;
    if (partition.singly === 0) partition.cautious = false;
    const batch = this.#openBatch(partition);
    if (partition.cautious && item.kind === 'logged' && !(await this.#mark(partition, item.command.seq))) return;
    try {
      if (item.kind === 'logged' && item.command.seq === partition.suspect) {
        throw new Error('it ended the process each time it was applied');
      }
      decide(this.#turn(partition, batch, item, prepared), item);
      batch.took(item);
    } catch (error) {
      this.#quarantine(partition, item, error);
    }
    this.#flush();
    await this.#pipeline.settled();
  }

  /** Marks a command before it is applied. False when the partition is no longer ours, or we are stopping. */
  async #mark(partition: Partition, seq: number): Promise<boolean> {
    const { store, logger, events } = this.#options;
    while (!this.#stopped && partition.dropped === null) {
      try {
        if (await store.markStarted(partition.id, partition.epoch, seq)) return true;
        this.drop(partition, 'fenced');
        events.fenced(partition, 'row');
      } catch (error) {
        logger.warn({ err: error }, 'cannot write to PostgreSQL; trying again');
        await this.#pause(READ_RETRY_MS);
      }
    }
    return false;
  }

  async #pause(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => this.#options.clock.after(delayMs, resolve));
  }

  #turn(partition: Partition, batch: PartitionBatch, item: Item, prepared: Preparation): Turn {
    const { clock, logger, metrics } = this.#options;
    const now = partition.tick(clock.now());
    const logged = item.kind === 'logged' ? item.command : null;
    return {
      partition,
      batch,
      prepared,
      shared: this.#shared,
      now,
      arrivedAt: logged?.arrivedAt ?? now,
      by: logged?.principal ?? 'engine',
      replyPrefix: logged === null ? '' : this.#subjects.inboxPrefix(logged.role, logged.principal),
      refused: (reason) => {
        metrics.refused();
        const fields = { partition: partition.id, seq: logged?.seq, principal: logged?.principal, reason };
        logger.warn(fields, 'message refused');
      },
    };
  }

  #openBatch(partition: Partition): PartitionBatch {
    let batch = this.#open.get(partition);
    if (batch === undefined) {
      batch = new PartitionBatch(partition, this.#shared.partitions, this.#options.config.checkpointEvents);
      this.#open.set(partition, batch);
    }
    return batch;
  }

  #full(): boolean {
    const { batchCommands, batchBytes } = this.#options.config;
    return this.#openCommands >= batchCommands || this.#openBytes >= batchBytes;
  }

  // ---------------------------------------------------------------------------------------------- taking apart

  /**
   * The items are decided again one by one, before anything that follows them. The partition stalls until all commits
   * are settled, because its memory is no longer what PostgreSQL has or will have.
   */
  #setAside(partition: Partition, items: readonly Item[]): void {
    partition.apart = [...items, ...partition.apart];
    partition.stalled = true;
    this.#work.raise();
  }

  /** A command that failed alone: recorded in quarantine in a commit of its own, so that the partition goes on. */
  #quarantine(partition: Partition, item: Item, error: unknown): void {
    const { logger, metrics, clock } = this.#options;
    metrics.quarantined();
    logger.error({ err: error, partition: partition.id, kind: item.kind }, 'a command was quarantined');
    const { checkpointEvents } = this.#options.config;
    const batch = new PartitionBatch(partition, this.#shared.partitions, checkpointEvents);
    quarantineInto(batch, item, error, partition.tick(clock.now()));
    this.#open.set(partition, batch);
    partition.stalled = true;
    this.#work.raise();
  }

  /** When all commits are settled, memory is loaded anew and what was put aside comes first, in order. */
  async #repairStalled(): Promise<void> {
    for (const partition of this.held()) {
      if (!partition.stalled) continue;
      this.#flush();
      await this.#pipeline.settled();
      if (partition.dropped !== null) continue;
      this.#forget(partition);
      partition.inbox = [...partition.apart, ...partition.leftover, ...partition.inbox];
      partition.singly = Math.max(partition.singly, partition.apart.length);
      partition.apart = [];
      partition.leftover = [];
      partition.stalled = false;
    }
  }

  /**
   * A partition may be dropped while runs are loaded for it. What arrives then is as old as its former owner's view: had
   * it stayed, a later takeover by this member would go on from it, and not from what others have committed since.
   */
  #forgetDropped(items: readonly PartitionItem[]): void {
    const dropped = new Set(items.map(({ partition }) => partition).filter((partition) => partition.dropped !== null));
    for (const partition of dropped) this.#forget(partition);
  }

  /** Drops what memory holds of a partition's runs and answers. */
  #forget(partition: Partition): void {
    this.#options.residency.removePartition(partition.id);
    this.#shared.recentResults.deleteWhere((entry) => entry.partition === partition.id);
    this.#shared.recentWorkflows.deleteWhere((entry) => entry.partition === partition.id);
    this.#shared.recentSignals.deleteWhere((entry) => entry.partition === partition.id);
  }

  // ------------------------------------------------------------------------------------------------ committing

  /** Closes the open batch; it is sent as soon as its predecessor is done. */
  #flush(): void {
    const parts: ClosedPartitionBatch[] = [];
    for (const batch of this.#open.values()) if (!batch.empty) parts.push(batch.close());
    this.#open.clear();
    this.#openCommands = 0;
    this.#openBytes = 0;
    if (parts.length > 0) this.#pipeline.add(parts);
  }

  #committed(parts: Parts): void {
    const { events, residency } = this.#options;
    events.committed(parts.filter((part) => part.partition.dropped === null));
    for (const part of parts) for (const write of part.after.runs) residency.touch(write.resident);
    residency.evict();
  }

  /** PostgreSQL refused what was to be written (SQLSTATE class 22, 23 or 54): the batch is taken apart. */
  #refused({ partition, open }: ClosedPartitionBatch, error: DataError): void {
    const cause = new Error(`PostgreSQL refused it with ${error.sqlstate}: ${error.message}`);
    // In the order in which they were decided: the failed batch, what is closed on top of it, what is open.
    const later = [...this.#pipeline.discard(partition), ...(this.#open.get(partition)?.items ?? [])];
    this.#open.delete(partition);
    partition.commitNo = open.before.commitNo;
    partition.position = open.before.position;
    const [first, ...others] = open.items;
    if (first === undefined) {
      // A quarantine record itself was refused: leave the partition, loudly, rather than skip a command.
      this.drop(partition, 'its quarantine cannot be written');
      this.#options.events.unknown(partition, cause);
      return;
    }
    if (others.length > 0) this.#setAside(partition, [...open.items, ...later]);
    else {
      this.#setAside(partition, later);
      this.#quarantine(partition, first, cause);
    }
  }
}
