/**
 * PostgreSQL as the engine knows it: the tables behind `EngineStore`, with the guard, the keys and the all-or-nothing of the
 * real apply function (`graphrun.apply_v2` and what lies beneath it in libs/store).
 */
import type { RunId, WorkflowId } from '@graphrun/domain';
import type { Artifact } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type {
  ApplyOutcome,
  DefinitionRow,
  PartitionRow,
  PartitionWrites,
  QuarantineRow,
  ResultKey,
  ResultRow,
  RunInsert,
  RunRowStatus,
  SentSignal,
  SignalIdentityRow,
  StoredResult,
  StoredRun,
  StoredSignal,
  UnrecoverableRow,
  WakeRow,
  WorkflowRow,
} from '@graphrun/store';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface StoredEvents {
  readonly seq: number;
  readonly count: number;
  readonly data: string;
}

export interface StoredRunRow extends RunInsert {
  status: RunRowStatus;
  endedAt: number | null;
}

/** PostgreSQL refuses engine time that is further ahead of its own clock. */
const LARGEST_LEAD_MS = 2000;

export function resultKey({ partition, principal, commandId }: ResultKey): string {
  return `${partition}/${principal}/${commandId}`;
}

export class Tables {
  readonly partitionRows: Mutable<PartitionRow>[] = [];
  readonly runRows = new Map<RunId, StoredRunRow>();
  readonly eventRows = new Map<RunId, StoredEvents[]>();
  readonly checkpointRows = new Map<RunId, { readonly seq: number; readonly state: string }>();
  readonly wakeRows = new Map<RunId, WakeRow & { readonly partition: number }>();
  readonly resultRows = new Map<string, ResultRow>();
  readonly signalRows = new Map<string, SignalIdentityRow>();
  readonly quarantineRows: QuarantineRow[] = [];
  readonly unrecoverableRows = new Map<RunId, UnrecoverableRow>();
  readonly #definitions: (DefinitionRow & { readonly artifact: Artifact })[] = [];
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  publish(namespace: string, artifact: Artifact): void {
    const { id: workflow, version } = artifact.definition;
    this.#definitions.push({ namespace, workflow, version, digest: artifact.digest, publishedAt: 0, artifact });
  }

  // ------------------------------------------------------------------------------------------------- partitions

  initPartitions(count: number): void {
    if (this.partitionRows.length > 0) {
      if (this.partitionRows.length !== count)
        throw new GraphrunError(
          'FailedPrecondition',
          `the store has ${this.partitionRows.length} partitions, not ${count}`,
        );
      return;
    }
    for (let partition = 0; partition < count; partition += 1) {
      this.partitionRows.push({
        partition,
        epoch: 0,
        incarnation: 0,
        commitNo: 0,
        position: { seq: 0, messageId: '', timestamp: 0 },
        engineTime: 0,
        owner: null,
        backendPid: null,
        leaseUntil: 0,
        takeoversHere: 0,
        started: { seq: 0, times: 0 },
        paused: false,
      });
    }
  }

  partitions(): readonly PartitionRow[] {
    return this.partitionRows.map((row) => ({ ...row }));
  }

