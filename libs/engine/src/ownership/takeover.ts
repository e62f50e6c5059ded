/**
 * Takes a partition over (spec 04 "Takeover"): raises its epoch, opens its log behind the recorded position, and gives
 * back what the processor needs. Nothing is decided before the partition is whole: what the log delivers meanwhile waits.
 */
import type { CommandLog, LoggedCommand, LogReader, WorkQueue } from '@graphrun/messaging';
import type { Logger } from '@graphrun/runtime';
import type { EngineStore, PartitionRow } from '@graphrun/store';
import type { EngineConfig } from '../config.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { EngineMetrics } from '../metrics.js';
import { Partition } from '../partition.js';
import type { Processor } from '../processor/processor.js';

export interface TakeoverOptions {
  readonly store: EngineStore;
  readonly log: CommandLog;
  readonly queue: WorkQueue;
  readonly processor: Processor;
  readonly dispatcher: Dispatcher;
  readonly config: EngineConfig;
  readonly logger: Logger;
  readonly metrics: EngineMetrics;
}

/** So many takeovers in a row at one position point to a command that ends the process: commands are then applied singly. */
const CAUTIOUS_AFTER_TAKEOVERS = 3;
const CAUTIOUS_COMMANDS = 64;
/** A command that was begun so often and never done is not begun again. */
const FATAL_TIMES = 2;

/**
 * The partition, handed to the processor; null when somebody else was faster. `onLogLost` is called at most once, when the
 * log turns out to be another one than recorded while it is read. Rejects when a server fails; the partition is then to
 * be taken over again.
 */
export async function takeOver(
  seen: PartitionRow,
  options: TakeoverOptions,
  onLogLost: (partition: Partition, reason: string) => void,
): Promise<Partition | null> {
  const { store, queue, processor, dispatcher, config, logger, metrics } = options;
  const taken = await store.takeOver(seen.partition, config.member, seen.epoch, config.partitionLeaseMs);
  if (taken === null) return null;
  metrics.takenOver();
  const delivery = new Delivery(processor, onLogLost);
  const position = { ...taken.position, incarnation: taken.incarnation };
  const reader = await options.log.read(taken.partition, position, delivery);
  try {
    const row = await sameIncarnation(taken, reader, options);
    const partition = new Partition(row);
    await beCautious(partition, row, options);
    partition.reader = reader;
    partition.renewals = await queue.serveRenewals(row.partition, (request) => dispatcher.renew(partition, request));
    partition.heartbeats = await queue.serveHeartbeats(row.partition, (of) => dispatcher.heartbeats(partition, of));
    processor.add(partition);
    delivery.begin(partition);
    const { partition: id, epoch } = row;
    logger.info({ partition: id, epoch, position: row.position.seq, from: seen.owner }, 'partition taken over');
    return partition;
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** Holds back what the log delivers until it is known which partition object it belongs to. */
class Delivery {
  readonly #early: LoggedCommand[] = [];
  #partition: Partition | null = null;
  #lost: string | null = null;

  constructor(
    readonly processor: Processor,
    readonly onLogLost: (partition: Partition, reason: string) => void,
  ) {}

  readonly onCommand = (command: LoggedCommand): void => {
    if (this.#partition === null) this.#early.push(command);
    else this.processor.accept(this.#partition, { kind: 'logged', command });
  };

  readonly backlog = (): number => this.#partition?.inbox.length ?? this.#early.length;

  readonly onIncarnationLost = (reason: string): void => {
    this.#lost = reason;
    if (this.#partition !== null) this.onLogLost(this.#partition, reason);
  };

  begin(partition: Partition): void {
    this.#partition = partition;
    for (const command of this.#early.splice(0)) this.processor.accept(partition, { kind: 'logged', command });
    if (this.#lost !== null) this.onLogLost(partition, this.#lost);
  }
}

/** The row for the log as it is: another incarnation than recorded is read from its first message, loudly. */
async function sameIncarnation(
  row: PartitionRow,
  reader: LogReader,
  { store, logger }: TakeoverOptions,
): Promise<PartitionRow> {
  if (reader.incarnation === row.incarnation) return row;
  logger.error(
    { partition: row.partition, recorded: row.incarnation, found: reader.incarnation, position: row.position.seq },
    'the command log is younger or shorter than recorded: a new incarnation is read from its first message',
  );
  const reset = await store.resetLog(row.partition, row.epoch);
  if (reset?.incarnation !== reader.incarnation) throw new Error('the partition moved on while its log was opened');
  return reset;
}

/** When nothing was waiting at the last takeovers either, no command can be to blame for them. */
async function beCautious(partition: Partition, row: PartitionRow, { log, logger }: TakeoverOptions): Promise<void> {
  if (row.takeoversHere < CAUTIOUS_AFTER_TAKEOVERS && row.started.seq <= row.position.seq) return;
  if ((await log.tail(row.partition)) <= row.position.seq) return;
  partition.cautious = true;
  partition.singly = CAUTIOUS_COMMANDS;
  if (row.started.seq > row.position.seq && row.started.times >= FATAL_TIMES) partition.suspect = row.started.seq;
  logger.warn(
    { partition: row.partition, takeovers: row.takeoversHere, suspect: partition.suspect },
    'its owners ended again and again at one position: applying commands one by one',
  );
}
