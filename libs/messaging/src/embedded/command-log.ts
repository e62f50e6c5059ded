import { GraphrunError } from '@graphrun/protocol';
import { BACKLOG_RECHECK_MS, MAX_COMMAND_BYTES, READER_BACKLOG } from '../limits.js';
import type { CommandLog, LogHandlers, LogPosition, LogReader, OutgoingCommand } from '../ports.js';
import { PartitionLog } from './partition-log.js';
import type { EmbeddedScope } from './scope.js';

/** Commands handed out in one turn of the event loop. */
const BATCH = 256;

export class EmbeddedCommandLog implements CommandLog {
  readonly #scope: EmbeddedScope;
  readonly #logs = new Map<number, PartitionLog>();
  readonly #readers = new Set<EmbeddedLogReader>();
  #closed = false;

  constructor(scope: EmbeddedScope) {
    this.#scope = scope;
  }

  publish(command: OutgoingCommand): Promise<void> {
    try {
      this.#append(command);
      return Promise.resolve();
    } catch (failure) {
      return Promise.reject(failure instanceof Error ? failure : new Error(String(failure)));
    }
  }

  read(partition: number, position: LogPosition, handlers: LogHandlers): Promise<LogReader> {
    try {
      this.#requireOpen(`reading partition ${partition}`);
      const log = this.#log(partition);
      const broken = log.findBreak(position);
      let { incarnation, seq: startSeq } = position;
      if (broken !== null) {
        incarnation += 1;
        startSeq = log.firstSeq - 1;
        this.#scope.report(
          new GraphrunError('Internal', `${broken}; reading incarnation ${incarnation} from its first message`),
          `log ${partition}`,
        );
      }
      const reader = new EmbeddedLogReader(this.#scope, log, partition, incarnation, startSeq, handlers, (closed) =>
        this.#readers.delete(closed),
      );
      this.#readers.add(reader);
      reader.wake();
      return Promise.resolve(reader);
    } catch (failure) {
      return Promise.reject(failure instanceof Error ? failure : new Error(String(failure)));
    }
  }

  tail(partition: number): Promise<number> {
    return Promise.resolve(this.#log(partition).lastSeq);
  }

  trim(partition: number, seq: number): Promise<void> {
    this.#log(partition).trim(seq);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#readers].map((reader) => reader.close()));
  }

  #append(command: OutgoingCommand): void {
    this.#requireOpen(`publishing to partition ${command.partition}`);
    const bytes = Buffer.byteLength(command.data, 'utf8');
    if (bytes > MAX_COMMAND_BYTES) {
      throw new GraphrunError(
        'ResourceExhausted',
        `a command has ${bytes} bytes, at most ${MAX_COMMAND_BYTES} are allowed; store the large value elsewhere and pass a reference`,
        { details: { limit: 'command_bytes', limit_value: MAX_COMMAND_BYTES, bytes } },
      );
    }
    this.#log(command.partition).append(command, this.#scope.clock());
    for (const reader of this.#readers) if (reader.partition === command.partition) reader.wake();
  }

  #log(partition: number): PartitionLog {
    let log = this.#logs.get(partition);
    if (log === undefined) {
      log = new PartitionLog(partition);
      this.#logs.set(partition, log);
    }
    return log;
  }

  #requireOpen(what: string): void {
    this.#scope.requireOpen(what);
    if (this.#closed)
      throw new GraphrunError('Unavailable', `${what} is not possible: this process is closing its messaging`);
  }
}

class EmbeddedLogReader implements LogReader {
  readonly partition: number;
  readonly incarnation: number;
  readonly startSeq: number;
  readonly #scope: EmbeddedScope;
  readonly #log: PartitionLog;
  readonly #handlers: LogHandlers;
  readonly #onClosed: (reader: EmbeddedLogReader) => void;
  #next: number;
  #cancel: (() => void) | null = null;
  #closed = false;

  constructor(
    scope: EmbeddedScope,
    log: PartitionLog,
    partition: number,
    incarnation: number,
    startSeq: number,
    handlers: LogHandlers,
    onClosed: (reader: EmbeddedLogReader) => void,
  ) {
    this.#scope = scope;
    this.#log = log;
    this.partition = partition;
    this.incarnation = incarnation;
    this.startSeq = startSeq;
    this.#next = startSeq + 1;
    this.#handlers = handlers;
    this.#onClosed = onClosed;
  }

  wake(): void {
    if (this.#closed || this.#cancel !== null || this.#next > this.#log.lastSeq) return;
    this.#cancel = this.#scope.soon(`log ${this.partition}`, () => this.#deliver());
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#onClosed(this);
    return Promise.resolve();
  }

  #deliver(): void {
    this.#cancel = null;
    for (let n = 0; n < BATCH && !this.#closed; n += 1) {
      if ((this.#handlers.backlog?.() ?? 0) > READER_BACKLOG) {
        this.#cancel = this.#scope.later(BACKLOG_RECHECK_MS, `log ${this.partition}`, () => this.#deliver());
        return;
      }
      if (this.#next < this.#log.firstSeq) {
        this.#lose();
        return;
      }
      const command = this.#log.at(this.#next);
      if (command === null) return;
      this.#next += 1;
      try {
        this.#handlers.onCommand(command);
      } catch (failure) {
        this.#scope.report(failure, `log ${this.partition}`);
      }
    }
    this.wake();
  }

  /** Somebody trimmed what this reader had not seen. */
  #lose(): void {
    const reason = `the log of partition ${this.partition} was trimmed to ${this.#log.firstSeq} before ${this.#next} was read`;
    this.#scope.report(new GraphrunError('Internal', reason), `log ${this.partition}`);
    void this.close();
    this.#handlers.onIncarnationLost(`${reason}; the partition has to be taken over as a new incarnation`);
  }
}
