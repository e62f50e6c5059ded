/** Watches all doors of the simulated servers and asks the invariants at each of them. */
import type { RunEvent, RunId, SessionId } from '@graphrun/domain';
import { readEvent, roleOf } from '@graphrun/domain';
import { loadProgram } from '@graphrun/dsl';
import type { Json, Program } from '@graphrun/dsl';
import type { ChangeNotice, Offer, Receipt } from '@graphrun/protocol';
import type { PartitionWrites } from '@graphrun/store';
import type { Sent } from '../actors/client.js';
import type { Effect, Ledger } from '../actors/ledger.js';
import type { WorkerWatcher } from '../actors/worker.js';
import type { Process } from '../core/process.js';
import { ACTIVITIES, artifacts } from '../definitions.js';
import type { FeedWatcher } from '../servers/feed.js';
import type { LogServer } from '../servers/log.js';
import type { QueueWatcher } from '../servers/queue.js';
import type { StoreWatcher } from '../servers/store-port.js';
import type { Tables } from '../servers/tables.js';
import { carriedOutOnce, receiptIsCommitted, receiptsAreKept } from './answers.js';
import { nothingHappensAfterItsUndoing, oneEffectForEachKey, workIsGranted } from './effects.js';
import { inTimeBeatsTimer } from './in-time.js';
import { Publishing } from './publishing.js';
import { RunRecord } from './record.js';
import { endsOrSaysWhyNot, nobodySuffersForAnother } from './rest.js';
import { checkpointIsReplay, somebodyWillWakeIt, tailIsReplay } from './state.js';
import { Violation, violated } from './violation.js';

const programs = new Map<string, Program>();

function programOf(digest: string): Program {
  let program = programs.get(digest);
  if (program === undefined) {
    const artifact = artifacts().find((one) => one.digest === digest);
    if (artifact === undefined) throw new Error(`there is no definition ${digest}`);
    program = loadProgram(artifact);
    programs.set(digest, program);
  }
  return program;
}

export class Observer implements StoreWatcher, QueueWatcher, FeedWatcher, WorkerWatcher {
  readonly records = new Map<RunId, RunRecord>();
  /** The first promise that was not kept. */
  violation: Error | null = null;
  /** How far the clock of an owner was ahead at most. */
  leadMs = 0;
  /** Partitions whose log has lost something: what was in it in time cannot be told. */
  readonly damaged = new Set<number>();
  readonly #publishing = new Publishing();
  ledger: Ledger | null = null;

  constructor(
    readonly tables: Tables,
    readonly log: LogServer,
  ) {}

  /** Asks, and keeps the first answer that is a violation. */
  #ask(question: () => void): void {
    if (this.violation !== null) return;
    try {
      question();
    } catch (error) {
      this.violation =
        error instanceof Violation
          ? error
          : new Violation('7 one state', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  // -------------------------------------------------------------------------------------------------- the store

  committed(_process: Process, all: readonly PartitionWrites[]): void {
    this.#ask(() => {
      for (const writes of all) this.#committedPart(writes);
      nobodySuffersForAnother(this.tables);
    });
  }

  #committedPart({ move, events, checkpoints }: PartitionWrites): void {
    const current = this.tables.partitionRows[move.partition]?.epoch ?? 0;
    this.#publishing.committed(move.partition, move.epoch, move.commitNo + 1, current);
    for (const { run, data } of events) {
      const record = this.#record(run);
      for (const json of JSON.parse(data) as readonly Json[])
        this.#event(record, readEvent(json), move.partition, move.position.seq);
      const checkpoint = checkpoints.find((row) => row.run === run);
      if (checkpoint !== undefined) checkpointIsReplay(record, checkpoint.state);
      somebodyWillWakeIt(record, this.tables);
    }
  }

  #event(record: RunRecord, event: RunEvent, partition: number, position: number): void {
    carriedOutOnce(event, record.events);
    if (!this.damaged.has(partition)) {
      const unapplied = this.log.log(partition).entries.slice(position);
      inTimeBeatsTimer(record, event, unapplied, this.leadMs);
    }
    record.add(event);
  }

  #record(run: RunId): RunRecord {
    let record = this.records.get(run);
    if (record === undefined) {
      const row = this.tables.runRows.get(run);
      if (row === undefined) violated('2 sequence', `events of run ${run}, which was never admitted`);
      record = new RunRecord(run, programOf(row.digest));
      this.records.set(run, record);
    }
    return record;
  }

  fenced(process: Process, all: readonly PartitionWrites[]): void {
    for (const { move } of all) this.#publishing.fenced(process.name, move.partition, move.epoch);
  }

  // --------------------------------------------------------------------------------------------- what goes out

  announced(process: Process, notices: readonly ChangeNotice[]): void {
    this.#ask(() => {
      for (const { partition, epoch, commitNo } of notices) {
        this.#publishing.onlyWhatIsCommittedIsTold(process.name, partition, epoch, commitNo);
        this.#publishing.nothingLeavesAFencedOwner(process.name, partition, epoch, 'a notice');
      }
    });
  }

  receipts(_process: Process, _inbox: string, receipts: readonly Receipt[]): void {
    this.#ask(() => {
      for (const receipt of receipts) {
        if (receipt.kind === 'client') receiptIsCommitted(receipt, this.tables);
        else for (const offer of receipt.eager ?? []) this.#offerIsCommitted(offer);
      }
    });
  }

  offered(process: Process, offer: Offer): void {
    this.#ask(() => {
      this.#publishing.nothingLeavesAFencedOwner(
        process.name,
        offer.partition,
        offer.epoch,
        `an offer of ${offer.activation}`,
      );
      this.#offerIsCommitted(offer);
    });
  }

  #offerIsCommitted({ run, activation, generation, grantedUntil }: Offer): void {
    const record = this.records.get(run);
    if (record?.knows(activation) !== true)
      violated('11 grants', `${activation} of run ${run} is offered, and its activation is not committed`);
    if (grantedUntil !== null && !record.attempts.grants.has(`${activation}/${generation}`))
      violated('11 grants', `${activation} of run ${run} is granted, and the grant is not committed`);
  }

  // -------------------------------------------------------------------------------------------------- the world

  begun(session: SessionId, { run, activation, generation, activity }: Offer): void {
    this.#ask(() => {
      if (roleOf(activation) === 'forward' && ACTIVITIES[activity]?.effects === 'pure') return;
      const grant = this.records.get(run)?.attempts.grants.get(`${activation}/${generation}`);
      workIsGranted(grant?.session, session, `${activity} (${activation} of run ${run})`);
    });
  }

  readonly happened = (effect: Effect): void => {
    this.#ask(() => {
      oneEffectForEachKey(effect);
      if (this.ledger !== null) nothingHappensAfterItsUndoing(effect, this.ledger);
    });
  };

  // ---------------------------------------------------------------------------------------------------- the end

  atTheEnd(sent: readonly Sent[], now: number): void {
    this.#ask(() => {
      receiptsAreKept(sent, this.tables);
      nobodySuffersForAnother(this.tables);
      for (const record of this.records.values()) {
        tailIsReplay(record, this.tables);
        endsOrSaysWhyNot(record, now);
      }
      const silent = sent.find(({ receipts }) => receipts.length === 0);
      if (silent !== undefined) violated('1 receipts', `${silent.id} was never answered`);
    });
  }
}
