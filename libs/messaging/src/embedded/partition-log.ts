/**
 * One partition's commands in memory. Its sequences continue behind the position that the first reader brings, so that
 * the recorded position of the process before this one stays true: what that process had not receipted was never
 * promised (spec 04 "Embedded mode"). Commands that come before the first reader are kept and numbered then.
 */
import { GraphrunError } from '@graphrun/protocol';
import { LOG_CAPACITY } from '../limits.js';
import { messageIdentity } from '../message-identity.js';
import type { LoggedCommand, LogPosition, OutgoingCommand } from '../ports.js';

interface Entry {
  readonly command: OutgoingCommand;
  readonly arrivedAt: number;
}

export class PartitionLog {
  readonly #partition: number;
  #entries: Entry[] = [];
  /** Sequence of the first entry; null until the first reader. */
  #firstSeq: number | null = null;
  /** The position of the process before this one: no entry stands for it, its owner's word is taken. */
  #base: LogPosition | null = null;
  #lastArrival = 0;

  constructor(partition: number) {
    this.#partition = partition;
  }

  get lastSeq(): number {
    return (this.#firstSeq ?? 1) + this.#entries.length - 1;
  }

  get firstSeq(): number {
    return this.#firstSeq ?? 1;
  }

  append(command: OutgoingCommand, now: number): void {
    if (this.#entries.length >= LOG_CAPACITY) {
      throw new GraphrunError(
        'ResourceExhausted',
        `the log of partition ${this.#partition} is full (${LOG_CAPACITY} commands); wait until its owner has caught up and send it again`,
        { details: { limit: 'log_messages', limit_value: LOG_CAPACITY } },
      );
    }
    // Arrival never runs backwards within a log, whatever the clock does.
    this.#lastArrival = Math.max(this.#lastArrival, now);
    this.#entries.push({ command, arrivedAt: this.#lastArrival });
  }

  at(seq: number): LoggedCommand | null {
    const entry = this.#entries[seq - this.firstSeq];
    if (entry === undefined) return null;
    const { role, principal, kind, data } = entry.command;
    return { partition: this.#partition, seq, arrivedAt: entry.arrivedAt, role, principal, kind, data };
  }

  /** null when the log continues behind `position`; else a sentence that says what does not fit. */
  findBreak(position: LogPosition): string | null {
    if (this.#firstSeq === null) {
      this.#firstSeq = position.seq + 1;
      this.#base = position;
      return null;
    }
    const { seq } = position;
    const name = `the log of partition ${this.#partition}`;
    if (seq > this.lastSeq)
      return `${name} ends at ${this.lastSeq}, but ${seq} was read before: it is shorter than recorded`;
    if (this.#firstSeq > seq + 1)
      return `${name} begins at ${this.#firstSeq}, behind the next message ${seq + 1}: messages are missing`;
    if (this.#base?.seq === seq) {
      return this.#base.messageId === position.messageId
        ? null
        : `message ${seq} of ${name} is not the one that was read before`;
    }
    const entry = this.at(seq);
    if (entry === null) return seq === 0 ? null : `${name} has no message ${seq}, which was read before`;
    if (messageIdentity(entry.data) !== position.messageId || entry.arrivedAt !== position.timestamp) {
      return `message ${seq} of ${name} is not the one that was read before`;
    }
    return null;
  }

  trim(seq: number): void {
    if (this.#firstSeq === null) return;
    const drop = Math.min(Math.max(0, seq - this.#firstSeq), this.#entries.length);
    this.#entries = this.#entries.slice(drop);
    this.#firstSeq += drop;
  }
}
