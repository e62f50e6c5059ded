/**
 * Fetches, in as few queries as possible, what a set of items needs before it can be decided without waiting: stored
 * results of their command ids, runs of their WorkflowIds, identities of signals, versions, and the runs that are not in
 * memory.
 *
 * The queries run beside commits under way. What such a commit writes is in memory until long after it is visible:
 * runs are pinned, results, workflows and signals are in `Recent`. So deciding looks in memory first and here second.
 */
import type { RunId, WorkflowId } from '@graphrun/domain';
import type { ReopenRequest, WireCommand } from '@graphrun/protocol';
import { GraphrunError, readCommand } from '@graphrun/protocol';
import type {
  DefinitionRow,
  EngineStore,
  ResultKey,
  SentSignal,
  SignalIdentityRow,
  StoredResult,
  WorkflowRow,
} from '@graphrun/store';
import { loadRun, UnrecoverableRunError } from '../load.js';
import type { Partition } from '../partition.js';
import type { Programs } from '../programs.js';
import { BrokenArtifactError } from '../programs.js';
import type { Residency } from '../residency.js';
import { Resident } from '../residency.js';
import type { Item } from './item.js';

export type ReadCommand =
  { readonly ok: true; readonly command: WireCommand } | { readonly ok: false; readonly error: GraphrunError };

export function resultKeyText(key: ResultKey): string {
  return `${key.partition}/${key.principal}/${key.commandId}`;
}

export function sentSignalText(sent: SentSignal): string {
  return `${sent.run}/${sent.signal}/${sent.event}`;
}

/** Versions to look up, by `versionKeyText`. */
export type WantedVersions = Map<string, { namespace: string; workflow: string; version: number | null }>;

export function versionKeyText(namespace: string, workflow: string, version: number | null): string {
  return `${namespace}/${workflow}/${version ?? 'latest'}`;
}

export class Preparation {
  readonly commands = new Map<Item, ReadCommand>();
  readonly results = new Map<string, StoredResult>();
  readonly workflows = new Map<WorkflowId, WorkflowRow>();
  /** Identities that signals meet, by `sentSignalText`. */
  readonly signals = new Map<string, SignalIdentityRow>();
  readonly versions = new Map<string, DefinitionRow | null>();
  /** Definitions that are stored but cannot be executed, by digest: what is wrong with them. */
  readonly brokenPrograms = new Map<string, string>();
  readonly unrecoverable = new Map<RunId, UnrecoverableRunError>();
  readonly #pinned: Resident[] = [];

  pin(resident: Resident): void {
    resident.pins += 1;
    this.#pinned.push(resident);
  }

