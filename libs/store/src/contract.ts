/**
 * What the engine and the API ask of PostgreSQL. `libs/store` implements it once, over TypeORM, for a PostgreSQL
 * server and for PGlite alike.
 *
 * The one write path (spec 04 "The guard"): `apply` is a single statement, the call of the function
 * `graphrun.apply_v2`, so guard, writes and COMMIT leave in one round trip and PostgreSQL itself rolls everything back
 * when the guard does not match. An owner cannot be frozen between its guard and its commit.
 */
import type { CommandId, RunId, SignalEventId, WorkflowId } from '@graphrun/domain';
import type { Annotations, Artifact, Contract, Json, Reconciler } from '@graphrun/dsl';

// -------------------------------------------------------------------------------------------------- partitions

export interface LogPositionRow {
  /** Sequence of the last applied message, 0 when none. */
  readonly seq: number;
  readonly messageId: string;
  /** Time of that message in the log, UTC ms. */
  readonly timestamp: number;
}

export interface PartitionRow {
  readonly partition: number;
  /** Raised by each takeover: the fencing token. */
  readonly epoch: number;
  /** Raised when the log turns out to be another one than recorded. */
  readonly incarnation: number;
  /** Raised by one with each commit. */
  readonly commitNo: number;
  readonly position: LogPositionRow;
  /** Watermark of engine time, UTC ms. */
  readonly engineTime: number;
  readonly owner: string | null;
  readonly backendPid: number | null;
  /** UTC ms by PostgreSQL's clock. */
  readonly leaseUntil: number;
  /** Takeovers in a row that found the same position: after three, commands are applied singly. */
  readonly takeoversHere: number;
  /**
   * The command that was begun last while commands were applied singly, and how often. Behind the position it is done;
   * before it, its owner died while it was being applied.
   */
  readonly started: { readonly seq: number; readonly times: number };
  /** Stopped by an operator. */
  readonly paused: boolean;
}

/** Moves a partition's row forward, if it is still as the owner believes. */
export interface PartitionMove {
  readonly partition: number;
  readonly epoch: number;
  readonly incarnation: number;
  /** The number before this commit. */
  readonly commitNo: number;
  readonly position: LogPositionRow;
  readonly engineTime: number;
}

// ------------------------------------------------------------------------------------------------------- writes

/** The events of one run in one commit, as one row: `data` is a JSON array of `RunEvent`s from `seq` to `seq + count - 1`. */
export interface EventRow {
  readonly run: RunId;
  readonly seq: number;
  readonly count: number;
  readonly at: number;
  readonly data: string;
}

export type RunRowStatus =
  'active' | 'stopping' | 'blocked' | 'succeeded' | 'failed' | 'cancelled' | 'continued' | 'terminated';

/** Written once, at admission. */
export interface RunInsert {
  readonly run: RunId;
  readonly workflowId: WorkflowId;
  readonly ordinal: number;
  readonly partition: number;
  readonly namespace: string;
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  readonly startKey: string | null;
  /** Digest of the input and the version asked for: what an equal start key must agree with. */
  readonly startDigest: string;
  readonly status: RunRowStatus;
  readonly createdAt: number;
}

/** Written when the status changes, not with each command. */
export interface RunStatusUpdate {
  readonly run: RunId;
  readonly status: RunRowStatus;
  /** UTC ms, null while it goes on. */
  readonly endedAt: number | null;
}

/**
 * Why a run that has not ended will go on: one row for each, the index that recovery starts from. `kinds` is a set
 * of letters: `r` ready leaf, `c` claim, `t` timer, `p` progress due, `w` wait for a signal, `o` operator (blocked), `h` held
 * (paused). The first four are work for the owner; who only has others is waited for by somebody outside.
 */
export interface WakeRow {
  readonly run: RunId;
  /** Earliest deadline, UTC ms, null when there is none. */
  readonly dueAt: number | null;
  readonly kinds: string;
}

export interface CheckpointRow {
  readonly run: RunId;
  /** The checkpoint holds the state after this event. */
  readonly seq: number;
  readonly state: string;
}

export interface ResultKey {
  readonly partition: number;
  readonly principal: string;
  readonly commandId: CommandId;
}

export interface ResultRow extends ResultKey {
  /** Digest of the request as sent. */
  readonly digest: string;
  /** JSON text of the answer: a `CommandResult` and the inbox that it was for, `{to, result}`. */
  readonly result: string;
  readonly at: number;
}

/** What makes two signals the same one, in all runs of a workflow (spec 02 "Signals"). */
export interface SignalIdentityKey {
  readonly workflowId: WorkflowId;
  readonly signal: string;
  readonly event: SignalEventId;
}

