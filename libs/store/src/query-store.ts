import type { RunId } from '@graphrun/domain';
import type { Artifact } from '@graphrun/dsl';
import { isRunId } from '@graphrun/protocol';
import { Catalog } from './catalog.js';
import { CommandResults } from './command-results.js';
import type {
  CatalogEntries,
  DefinitionRow,
  Page,
  PartitionRow,
  QuarantineRow,
  QueryStore,
  ResultKey,
  RunFilter,
  RunRow,
  RunRowStatus,
  StoredResult,
  StoredRun,
  UnrecoverableRow,
  WrittenDefinition,
} from './contract.js';
import { Definitions } from './definitions.js';
import { Incidents } from './incidents.js';
import { partitionRow, type RawPartition } from './partition-rows.js';
import type { Reader } from './reader.js';
import { RunHistory, type StoredEvents } from './run-history.js';
import { RunList } from './run-list.js';

/** The API's view of the store. A text that is no run id is answered like the id of a run that is not there. */
export class SqlQueryStore implements QueryStore {
  private readonly runs: RunList;
  private readonly history: RunHistory;
  private readonly commandResults: CommandResults;
  private readonly incidents: Incidents;
  private readonly entries: Catalog;
  private readonly published: Definitions;

  constructor(private readonly reader: Reader) {
    this.runs = new RunList(reader);
    this.history = new RunHistory(reader);
    this.commandResults = new CommandResults(reader);
    this.incidents = new Incidents(reader);
    this.entries = new Catalog(reader);
    this.published = new Definitions(reader);
  }

  run(run: RunId): Promise<RunRow | null> {
    return this.runs.find(run);
  }

  listRuns(filter: RunFilter, limit: number, cursor: string | null): Promise<Page<RunRow>> {
    return this.runs.page(filter, limit, cursor);
  }

  countRuns(filter: RunFilter): Promise<Readonly<Record<RunRowStatus, number>>> {
    return this.runs.count(filter);
  }

  loadRuns(runs: readonly RunId[]): Promise<readonly StoredRun[]> {
    return this.history.loadRuns(runs.filter(isRunId));
  }

  async eventsAt(run: RunId, seqs: readonly number[]): Promise<readonly StoredEvents[]> {
    return isRunId(run) ? this.history.eventsAt(run, seqs) : [];
  }

  async events(run: RunId, fromSeq: number, limit: number): Promise<readonly StoredEvents[]> {
    return isRunId(run) ? this.history.events(run, fromSeq, limit) : [];
  }

  async result(key: ResultKey): Promise<StoredResult | null> {
    const [found] = await this.commandResults.find([key]);
    return found ?? null;
  }

  async partitions(): Promise<readonly PartitionRow[]> {
    const rows = await this.reader.rows<RawPartition>('SELECT * FROM graphrun.partition ORDER BY partition');
    return rows.map(partitionRow);
  }

  quarantine(limit: number): Promise<readonly (QuarantineRow & { readonly id: number })[]> {
    return this.incidents.quarantine(limit);
  }

  unrecoverable(limit: number): Promise<readonly UnrecoverableRow[]> {
    return this.incidents.unrecoverable(limit);
  }

  publishCatalog(namespace: string, entries: CatalogEntries): Promise<void> {
    return this.entries.publish(namespace, entries);
  }

  catalog(namespace: string): Promise<CatalogEntries> {
    return this.entries.entries(namespace);
  }

  publishDefinition(namespace: string, artifact: Artifact, written?: WrittenDefinition): Promise<DefinitionRow> {
    return this.published.publish(namespace, artifact, written);
  }

  writtenDefinition(namespace: string, workflow: string, version: number): Promise<WrittenDefinition | null> {
    return this.published.written(namespace, workflow, version);
  }

  definitions(namespace: string, workflow?: string): Promise<readonly DefinitionRow[]> {
    return this.published.list(namespace, workflow);
  }

  resolveVersion(namespace: string, workflow: string, version: number | null): Promise<DefinitionRow | null> {
    return this.published.resolve(namespace, workflow, version);
  }

  artifact(digest: string): Promise<Artifact | null> {
    return this.published.artifact(digest);
  }
}