  /** Lets go of the runs once the items are decided. */
  release(): void {
    for (const resident of this.#pinned) resident.pins -= 1;
    this.#pinned.length = 0;
  }
}

export interface Sources {
  readonly store: EngineStore;
  readonly programs: Programs;
  readonly residency: Residency;
  readonly partitions: number;
}

export interface PartitionItem {
  readonly partition: Partition;
  readonly item: Item;
}

/** Throws what the store throws: then nothing was prepared, and the items may be tried again. */
export async function prepare(items: readonly PartitionItem[], sources: Sources): Promise<Preparation> {
  const preparation = new Preparation();
  const wanted = new Set<RunId>();
  const results: ResultKey[] = [];
  const workflows = new Set<WorkflowId>();
  const signals: SentSignal[] = [];
  const versions: WantedVersions = new Map();
  const reopening: ReopenRequest[] = [];
  for (const { partition, item } of items) {
    if (item.kind !== 'logged') {
      wanted.add(item.run);
      continue;
    }
    const read = readLogged(item, sources.partitions);
    preparation.commands.set(item, read);
    if (!read.ok) continue;
    const { command } = read;
    switch (command.kind) {
      case 'start':
        results.push({ partition: partition.id, principal: item.command.principal, commandId: command.id });
        // Without a start key the WorkflowId follows from the command id: what is known of one is known of the other.
        if (command.startKey !== null) workflows.add(command.workflowId);
        versions.set(versionKeyText(command.namespace, command.workflow, command.version), command);
        break;
      case 'claim':
      case 'report':
        wanted.add(command.run);
        break;
      case 'signal':
        signals.push(command);
        results.push({ partition: partition.id, principal: item.command.principal, commandId: command.id });
        wanted.add(command.run);
        break;
      case 'reopen':
        reopening.push(command);
        results.push({ partition: partition.id, principal: item.command.principal, commandId: command.id });
        wanted.add(command.run);
        break;
      default:
        results.push({ partition: partition.id, principal: item.command.principal, commandId: command.id });
        wanted.add(command.run);
        break;
    }
  }
  const loads: RunId[] = [];
  for (const run of wanted) {
    const resident = sources.residency.get(run);
    if (resident === undefined) loads.push(run);
    else preparation.pin(resident);
  }
  try {
    await Promise.all([
      fetchResults(results, preparation, sources),
      fetchWorkflows([...workflows], preparation, sources),
      fetchSignals(signals, preparation, sources),
      fetchVersions(versions, preparation, sources),
      fetchRuns(loads, preparation, sources),
    ]);
    if (reopening.length > 0) await fetchForReopening(reopening, preparation, sources);
  } catch (error) {
    preparation.release();
    throw error;
  }
  return preparation;
}

function readLogged(item: Extract<Item, { kind: 'logged' }>, partitions: number): ReadCommand {
  const { data, role, kind, partition } = item.command;
  try {
    return { ok: true, command: readCommand(data, { role, kind, partition, partitions }) };
  } catch (error) {
    if (error instanceof GraphrunError) return { ok: false, error };
    throw error;
  }
}

async function fetchResults(keys: readonly ResultKey[], into: Preparation, sources: Sources): Promise<void> {
  if (keys.length === 0) return;
  for (const stored of await sources.store.results(keys)) into.results.set(resultKeyText(stored), stored);
}

async function fetchWorkflows(ids: readonly WorkflowId[], into: Preparation, sources: Sources): Promise<void> {
  if (ids.length === 0) return;
  for (const row of await sources.store.workflows(ids)) into.workflows.set(row.workflowId, row);
}

async function fetchSignals(sent: readonly SentSignal[], into: Preparation, sources: Sources): Promise<void> {
  if (sent.length === 0) return;
  for (const { sentTo, identity } of await sources.store.signals(sent)) {
    into.signals.set(sentSignalText({ ...identity, run: sentTo }), identity);
  }
}

async function fetchVersions(versions: WantedVersions, into: Preparation, sources: Sources): Promise<void> {
  await Promise.all(
    [...versions].map(async ([key, { namespace, workflow, version }]) => {
      const row = await sources.store.resolveVersion(namespace, workflow, version);
      into.versions.set(key, row);
      if (row === null) return;
      try {
        await sources.programs.fetch(row.digest);
      } catch (error) {
        if (!(error instanceof BrokenArtifactError)) throw error;
        into.brokenPrograms.set(row.digest, error.message);
      }
    }),
  );
}

/** The runs are in memory by now, if they can be read at all: what else they need follows from them. */
async function fetchForReopening(
  reopening: readonly ReopenRequest[],
  into: Preparation,
  sources: Sources,
): Promise<void> {
  const workflows = new Set<WorkflowId>();
  const versions: WantedVersions = new Map();
  for (const request of reopening) {
    const run = sources.residency.get(request.run)?.run;
    if (run === undefined) continue;
    workflows.add(run.workflowId);
    const { namespace, workflow } = run;
    const { version } = request;
    if (version !== null) versions.set(versionKeyText(namespace, workflow, version), { namespace, workflow, version });
  }
  await Promise.all([fetchWorkflows([...workflows], into, sources), fetchVersions(versions, into, sources)]);
}

async function fetchRuns(runs: readonly RunId[], into: Preparation, sources: Sources): Promise<void> {
  if (runs.length === 0) return;
  const { store, programs, residency } = sources;
  const source = {
    program: (digest: string) => programs.fetch(digest),
    eventsAt: (run: RunId, seqs: readonly number[]) => store.eventsAt(run, seqs),
  };
  for (const stored of await store.loadRuns(runs)) {
    try {
      const run = await loadRun(stored, source);
      const checkpointSeq = stored.checkpoint === null ? 0 : stored.checkpoint.seq;
      into.pin(residency.insert(new Resident(run, stored.partition, checkpointSeq, null)));
    } catch (error) {
      if (!(error instanceof UnrecoverableRunError)) throw error;
      into.unrecoverable.set(stored.run, error);
    }
  }
}
