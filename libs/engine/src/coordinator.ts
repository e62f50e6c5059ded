/**
 * The engine of one process: owns partitions, applies their commands, hands out their work. The same object serves a
 * coordinator of a cluster and embedded mode; what differs is the messaging and the store it is given.
 */
import { randomInt } from 'node:crypto';
import { POLICIES } from '@graphrun/dsl';
import type { Messaging } from '@graphrun/messaging';
import type { Receipt } from '@graphrun/protocol';
import { systemClock } from '@graphrun/runtime';
import type { Cancel, Clock, Logger } from '@graphrun/runtime';
import type { Database } from '@graphrun/store';
import type { EngineConfig } from './config.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { EngineMetrics } from './metrics.js';
import { Ownership } from './ownership/ownership.js';
import type { Partition } from './partition.js';
import type { StoredAnswer } from './processor/client-result.js';
import { Processor } from './processor/processor.js';
import { Programs } from './programs.js';
import { Residency } from './residency.js';

export interface CoordinatorOptions {
  readonly cluster: string;
  readonly config: EngineConfig;
  readonly database: Pick<Database, 'engine' | 'maintain'>;
  readonly messaging: Messaging;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Where the entropy of decisions (jitter) begins: 32 bits. Drawn unless given. */
  readonly seed?: number;
}

export interface CoordinatorHealth {
  /** False when it cannot do its work; the problem says why. */
  readonly ready: boolean;
  readonly problem: string | null;
  readonly partitions: readonly number[];
}

export interface Coordinator {
  readonly metrics: EngineMetrics;
  /** Resolves when partitions are being applied. Throws when PostgreSQL or the settings make that impossible. */
  start(): Promise<void>;
  /** Commits what was decided, hands partitions over. Does not close database and messaging. */
  stop(): Promise<void>;
  health(): CoordinatorHealth;
}

/** A predecessor may have committed for that long without its answers having been seen. */
const UNANSWERED_MS = 30_000;
const MAINTENANCE_MS = 3_600_000;

export function createCoordinator(options: CoordinatorOptions): Coordinator {
  return new EngineCoordinator(options);
}

class EngineCoordinator implements Coordinator {
  readonly metrics = new EngineMetrics();
  readonly #options: CoordinatorOptions;
  readonly #clock: Clock;
  readonly #processor: Processor;
  readonly #dispatcher: Dispatcher;
  readonly #ownership: Ownership;
  #maintenance: Cancel | null = null;
  #maintaining: Promise<void> | null = null;
  #stopped = false;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    const { config, database, messaging, logger, cluster } = options;
    const clock = options.clock ?? systemClock;
    this.#clock = clock;
    const store = database.engine;
    const { metrics } = this;
    const programs = new Programs((digest) => store.artifact(digest));
    const residency = new Residency(config.residentBytes);
    const processor = new Processor({
      config,
      cluster,
      store,
      programs,
      residency,
      clock,
      logger,
      metrics,
      seed: options.seed ?? randomInt(2 ** 32),
      events: {
        committed: (parts) => this.#dispatcher.committed(parts),
        fenced: (partition, reason) => this.#ownership.fenced(partition, reason),
        unknown: (partition, cause) => {
          logger.warn({ err: cause, partition: partition.id }, 'the outcome of a commit is unknown: taking over anew');
          this.#ownership.retake(partition);
        },
      },
    });
    const { queue, feed, log, peers } = messaging;
    const dispatcher = new Dispatcher({
      queue,
      feed,
      log,
      config,
      clock,
      logger,
      metrics,
      residency,
      connectedSince: () => messaging.status().connectedSince,
      accept: (partition, item) => processor.accept(partition, item),
    });
    this.#processor = processor;
    this.#dispatcher = dispatcher;
    this.#ownership = new Ownership({
      store,
      log,
      queue,
      peers,
      processor,
      dispatcher,
      config,
      clock,
      logger,
      metrics,
      startedAt: clock.now(),
      connected: () => messaging.status().connected,
      answerRecent: (partition) => this.#answerRecent(partition),
    });
    metrics.observe({
      partitions: () => processor.held().length,
      residentRuns: () => residency.count,
      residentBytes: () => residency.bytes,
      readyLeaves: () => dispatcher.readyCount,
      claimedLeaves: () => dispatcher.claimCount,
      waitingCommands: () => processor.held().reduce((sum, partition) => sum + partition.inbox.length, 0),
    });
  }

  async start(): Promise<void> {
    const { database, config } = this.#options;
    await database.engine.initPartitions(config.partitions);
    this.#processor.start();
    await this.#ownership.start();
    this.#maintain();
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#maintenance?.();
    await this.#ownership.stop();
    await this.#processor.stop();
    this.#dispatcher.close();
    await this.#maintaining;
  }

  health(): CoordinatorHealth {
    const problem = this.#stopped ? 'stopped' : this.#ownership.problem;
    return { ready: problem === null, problem, partitions: this.#processor.held().map((partition) => partition.id) };
  }

  #maintain(): void {
    const { database, logger } = this.#options;
    this.#maintaining = database
      .maintain()
      .catch((error: unknown) => logger.warn({ err: error }, 'maintenance failed; it is tried again in an hour'));
    if (!this.#stopped) this.#maintenance = this.#clock.after(MAINTENANCE_MS, () => this.#maintain());
  }

  /** Answers what was committed by a predecessor whose answers may never have left. */
  async #answerRecent(partition: Partition): Promise<void> {
    const { database, messaging } = this.#options;
    const since = this.#clock.now() - Math.min(UNANSWERED_MS, POLICIES.resultRetentionMs);
    const byInbox = new Map<string, Receipt[]>();
    for (const stored of await database.engine.recentResults(partition.id, since)) {
      const { to, result } = JSON.parse(stored.result) as StoredAnswer;
      const receipts = byInbox.get(to);
      const receipt: Receipt = { kind: 'client', id: stored.commandId, result };
      if (receipts === undefined) byInbox.set(to, [receipt]);
      else receipts.push(receipt);
    }
    for (const [inbox, receipts] of byInbox) messaging.feed.receipts(inbox, receipts);
  }
}
