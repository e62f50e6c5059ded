/**
 * What a transaction will write, gathered command by command. A batch is open until it is closed; then its rows are
 * fixed and the next one opens on top of it. Nothing here has been committed, so nothing of it may be seen outside.
 */
import type { ActivationId, Agenda, EventBody, Leaf, RecordedEvent, RunId, SessionId } from '@graphrun/domain';
import { agenda, closedClaims, compensationOf, encodeCheckpoint, isTerminal, probeOf } from '@graphrun/domain';
import type { LoggedCommand } from '@graphrun/messaging';
import { messageIdentity } from '@graphrun/messaging';
import type { Receipt, RunChange } from '@graphrun/protocol';
import type {
  EventRow,
  LogPositionRow,
  PartitionWrites,
  QuarantineRow,
  ResultRow,
  RunInsert,
  RunRowStatus,
  RunStatusUpdate,
  SignalIdentityRow,
  UnrecoverableRow,
  WakeRow,
  CheckpointRow,
} from '@graphrun/store';
import { outcomeOf } from '../outcome.js';
import type { Partition } from '../partition.js';
import type { Resident } from '../residency.js';
import type { Item } from './item.js';
import { rowStatusOf, wakeOf } from './rows.js';

/** A ready leaf that one session was told of, and nobody else. */
export interface DirectedLeaf {
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
}

/** A claim that was refused although its leaf is ready: the offer is used up, and the leaf needs another one. */
export interface TurnedAway {
  readonly activation: ActivationId;
  readonly generation: number;
}

/** An attempt that its worker should stop. */
export interface Abort {
  readonly activation: ActivationId;
  readonly generation: number;
  readonly session: SessionId;
  readonly reason: 'cancelled' | 'lost';
}

/** The part of a run in one batch. */
export interface RunWrite {
  readonly resident: Resident;
  /** Sequence of the first event in `texts`; 0 while there is none. */
  firstSeq: number;
  readonly texts: string[];
  at: number;
  insert: RunInsert | null;
  /** Agenda and wake row after the last command that went well. */
  agenda: Agenda;
  wake: WakeRow | null;
  /** Leaves handed straight to a session in a receipt, without going through the work queue. */
  readonly directed: DirectedLeaf[];
  readonly turnedAway: TurnedAway[];
  readonly aborts: Abort[];
  /** Leaves that were activated in this batch: nobody has been offered their first attempt before. */
  readonly activated: Set<ActivationId>;
  /** Status before this batch, as the run's row has it; null when the row is written by this batch. */
  readonly statusBefore: RunRowStatus | null;
}

/** Largest outcome that goes along in a change notice; a larger one is read by whoever waits for it. */
const NOTICE_OUTCOME_CHARS = 64 * 1024;

/** What happens after the commit, and only then. */
export interface AfterCommit {
  readonly receipts: ReadonlyMap<string, readonly Receipt[]>;
  readonly changes: readonly RunChange[];
  readonly runs: readonly RunWrite[];
}

/** One partition's part of a batch. */
export class PartitionBatch {
  readonly partition: Partition;
  readonly items: Item[] = [];
  readonly runs = new Map<RunId, RunWrite>();
  readonly results: ResultRow[] = [];
  readonly signals: SignalIdentityRow[] = [];
  readonly quarantined: QuarantineRow[] = [];
  readonly unrecoverable: UnrecoverableRow[] = [];
  readonly receipts = new Map<string, Receipt[]>();
  /** Bytes of events so far. */
  bytes = 0;
  #last: LoggedCommand | null = null;
  #took = false;
  /** Row of the partition before this batch, to go back to when the batch turns out to hold wrong data. */
  readonly before: { readonly commitNo: number; readonly position: LogPositionRow };

  constructor(
    partition: Partition,
    /** Partitions of the cluster. */
    readonly partitions: number,
    /** Events of a run after which it gets a new checkpoint. */
    readonly checkpointEvents: number,
  ) {
    this.partition = partition;
    this.before = { commitNo: partition.commitNo, position: partition.position };
  }

  /** Adds what a command did to a run. Pins the run until the batch is settled. */
  record(
    resident: Resident,
    statusBefore: RunRowStatus | null,
    events: readonly RecordedEvent[],
    at: number,
  ): RunWrite {
    const first = events[0];
    const due = agenda(resident.run);
    let write = this.runs.get(resident.run.id);
    if (write === undefined) {
      resident.pins += 1;
      write = {
        resident,
        firstSeq: 0,
        texts: [],
        at,
        insert: null,
        agenda: due,
        wake: null,
        directed: [],
        turnedAway: [],
        aborts: [],
        activated: new Set(),
        statusBefore,
      };
      this.runs.set(resident.run.id, write);
    }
    // A run that this batch has only looked at so far (after a takeover, or for a timer that came to nothing).
    if (first !== undefined && write.texts.length === 0) write.firstSeq = first.event.seq;
    for (const recorded of events) {
      write.texts.push(recorded.text);
      this.bytes += recorded.text.length;
      const { body } = recorded.event;
      if (body.kind === 'activity_activated') write.activated.add(body.activation);
      if (body.kind === 'compensation_started') write.activated.add(compensationOf(body.activation));
      if (body.kind === 'probe_started') write.activated.add(probeOf(body.activation));
      noteAborts(write, body);
    }
    write.at = at;
    write.agenda = due;
    write.wake = wakeOf(resident.run.id, due);
    return write;
  }

