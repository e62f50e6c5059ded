/**
 * Which partitions this member owns (spec 04 "Ownership and membership"). Safety is the guard in each transaction; what
 * happens here is only for liveness: leases by PostgreSQL's clock, peers that are asked whether they live, and takeover
 * by the member that rendezvous hashing names.
 */
import type { PeerProbe, Subscription } from '@graphrun/messaging';
import type { Cancel, Clock } from '@graphrun/runtime';
import type { PartitionRow } from '@graphrun/store';
import type { Partition } from '../partition.js';
import { PeerWatch } from './peer-watch.js';
import { recover } from './recovery.js';
import { rendezvous } from './rendezvous.js';
import type { TakeoverOptions } from './takeover.js';
import { takeOver } from './takeover.js';

export interface OwnershipOptions extends TakeoverOptions {
  readonly peers: PeerProbe;
  readonly clock: Clock;
  readonly startedAt: number;
  /** Whether the messaging is connected: without it nobody answers, which says nothing of them. */
  readonly connected: () => boolean;
  /** Answers again what a predecessor may have committed without answering. */
  readonly answerRecent: (partition: Partition) => Promise<void>;
}

/** PostgreSQL's clock and ours may differ by this much before time-dependent work stops here. */
const LARGEST_SKEW_MS = 2000;
/** For how long both clocks must agree again. */
const SKEW_QUARANTINE_MS = 10_000;
/** Messages behind the position that stay in the log. */
const KEEP_IN_LOG = 1024;
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #watch: PeerWatch;
  #answering: Subscription | null = null;
  #timer: Cancel | null = null;
  #ticking: Promise<void> | null = null;
  /** Partitions to be taken over from ourselves: the outcome of a commit is unknown. */
  readonly #retake = new Set<number>();
  /** Monotonic ms until which the leases hold by our own clock. */
  #leaseUntil = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** PostgreSQL's clock at the last renewal, UTC ms. */
  #storeClockMs = 0;
  #trimmedAt = Number.NEGATIVE_INFINITY;
  /** Monotonic ms before which nothing is taken over, because clocks disagreed. */
  #clocksDistrustedUntil = Number.NEGATIVE_INFINITY;
  #problem: string | null = 'starting';
  #closed = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    const { peers, config } = options;
    this.#watch = new PeerWatch(peers, config.member, config.members, config.ownershipTickMs);
  }

  /** Why this member cannot do its work now, in a sentence, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  async start(): Promise<void> {
    const { peers, config, processor, startedAt } = this.#options;
    this.#answering = await peers.answer(config.member, () => ({
      member: config.member,
      startedAt,
      partitions: processor.held().map((partition) => partition.id),
    }));
    await this.#tick();
    this.#schedule();
  }

  /** Hands all partitions over: commits what was decided, releases, and answers no more. */
  async stop(): Promise<void> {
    this.#closed = true;
    this.#timer?.();
    await this.#ticking;
    await this.#answering?.close();
    await Promise.all(this.#options.processor.held().map((partition) => this.#release(partition, 'shutting down')));
  }

  /** The processor has dropped a partition whose commit is not certain. */
  retake(partition: Partition): void {
    this.#retake.add(partition.id);
    void this.#letGo(partition);
    this.#soon();
  }

  /** Somebody else has the partition. */
  fenced(partition: Partition, reason: 'row' | 'clock'): void {
    const { logger, clock } = this.#options;
    logger.warn({ partition: partition.id, epoch: partition.epoch, reason }, 'fenced: the partition is no longer ours');
    if (reason === 'clock') this.#clocksDistrustedUntil = clock.monotonic() + SKEW_QUARANTINE_MS;
    void this.#letGo(partition);
  }

  // --------------------------------------------------------------------------------------------------- the tick

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = this.#options.clock.after(this.#options.config.ownershipTickMs, () => {
      this.#runTick();
    });
  }

  #runTick(): void {
    this.#ticking = this.#tick().finally(() => {
      this.#ticking = null;
      this.#schedule();
    });
  }

  /** Does not wait for the next tick. */
  #soon(): void {
    if (this.#closed || this.#ticking !== null) return;
    this.#timer?.();
    this.#runTick();
  }

  async #tick(): Promise<void> {
    const { logger, clock, config, connected } = this.#options;
    try {
      const due = clock.monotonic() - this.#renewedAt >= config.partitionRenewMs;
      if (due) await this.#renew();
      if (!connected()) {
        this.#problem = 'not connected to NATS';
        return;
      }
      const before = this.#watch.live().join();
      if (config.members.length > 1) await this.#watch.ask();
      const moved = before !== this.#watch.live().join();
      if (due || moved || this.#retake.size > 0 || this.#missing()) await this.#balance();
      if (clock.monotonic() - this.#trimmedAt >= config.partitionLeaseMs) this.#trim();
      this.#problem = this.#clocksAgree() ? null : 'its clock and PostgreSQL\u2019s differ by more than 2 s';
    } catch (error) {
      this.#problem = `cannot look after its partitions: ${error instanceof Error ? error.message : String(error)}`;
      logger.warn({ err: error }, 'cannot look after partitions; trying again');
      this.#dropIfLeaseEnded();
    }
  }

  #missing(): boolean {
    return this.#options.processor.held().length < this.#wanted().length;
  }

  #wanted(): readonly number[] {
    const { config } = this.#options;
    const live = this.#watch.live();
    return Array.from({ length: config.partitions }, (_, id) => id).filter(
      (id) => rendezvous(id, live) === config.member,
    );
  }

  #clocksAgree(): boolean {
    return this.#options.clock.monotonic() >= this.#clocksDistrustedUntil;
  }

  async #renew(): Promise<void> {
    const { store, processor, config, clock, logger } = this.#options;
    const begin = clock.monotonic();
    const held = processor.held();
    const renewed = await store.renewLeases(
      config.member,
      held.map(({ id, epoch }) => ({ partition: id, epoch })),
      config.partitionLeaseMs,
    );
    this.#renewedAt = clock.monotonic();
    this.#leaseUntil = begin + config.partitionLeaseMs;
    this.#storeClockMs = renewed.clockMs;
    const skewMs = clock.now() - renewed.clockMs;
    if (Math.abs(skewMs) > LARGEST_SKEW_MS + (clock.monotonic() - begin)) {
      this.#clocksDistrustedUntil = clock.monotonic() + SKEW_QUARANTINE_MS;
      logger.error({ skewMs }, 'our clock and PostgreSQL\u2019s disagree: handing partitions over');
      await Promise.all(held.map((partition) => this.#release(partition, 'clocks disagree')));
      return;
    }
    for (const partition of held) {
      if (renewed.held.includes(partition.id) || partition.dropped !== null) continue;
      processor.drop(partition, 'lease lost');
      this.fenced(partition, 'row');
    }
  }

  /** PostgreSQL cannot be reached: after our own lease nothing is answered any more. The guard protects the data anyway. */
  #dropIfLeaseEnded(): void {
    const { processor, clock } = this.#options;
    if (clock.monotonic() < this.#leaseUntil) return;
    for (const partition of processor.held()) {
      processor.drop(partition, 'lease ended');
      void this.#letGo(partition);
    }
  }

  #trim(): void {
    const { processor, log, logger, clock } = this.#options;
    this.#trimmedAt = clock.monotonic();
    for (const { id, position } of processor.held()) {
      const below = position.seq - KEEP_IN_LOG;
      if (below <= 0) continue;
      log.trim(id, below).catch((error: unknown) => logger.warn({ err: error, partition: id }, 'cannot trim the log'));
    }
  }

  async #balance(): Promise<void> {
    const { store, processor, config, logger } = this.#options;
    const wanted = new Set(this.#wanted());
    const rows = await store.partitions();
    const moves: Promise<void>[] = [];
    for (const row of rows) {
      const held = processor.partition(row.partition);
      if (held !== undefined) {
        if (!wanted.has(row.partition)) moves.push(this.#release(held, 'moved to another member'));
        continue;
      }
      if (!this.#clocksAgree()) continue;
      if (!this.#mayTake(row, wanted)) {
        if (row.owner === config.member && !wanted.has(row.partition)) moves.push(this.#disown(row));
        continue;
      }
      moves.push(
        this.#takeOver(row).catch((error: unknown) => {
          logger.warn({ err: error, partition: row.partition }, 'takeover failed; trying again');
          this.#retake.add(row.partition);
        }),
      );
    }
    await Promise.all(moves);
    if (config.members.length === 1 && processor.held().length === 0) logger.warn({}, 'no partition is held');
  }

  #mayTake(row: PartitionRow, wanted: ReadonlySet<number>): boolean {
    const { member } = this.#options.config;
    if (row.paused) return false;
    if (this.#retake.has(row.partition))
      return row.owner === member || row.owner === null || !this.#watch.alive(row.owner);
    if (!wanted.has(row.partition)) return false;
    // A living owner hands over by itself; ours is a row of an earlier life of this member.
    if (row.owner === null || row.owner === member || !this.#watch.alive(row.owner)) return true;
    // It answers, but does not renew: perhaps it has begun a new life, and knows nothing of what it had in the last one.
    return row.leaseUntil < this.#storeClockMs;
  }

  /** A row of an earlier life of this member, wanted by another: whoever wants it waits for us as long as we live. */
  async #disown({ partition, epoch }: PartitionRow): Promise<void> {
    const { store, logger } = this.#options;
    try {
      await store.release(partition, epoch);
      logger.info({ partition, epoch }, 'partition of an earlier life released');
    } catch (error) {
      logger.warn({ err: error, partition }, 'cannot release a partition; its lease runs out');
    }
  }

  // ------------------------------------------------------------------------------------------------ moving

  async #takeOver(seen: PartitionRow): Promise<void> {
    const partition = await takeOver(seen, this.#options, (lost, reason) => this.#logLost(lost, reason));
    this.#retake.delete(seen.partition);
    if (partition === null) return;
    // Not waited for: leases must be renewed while many runs are looked at.
    this.#bringBack(partition).catch((error: unknown) => {
      if (partition.dropped !== null) return;
      const { logger, processor } = this.#options;
      logger.warn(
        { err: error, partition: partition.id },
        'what a partition waits for could not be read; starting over',
      );
      processor.drop(partition, 'recovery failed');
      this.retake(partition);
    });
  }

  async #bringBack(partition: Partition): Promise<void> {
    await this.#options.answerRecent(partition);
    await recover(partition, this.#options);
  }

  #logLost(partition: Partition, reason: string): void {
    const { logger, processor } = this.#options;
    logger.error({ partition: partition.id, reason }, 'the command log is another one than recorded');
    processor.drop(partition, reason);
    this.retake(partition);
  }

  async #release(partition: Partition, reason: string): Promise<void> {
    const { store, processor, logger } = this.#options;
    await partition.reader?.close();
    await processor.finish(partition);
    await this.#letGo(partition);
    try {
      await store.release(partition.id, partition.epoch);
    } catch (error) {
      // The lease ends by itself.
      logger.warn({ err: error, partition: partition.id }, 'cannot release a partition; its lease runs out');
    }
    logger.info({ partition: partition.id, reason }, 'partition released');
  }

  async #letGo(partition: Partition): Promise<void> {
    const { dispatcher, logger } = this.#options;
    dispatcher.forget(partition);
    try {
      await Promise.all([partition.reader?.close(), partition.renewals?.close(), partition.heartbeats?.close()]);
    } catch (error) {
      logger.warn({ err: error, partition: partition.id }, 'cannot close what was open of a partition');
    }
  }
}
