/**
 * The replicated command logs: sequences, times of arrival, readers that are given messages in order, some of them twice.
 * A log may lose its end (power loss) or all of it (restored, recreated); a reader then finds out as a real one does.
 */
import { messageIdentity } from '@graphrun/messaging';
import type {
  CommandLog,
  LoggedCommand,
  LogHandlers,
  LogPosition,
  LogReader,
  OutgoingCommand,
} from '@graphrun/messaging';
import { GraphrunError } from '@graphrun/protocol';
import type { Process } from '../core/process.js';
import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import type { Rates } from '../plan.js';

export class LogServer {
  readonly #logs = new Map<number, PartitionLog>();

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    readonly rates: () => Rates,
  ) {}

  log(partition: number): PartitionLog {
    let log = this.#logs.get(partition);
    if (log === undefined) {
      log = new PartitionLog(partition, this);
      this.#logs.set(partition, log);
    }
    return log;
  }

  /** A command on its way: it may be lost, or come twice. */
  send(from: Process, command: OutgoingCommand): void {
    if (from.cut) return;
    const copies = this.random.chance(this.rates().commandLoss)
      ? 0
      : this.random.chance(this.rates().commandTwice)
        ? 2
        : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      this.scheduler.at(this.random.int(0, 3), null, `log ${command.partition} takes ${command.kind}`, () =>
        this.log(command.partition).append(command),
      );
    }
  }
}

export class PartitionLog {
  /** By sequence less one. */
  entries: LoggedCommand[] = [];
  readonly readers = new Set<Reader>();
  #lastArrival = 0;

  constructor(
    readonly partition: number,
    readonly server: LogServer,
  ) {}

  get lastSeq(): number {
    return this.entries.length;
  }

  append({ partition, role, principal, kind, data }: OutgoingCommand): void {
    this.#lastArrival = Math.max(this.#lastArrival, this.server.scheduler.now);
    const seq = this.entries.length + 1;
    this.entries.push({ partition, seq, arrivedAt: this.#lastArrival, role, principal, kind, data });
    for (const reader of this.readers) reader.wake();
  }

  /** Power loss: what was not flushed is gone, and what comes next has its sequences. */
  loseTail(count: number): void {
    this.entries = this.entries.slice(0, Math.max(0, this.entries.length - count));
    for (const reader of [...this.readers])
      if (reader.next - 1 > this.lastSeq) reader.lose('it ends before what was read');
  }

  /** Deleted and made anew. */
  recreate(): void {
    this.entries = [];
    for (const reader of [...this.readers]) reader.lose('it was made anew');
  }

  /** Whether the log goes on behind a position. */
  fits({ seq, messageId, timestamp }: LogPosition): boolean {
    if (seq === 0) return true;
    const entry = this.entries[seq - 1];
    return entry !== undefined && messageIdentity(entry.data) === messageId && entry.arrivedAt === timestamp;
  }
}

class Reader implements LogReader {
  next: number;
  #waking = false;
  #closed = false;

  constructor(
    readonly process: Process,
    readonly log: PartitionLog,
    readonly incarnation: number,
    readonly startSeq: number,
    readonly handlers: LogHandlers,
  ) {
    this.next = startSeq + 1;
  }

  wake(): void {
    if (this.#waking || this.#closed || this.next > this.log.lastSeq) return;
    this.#waking = true;
    const { random } = this.log.server;
    const delay = this.process.cut ? this.process.cutUntil - this.process.scheduler.now : 0;
    this.process.scheduler.at(delay + random.int(0, 3), this.process, `log ${this.log.partition} delivers`, () => {
      this.#waking = false;
      if (!this.process.cut) this.#deliver();
      this.wake();
    });
  }

  #deliver(): void {
    const { random, rates } = this.log.server;
    for (let count = random.int(1, 4); count > 0 && !this.#closed; count -= 1) {
      const command = this.log.entries[this.next - 1];
      if (command === undefined) return;
      this.next += 1;
      this.handlers.onCommand(command);
      if (random.chance(rates().redelivery)) this.handlers.onCommand(command);
    }
  }

  lose(reason: string): void {
    if (this.#closed) return;
    void this.close();
    const { scheduler } = this.process;
    scheduler.at(1, this.process, `log ${this.log.partition} is lost`, () => this.handlers.onIncarnationLost(reason));
  }

  close(): Promise<void> {
    this.#closed = true;
    this.log.readers.delete(this);
    return Promise.resolve();
  }
}

export class LogPort implements CommandLog {
  constructor(
    readonly process: Process,
    readonly server: LogServer,
  ) {}

  publish(): Promise<void> {
    return Promise.reject(new GraphrunError('Unavailable', 'a coordinator does not publish commands'));
  }

  async read(partition: number, position: LogPosition, handlers: LogHandlers): Promise<LogReader> {
    const log = this.server.log(partition);
    return this.#request('open the log', () => {
      const fits = log.fits(position);
      const incarnation = fits ? position.incarnation : position.incarnation + 1;
      const reader = new Reader(this.process, log, incarnation, fits ? position.seq : 0, handlers);
      log.readers.add(reader);
      reader.wake();
      return reader;
    });
  }

  tail(partition: number): Promise<number> {
    return this.#request('tail', () => this.server.log(partition).lastSeq);
  }

  trim(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #request<T>(label: string, serve: () => T): Promise<T> {
    const { random } = this.server;
    return this.process.request(label, { there: random.int(0, 2), back: random.int(0, 2) }, () => {
      if (this.process.cut) throw new GraphrunError('Unavailable', 'the log does not answer');
      return serve();
    });
  }
}
