import type { RunId, WorkflowId } from '@graphrun/domain';
import type { Artifact } from '@graphrun/dsl';
import type { ApplySession } from './apply/apply-session.js';
import { apply } from './apply/apply.js';
import { CommandResults } from './command-results.js';
import type {
  ApplyOutcome,
  DefinitionRow,
  EngineStore,
  PartitionRow,
  PartitionWrites,
  ResultKey,
  SentSignal,
  StoredResult,
  StoredRun,
  StoredSignal,
  WakeRow,
  WorkflowRow,
} from './contract.js';
import { Definitions } from './definitions.js';
import { Ownership } from './ownership.js';
import type { Reader } from './reader.js';
import { RunHistory, type StoredEvents } from './run-history.js';
import { SignalIdentities } from './signal-identities.js';
import { WorkflowIndex } from './workflow-index.js';

/** The owner's view of the store: each part is a file of its own, this is the agreed surface over them. */
export class SqlEngineStore implements EngineStore {
  private readonly ownership: Ownership;
  private readonly commandResults: CommandResults;
  private readonly signalIdentities: SignalIdentities;
  private readonly workflowIndex: WorkflowIndex;
  private readonly history: RunHistory;
  private readonly definitions: Definitions;

  constructor(
    reader: Reader,
    private readonly session: ApplySession,
  ) {
    this.ownership = new Ownership(reader, session);
    this.commandResults = new CommandResults(reader);
    this.signalIdentities = new SignalIdentities(reader);
    this.workflowIndex = new WorkflowIndex(reader);
    this.history = new RunHistory(reader);
    this.definitions = new Definitions(reader);
  }

  initPartitions(count: number): Promise<void> {
    return this.ownership.initPartitions(count);
  }

  partitions(): Promise<readonly PartitionRow[]> {
    return this.ownership.partitions();
  }

  takeOver(partition: number, owner: string, expectedEpoch: number, leaseMs: number): Promise<PartitionRow | null> {
    return this.ownership.takeOver(partition, owner, expectedEpoch, leaseMs);
  }

  resetLog(partition: number, epoch: number): Promise<PartitionRow | null> {
    return this.ownership.resetLog(partition, epoch);
  }

  renewLeases(
    owner: string,
    held: readonly { partition: number; epoch: number }[],
    leaseMs: number,
  ): Promise<{ readonly held: readonly number[]; readonly clockMs: number }> {
    return this.ownership.renewLeases(owner, held, leaseMs);
  }

  markStarted(partition: number, epoch: number, seq: number): Promise<boolean> {
    return this.ownership.markStarted(partition, epoch, seq);
  }

  release(partition: number, epoch: number): Promise<void> {
    return this.ownership.release(partition, epoch);
  }

  clock(): Promise<number> {
    return this.ownership.clock();
  }

  apply(writes: readonly PartitionWrites[]): Promise<ApplyOutcome> {
    return apply(this.session, writes);
  }

  results(keys: readonly ResultKey[]): Promise<readonly StoredResult[]> {
    return this.commandResults.find(keys);
  }

  signals(sent: readonly SentSignal[]): Promise<readonly StoredSignal[]> {
    return this.signalIdentities.find(sent);
  }

  workflows(ids: readonly WorkflowId[]): Promise<readonly WorkflowRow[]> {
    return this.workflowIndex.newest(ids);
  }

  loadRuns(runs: readonly RunId[]): Promise<readonly StoredRun[]> {
    return this.history.loadRuns(runs);
  }

  eventsAt(run: RunId, seqs: readonly number[]): Promise<readonly StoredEvents[]> {
    return this.history.eventsAt(run, seqs);
  }

  wakes(partition: number, after: RunId | null, limit: number): Promise<readonly WakeRow[]> {
    return this.workflowIndex.wakes(partition, after, limit);
  }

  recentResults(partition: number, since: number): Promise<readonly StoredResult[]> {
    return this.commandResults.since(partition, since);
  }

  resolveVersion(namespace: string, workflow: string, version: number | null): Promise<DefinitionRow | null> {
    return this.definitions.resolve(namespace, workflow, version);
  }

  artifact(digest: string): Promise<Artifact | null> {
    return this.definitions.artifact(digest);
  }
}