/** A signal that was accepted: by which run, so that its repeat gets the first receipt. */
export interface SignalIdentityRow extends SignalIdentityKey {
  /** Digest of key and payload: what an equal signal must agree with. */
  readonly digest: string;
  readonly run: RunId;
  /** Version of the run's definition. */
  readonly version: number;
  /** Engine time of its acceptance. */
  readonly at: number;
}

export interface QuarantineRow {
  readonly partition: number;
  readonly incarnation: number;
  readonly seq: number;
  readonly run: RunId | null;
  readonly kind: string;
  readonly principal: string;
  /** The command as logged. */
  readonly data: string;
  readonly error: string;
  readonly at: number;
}

export interface UnrecoverableRow {
  readonly run: RunId;
  readonly partition: number;
  readonly reason: string;
  readonly since: number;
  readonly attempts: number;
}

/** All that one commit writes for one partition. */
export interface PartitionWrites {
  readonly move: PartitionMove;
  readonly events: readonly EventRow[];
  readonly runInserts: readonly RunInsert[];
  readonly runUpdates: readonly RunStatusUpdate[];
  readonly wakes: readonly WakeRow[];
  readonly wakeDeletes: readonly RunId[];
  readonly checkpoints: readonly CheckpointRow[];
  readonly results: readonly ResultRow[];
  readonly signals: readonly SignalIdentityRow[];
  readonly quarantined: readonly QuarantineRow[];
  readonly unrecoverable: readonly UnrecoverableRow[];
}

export type ApplyOutcome =
  | { readonly kind: 'committed' }
  /** At least one partition row was not as expected, or the proposed time is over PostgreSQL's clock + 2 s. Nothing was written. */
  | { readonly kind: 'guard_missed'; readonly reason: 'row' | 'clock' }
  /** SQLSTATE class 22, 23 or 54: what was to be written is wrong. Nothing was written. */
  | { readonly kind: 'data_error'; readonly sqlstate: string; readonly message: string }
  /** The connection failed or the error says nothing of the transaction: it may have been committed. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

// -------------------------------------------------------------------------------------------------------- reads

export interface StoredResult extends ResultKey {
  readonly digest: string;
  readonly result: string;
}

/** A signal as it is sent: to a run, whose workflow its identity belongs to. */
export interface SentSignal {
  readonly run: RunId;
  readonly signal: string;
  readonly event: SignalEventId;
}

/** The identity that a signal meets. */
export interface StoredSignal {
  readonly sentTo: RunId;
  readonly identity: SignalIdentityRow;
}

/** The newest run of a WorkflowId. */
export interface WorkflowRow {
  readonly workflowId: WorkflowId;
  readonly run: RunId;
  readonly ordinal: number;
  readonly startDigest: string;
  readonly version: number;
  readonly status: RunRowStatus;
}

/** What is needed to build a run: the newest checkpoint and the event rows behind it. */
export interface StoredRun {
  readonly run: RunId;
  readonly partition: number;
  readonly digest: string;
  readonly checkpoint: { readonly seq: number; readonly state: string } | null;
  /** Event rows behind the checkpoint, in order. */
  readonly tail: readonly { readonly seq: number; readonly count: number; readonly data: string }[];
}

export interface RunRow {
  readonly run: RunId;
  readonly workflowId: WorkflowId;
  readonly ordinal: number;
  readonly partition: number;
  readonly namespace: string;
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  readonly startKey: string | null;
  readonly status: RunRowStatus;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export interface RunFilter {
  readonly namespace: string;
  readonly workflow?: string;
  readonly version?: number;
  readonly status?: readonly RunRowStatus[];
  readonly startKey?: string;
  readonly createdAfter?: number;
  readonly createdBefore?: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Pass it to get the next page; null at the end. */
  readonly cursor: string | null;
}

export interface DefinitionRow {
  readonly namespace: string;
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  readonly publishedAt: number;
}

/** What people wrote: kept for people, never executed, outside the digest. */
export interface WrittenDefinition {
  /** The document as it was published; null when an artifact was. */
  readonly source: string | null;
  /** Its descriptions and labels; null when an artifact was published. */
  readonly annotations: Annotations | null;
}

/** What is published in a namespace beside definitions. */
export interface CatalogEntries {
  /** JSON Schemas by `name/vN`. */
  readonly schemas: Readonly<Record<string, Json>>;
  readonly contracts: readonly Contract[];
  readonly reconcilers: readonly Reconciler[];
}

/** What the owner of partitions needs. */
export interface EngineStore {
  /** Makes sure that rows for partitions 0 to count-1 exist. Throws `FailedPrecondition` when another count is recorded. */
  initPartitions(count: number): Promise<void>;
  partitions(): Promise<readonly PartitionRow[]>;
  /**
   * Bumps the epoch if it is still `expectedEpoch`, records owner and backend, and returns the new row; null when
   * somebody else was faster. `resetLog` begins a new incarnation at position 0.
   */
  takeOver(partition: number, owner: string, expectedEpoch: number, leaseMs: number): Promise<PartitionRow | null>;
  /** Begins a new incarnation at position 0, guarded by epoch; null when fenced. */
  resetLog(partition: number, epoch: number): Promise<PartitionRow | null>;
  /** Extends the leases that are still `owner`'s and returns their partitions and PostgreSQL's clock. */
  renewLeases(
    owner: string,
    held: readonly { partition: number; epoch: number }[],
    leaseMs: number,
  ): Promise<{ readonly held: readonly number[]; readonly clockMs: number }>;
  /** Notes that a command is about to be applied alone. False when the epoch has moved on. */
  markStarted(partition: number, epoch: number, seq: number): Promise<boolean>;
  release(partition: number, epoch: number): Promise<void>;
  /** PostgreSQL's clock, UTC ms. */
  clock(): Promise<number>;

