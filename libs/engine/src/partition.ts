/**
 * A partition as its owner holds it in memory, from one takeover to the moment it is dropped. Whatever happens to
 * the epoch, the object is thrown away with all that was derived from it; a later takeover makes a new one. So
 * "is this still ours?" is always the question whether the object is dropped.
 */
import type { RunId } from '@graphrun/domain';
import type { LogReader, Subscription } from '@graphrun/messaging';
import type { LogPositionRow, PartitionRow } from '@graphrun/store';
import type { Item } from './processor/item.js';

export class Partition {
  readonly id: number;
  readonly epoch: number;
  readonly incarnation: number;
  /** Number of the last commit that was closed, whether or not it has been committed yet. */
  commitNo: number;
  /** Position behind the last command that was decided. */
  position: LogPositionRow;
  /** Engine time: never runs backwards. */
  engineTime: number;
  /** Sequence of the last message that the log has delivered. */
  deliveredSeq: number;
  /** Waiting commands and internal work, in order. */
  inbox: Item[] = [];
  /** Commands yet to be applied one by one, because one of them breaks the batch it is in. */
  singly = 0;
  /** Commands are marked in PostgreSQL before they are applied singly: one of them may end the process. */
  cautious = false;
  /** A command that ended the process each time it was begun: it is quarantined unread. */
  suspect: number | null = null;
  /** Memory is not what PostgreSQL has: nothing may be decided until commits have settled and it was loaded anew. */
  stalled = false;
  /** Items to be decided again one by one, when the stall is over. */
  apart: Item[] = [];
  /** Items that were taken from the inbox when the partition stalled; they come behind `apart`. */
  leftover: Item[] = [];
  /** Recovery knows all runs that it has to look at. */
  wakesRead = false;
  /** Runs among them that it has yet to look at: what workers hold of them is not known yet. */
  readonly unrecovered = new Set<RunId>();
  reader: LogReader | null = null;
  renewals: Subscription | null = null;
  heartbeats: Subscription | null = null;
  #dropped: string | null = null;
  #offers = 0;

  constructor(row: PartitionRow) {
    this.id = row.partition;
    this.epoch = row.epoch;
    this.incarnation = row.incarnation;
    this.commitNo = row.commitNo;
    this.position = row.position;
    this.engineTime = row.engineTime;
    this.deliveredSeq = row.position.seq;
  }

  /** Why it is no longer held, or null while it is. */
  get dropped(): string | null {
    return this.#dropped;
  }

  drop(reason: string): void {
    this.#dropped ??= reason;
    this.inbox = [];
  }

  /** Engine time of a batch decided now: the later of the clock and what was recorded. */
  tick(clockMs: number): number {
    if (clockMs > this.engineTime) this.engineTime = clockMs;
    return this.engineTime;
  }

  nextOfferId(): string {
    this.#offers += 1;
    return `${this.id}.${this.epoch}.${this.#offers}`;
  }
}