  #held(partition: number, epoch: number): Mutable<PartitionRow> | null {
    const row = this.partitionRows[partition];
    return row?.epoch === epoch ? row : null;
  }

  takeOver(partition: number, owner: string, expectedEpoch: number, leaseMs: number): PartitionRow | null {
    const row = this.#held(partition, expectedEpoch);
    if (row === null) return null;
    row.epoch += 1;
    row.owner = owner;
    row.leaseUntil = this.#clock() + leaseMs;
    row.takeoversHere += 1;
    return { ...row };
  }

  resetLog(partition: number, epoch: number): PartitionRow | null {
    const row = this.#held(partition, epoch);
    if (row === null) return null;
    row.incarnation += 1;
    row.commitNo += 1;
    row.position = { seq: 0, messageId: '', timestamp: 0 };
    row.takeoversHere = 0;
    row.started = { seq: 0, times: 0 };
    return { ...row };
  }

  renewLeases(
    owner: string,
    held: readonly { partition: number; epoch: number }[],
    leaseMs: number,
  ): { readonly held: readonly number[]; readonly clockMs: number } {
    const clockMs = this.#clock();
    const renewed: number[] = [];
    for (const { partition, epoch } of held) {
      const row = this.#held(partition, epoch);
      if (row?.owner !== owner) continue;
      row.leaseUntil = clockMs + leaseMs;
      renewed.push(partition);
    }
    return { held: renewed.sort((a, b) => a - b), clockMs };
  }

  markStarted(partition: number, epoch: number, seq: number): boolean {
    const row = this.#held(partition, epoch);
    if (row === null) return false;
    row.started = { seq, times: row.started.seq === seq ? row.started.times + 1 : 1 };
    return true;
  }

  release(partition: number, epoch: number): void {
    const row = this.#held(partition, epoch);
    if (row === null) return;
    row.owner = null;
    row.leaseUntil = 0;
  }

  clock(): number {
    return this.#clock();
  }

  // ------------------------------------------------------------------------------------------------------ apply

  apply(all: readonly PartitionWrites[]): ApplyOutcome {
    if (all.some(({ move }) => move.engineTime > this.#clock() + LARGEST_LEAD_MS))
      return { kind: 'guard_missed', reason: 'clock' };
    for (const { move } of all) {
      const row = this.#held(move.partition, move.epoch);
      if (row?.incarnation !== move.incarnation || row.commitNo !== move.commitNo || row.paused)
        return { kind: 'guard_missed', reason: 'row' };
    }
    for (const writes of all) {
      const message = this.#refusal(writes);
      if (message !== null) return { kind: 'data_error', sqlstate: '23505', message };
    }
    for (const writes of all) this.#write(writes);
    return { kind: 'committed' };
  }

  /** What breaks a key, or null: then nothing may be written at all. */
  #refusal(writes: PartitionWrites): string | null {
    for (const { run, seq } of writes.events) {
      if (this.eventRows.get(run)?.some((row) => row.seq === seq) === true) return `event ${seq} of ${run} is there`;
    }
    for (const { run, workflowId, ordinal } of writes.runInserts) {
      if (this.runRows.has(run)) return `run ${run} is there`;
      for (const row of this.runRows.values())
        if (row.workflowId === workflowId && row.ordinal === ordinal) return `run ${ordinal} of ${workflowId} is there`;
    }
    for (const row of writes.results)
      if (this.resultRows.has(resultKey(row))) return `result ${resultKey(row)} is there`;
    const inserted = new Set(writes.runInserts.map(({ run }) => run));
    const strange = writes.runUpdates.find(({ run }) => !this.runRows.has(run) && !inserted.has(run));
    return strange === undefined ? null : `run ${strange.run} has no row`;
  }

  #write(writes: PartitionWrites): void {
    const { move } = writes;
    const row = this.partitionRows[move.partition];
    if (row === undefined) throw new Error(`there is no partition ${move.partition}`);
    if (row.position.seq !== move.position.seq) row.takeoversHere = 0;
    row.commitNo += 1;
    row.position = move.position;
    row.engineTime = Math.max(row.engineTime, move.engineTime);
    for (const { run, seq, count, data } of writes.events) {
      const rows = this.eventRows.get(run);
      if (rows === undefined) this.eventRows.set(run, [{ seq, count, data }]);
      else rows.push({ seq, count, data });
    }
    for (const insert of writes.runInserts) this.runRows.set(insert.run, { ...insert, endedAt: null });
    for (const { run, status, endedAt } of writes.runUpdates) {
      const stored = this.runRows.get(run);
      if (stored !== undefined) Object.assign(stored, { status, endedAt });
    }
    for (const wake of writes.wakes) this.wakeRows.set(wake.run, { ...wake, partition: move.partition });
    for (const run of writes.wakeDeletes) this.wakeRows.delete(run);
    for (const { run, seq, state } of writes.checkpoints) this.checkpointRows.set(run, { seq, state });
    for (const result of writes.results) this.resultRows.set(resultKey(result), result);
    for (const signal of writes.signals)
      this.signalRows.set(`${signal.workflowId}/${signal.signal}/${signal.event}`, signal);
    this.quarantineRows.push(...writes.quarantined);
    for (const broken of writes.unrecoverable) this.unrecoverableRows.set(broken.run, broken);
  }

  // ------------------------------------------------------------------------------------------------------ reads

  results(keys: readonly ResultKey[]): readonly StoredResult[] {
    return keys.flatMap((key) => {
      const row = this.resultRows.get(resultKey(key));
      return row === undefined ? [] : [storedResult(row)];
    });
  }

  signals(sent: readonly SentSignal[]): readonly StoredSignal[] {
    const found = new Map<string, StoredSignal>();
    for (const { run, signal, event } of sent) {
      const workflowId = this.runRows.get(run)?.workflowId;
      const identity = this.signalRows.get(`${workflowId}/${signal}/${event}`);
      if (identity !== undefined) found.set(`${run}/${signal}/${event}`, { sentTo: run, identity });
    }
    return [...found.values()];
  }

  workflows(ids: readonly WorkflowId[]): readonly WorkflowRow[] {
    const newest = new Map<WorkflowId, WorkflowRow>();
    for (const { workflowId, run, ordinal, startDigest, version, status } of this.runRows.values()) {
      if (!ids.includes(workflowId) || (newest.get(workflowId)?.ordinal ?? 0) >= ordinal) continue;
      newest.set(workflowId, { workflowId, run, ordinal, startDigest, version, status });
    }
    return [...newest.values()];
  }

  loadRuns(runs: readonly RunId[]): readonly StoredRun[] {
    return runs.flatMap((run) => {
      const row = this.runRows.get(run);
      if (row === undefined) return [];
      const checkpoint = this.checkpointRows.get(run) ?? null;
      const behind = checkpoint?.seq ?? 0;
      const tail = (this.eventRows.get(run) ?? []).filter(({ seq }) => seq > behind);
      return [{ run, partition: row.partition, digest: row.digest, checkpoint, tail }];
    });
  }

  eventsAt(run: RunId, seqs: readonly number[]): readonly StoredEvents[] {
    return (this.eventRows.get(run) ?? []).filter(({ seq, count }) => seqs.some((s) => s >= seq && s < seq + count));
  }

  wakes(partition: number, after: RunId | null, limit: number): readonly WakeRow[] {
    return [...this.wakeRows.values()]
      .filter((row) => row.partition === partition && (after === null || row.run > after))
      .sort((a, b) => (a.run < b.run ? -1 : 1))
      .slice(0, limit)
      .map(({ run, dueAt, kinds }) => ({ run, dueAt, kinds }));
  }

  recentResults(partition: number, since: number): readonly StoredResult[] {
    return [...this.resultRows.values()]
      .filter((row) => row.partition === partition && row.at >= since)
      .sort((a, b) => a.at - b.at)
      .map(storedResult);
  }

  resolveVersion(namespace: string, workflow: string, version: number | null): DefinitionRow | null {
    const found = this.#definitions
      .filter((row) => row.namespace === namespace && row.workflow === workflow)
      .filter((row) => version === null || row.version === version)
      .sort((a, b) => b.version - a.version)[0];
    if (found === undefined) return null;
    const { artifact: _artifact, ...row } = found;
    return row;
  }

  artifact(digest: string): Artifact | null {
    return this.#definitions.find((row) => row.digest === digest)?.artifact ?? null;
  }
}

function storedResult({ partition, principal, commandId, digest, result }: ResultRow): StoredResult {
  return { partition, principal, commandId, digest, result };
}