  /** The item is decided: the commit moves the log position behind it. */
  took(item: Item): void {
    this.items.push(item);
    this.#took = true;
    if (item.kind === 'logged') this.#last = item.command;
  }

  /** True when there is nothing to commit, not even a new position. */
  get empty(): boolean {
    return !this.#took && this.quarantined.length === 0;
  }

  reply(inbox: string, receipt: Receipt): void {
    const list = this.receipts.get(inbox);
    if (list === undefined) this.receipts.set(inbox, [receipt]);
    else list.push(receipt);
  }

  /** Fixes the rows. The partition's commit number moves on; the batch must be committed or the partition dropped. */
  close(): ClosedPartitionBatch {
    const partition = this.partition;
    const events: EventRow[] = [];
    const runInserts: RunInsert[] = [];
    const runUpdates: RunStatusUpdate[] = [];
    const wakes: WakeRow[] = [];
    const wakeDeletes: RunId[] = [];
    const checkpoints: CheckpointRow[] = [];
    const changes: RunChange[] = [];
    for (const write of this.runs.values()) {
      if (write.texts.length === 0) continue;
      const { resident } = write;
      const run = resident.run;
      const seq = write.firstSeq + write.texts.length - 1;
      events.push({
        run: run.id,
        seq: write.firstSeq,
        count: write.texts.length,
        at: write.at,
        data: `[${write.texts.join(',')}]`,
      });
      const status = rowStatusOf(run);
      const ended = isTerminal(run.status);
      if (write.insert !== null) runInserts.push({ ...write.insert, status });
      if (write.insert === null ? status !== write.statusBefore : ended) {
        runUpdates.push({ run: run.id, status, endedAt: run.endedAt });
      }
      const { wake } = write;
      const wakeText = wake === null ? '' : `${wake.kinds}@${String(wake.dueAt)}`;
      if (wakeText !== resident.wake) {
        if (wake !== null) wakes.push(wake);
        else if (write.insert === null) wakeDeletes.push(run.id);
        resident.wake = wakeText;
      }
      if (ended || seq - resident.checkpointSeq >= this.checkpointEvents) {
        checkpoints.push({ run: run.id, seq, state: encodeCheckpoint(run) });
        resident.checkpointSeq = seq;
      }
      changes.push(changeOf(write, seq));
    }
    if (this.#last !== null) {
      const { seq, arrivedAt, data } = this.#last;
      partition.position = { seq, timestamp: arrivedAt, messageId: messageIdentity(data) };
    }
    const move = {
      partition: partition.id,
      epoch: partition.epoch,
      incarnation: partition.incarnation,
      commitNo: partition.commitNo,
      position: partition.position,
      engineTime: partition.engineTime,
    };
    partition.commitNo += 1;
    return new ClosedPartitionBatch(
      this,
      partition.commitNo,
      {
        move,
        events,
        runInserts,
        runUpdates,
        wakes,
        wakeDeletes,
        checkpoints,
        results: this.results,
        signals: this.signals,
        quarantined: this.quarantined,
        unrecoverable: this.unrecoverable,
      },
      { receipts: this.receipts, changes, runs: [...this.runs.values()] },
    );
  }
}

export class ClosedPartitionBatch {
  /** Decided on top of a batch that failed: it must not be committed. */
  discarded = false;

  constructor(
    readonly open: PartitionBatch,
    readonly commitNo: number,
    readonly writes: PartitionWrites,
    readonly after: AfterCommit,
  ) {}

  get partition(): Partition {
    return this.open.partition;
  }

  /** Lets go of the runs: the batch was committed, or will never be. */
  unpin(): void {
    for (const write of this.open.runs.values()) write.resident.pins -= 1;
  }
}

/**
 * Attempts that go on while their outcome no longer counts, or counts only for settling, are asked to stop. A leaf may be
 * forgotten by the end of its own commit; one that is not even among those forgotten last is told at its next renewal.
 */
function noteAborts(write: RunWrite, body: EventBody): void {
  const { run } = write.resident;
  const find = (id: ActivationId): Leaf | undefined =>
    run.leaves.get(id) ?? run.recent.findLast((leaf) => leaf.id === id);
  switch (body.kind) {
    case 'activity_cancelled':
      abort(write, find(body.activation), 'cancelled');
      return;
    case 'obligation_abandoned':
      abort(write, find(compensationOf(body.activation)), 'cancelled');
      return;
    case 'attempt_lost':
      abort(write, find(body.activation), 'lost');
      return;
    case 'run_stop_intended':
    case 'scope_failing':
    case 'container_failing':
      for (const leaf of closedClaims(run)) abort(write, leaf, 'cancelled');
      return;
    case 'run_terminated':
      for (const leaf of run.leaves.values()) if (leaf.status.kind === 'claimed') abort(write, leaf, 'cancelled');
      return;
    default:
      return;
  }
}

function abort(write: RunWrite, leaf: Leaf | undefined, reason: Abort['reason']): void {
  if (leaf?.last == null) return;
  const { generation, session } = leaf.last;
  const told = write.aborts.some((other) => other.activation === leaf.id && other.generation === generation);
  if (!told) write.aborts.push({ activation: leaf.id, generation, session, reason });
}

function changeOf(write: RunWrite, seq: number): RunChange {
  const run = write.resident.run;
  const outcome = outcomeOf(run);
  if (outcome === null) return { run: run.id, seq, ended: false };
  const large = write.texts.reduce((sum, text) => sum + text.length, 0) > NOTICE_OUTCOME_CHARS;
  return large ? { run: run.id, seq, ended: true } : { run: run.id, seq, ended: true, outcome };
}