  apply(writes: readonly PartitionWrites[]): Promise<ApplyOutcome>;

  results(keys: readonly ResultKey[]): Promise<readonly StoredResult[]>;
  /** Identities that these signals meet, however old. Signals without one are left out. */
  signals(sent: readonly SentSignal[]): Promise<readonly StoredSignal[]>;
  workflows(ids: readonly WorkflowId[]): Promise<readonly WorkflowRow[]>;
  loadRuns(runs: readonly RunId[]): Promise<readonly StoredRun[]>;
  /** Event rows that hold the given sequences, for checkpoint references to large values. */
  eventsAt(run: RunId, seqs: readonly number[]): Promise<readonly { seq: number; count: number; data: string }[]>;
  /** Wake rows of a partition, by run id, from behind `after`. */
  wakes(partition: number, after: RunId | null, limit: number): Promise<readonly WakeRow[]>;
  /** Results written since `since` (UTC ms), to answer again after a takeover. */
  recentResults(partition: number, since: number): Promise<readonly StoredResult[]>;

  resolveVersion(namespace: string, workflow: string, version: number | null): Promise<DefinitionRow | null>;
  artifact(digest: string): Promise<Artifact | null>;
}

/** What the API reads and publishes. */
export interface QueryStore {
  run(run: RunId): Promise<RunRow | null>;
  listRuns(filter: RunFilter, limit: number, cursor: string | null): Promise<Page<RunRow>>;
  countRuns(filter: RunFilter): Promise<Readonly<Record<RunRowStatus, number>>>;
  loadRuns(runs: readonly RunId[]): Promise<readonly StoredRun[]>;
  eventsAt(run: RunId, seqs: readonly number[]): Promise<readonly { seq: number; count: number; data: string }[]>;
  /** Event rows of a run from `fromSeq` on. */
  events(run: RunId, fromSeq: number, limit: number): Promise<readonly { seq: number; count: number; data: string }[]>;
  result(key: ResultKey): Promise<StoredResult | null>;
  partitions(): Promise<readonly PartitionRow[]>;
  quarantine(limit: number): Promise<readonly (QuarantineRow & { readonly id: number })[]>;
  unrecoverable(limit: number): Promise<readonly UnrecoverableRow[]>;

  /**
   * Publishes schemas, contracts and reconcilers. Immutable by name and version: an equal repeat is a no-op, different
   * content throws `AlreadyExists` naming it. All or nothing.
   */
  publishCatalog(namespace: string, entries: CatalogEntries): Promise<void>;
  /** In the order of names and versions. */
  catalog(namespace: string): Promise<CatalogEntries>;
  /**
   * Immutable and idempotent: the same digest is a no-op, another one under the version throws `AlreadyExists`. What
   * was written is kept with the first publication of a version.
   */
  publishDefinition(namespace: string, artifact: Artifact, written?: WrittenDefinition): Promise<DefinitionRow>;
  /** What was written of a published version; null when there is no such version. */
  writtenDefinition(namespace: string, workflow: string, version: number): Promise<WrittenDefinition | null>;
  definitions(namespace: string, workflow?: string): Promise<readonly DefinitionRow[]>;
  resolveVersion(namespace: string, workflow: string, version: number | null): Promise<DefinitionRow | null>;
  artifact(digest: string): Promise<Artifact | null>;
}
