/** Reads a run's state back, with the values it refers to taken from their events. */
import type { Json } from '@graphrun/dsl';
import { composed } from '../cell.js';
import { CheckpointError } from '../errors.js';
import type { RunEvent } from '../events.js';
import { programIn, type ProgramSource } from '../program-source.js';
import type {
  Cell,
  Container,
  ContainerWork,
  InboxEntry,
  Leaf,
  LeafStatus,
  Obligation,
  Run,
  RunStatus,
  Scope,
} from '../state.js';
import { isSettled } from '../status.js';
import {
  CHECKPOINT_FORMAT,
  type StoredCell,
  type StoredContainer,
  type StoredLeaf,
  type StoredLeafStatus,
  type StoredRun,
  type StoredRunStatus,
  type StoredScope,
  type StoredWork,
} from './format.js';

/**
 * `eventAt` gives the event of a sequence that `checkpointReferences` named.
 *
 * @throws CheckpointError when the text is of another format or program, or refers to what is not there. The run can
 * then still be reconstructed from its events.
 */
export function decodeCheckpoint(programs: ProgramSource, state: string, eventAt: (seq: number) => RunEvent): Run {
  const stored = parse(state);
  const program = programIn(programs, stored.digest);
  if (program === undefined)
    throw new CheckpointError(`run ${stored.id} is pinned to artifact ${stored.digest}, which was not given`);
  const open: Open = (cell) => openCell(cell, eventAt);
  const leaves = stored.leaves.map((each) => readLeaf(each, open));
  return {
    id: stored.id,
    workflowId: stored.workflowId,
    ordinal: stored.ordinal,
    namespace: stored.namespace,
    workflow: stored.workflow,
    version: stored.version,
    digest: stored.digest,
    startKey: stored.startKey,
    input: open(stored.input),
    policy: stored.policy,
    deadline: stored.deadline,
    admittedAt: stored.admittedAt,
    program,
    status: readRunStatus(stored.status, open),
    paused: stored.paused,
    endedAt: stored.endedAt,
    seq: stored.seq,
    updatedAt: stored.updatedAt,
    historyBytes: stored.historyBytes,
    scopeCount: stored.scopeCount,
    activationCount: stored.activationCount,
    waitCount: stored.waitCount,
    scopes: new Map(stored.scopes.map((each) => [each.id, readScope(each, open)])),
    leaves: new Map(leaves.map((leaf) => [leaf.id, leaf])),
    containers: new Map(stored.containers.map((each) => [each.id, readContainer(each, open)])),
    waits: new Map(stored.waits.map((wait) => [wait.id, { ...wait }])),
    inbox: new Map(
      stored.inbox.map((each): [InboxEntry['id'], InboxEntry] => [each.id, { ...each, payload: open(each.payload) }]),
    ),
    obligations: new Map(
      stored.obligations.map((each): [Obligation['forward'], Obligation] => [
        each.forward,
        { ...each, input: openOrNull(each.input, open) },
      ]),
    ),
    open: new Set(leaves.filter((leaf) => !isSettled(leaf.status)).map((leaf) => leaf.id)),
    pending: new Set(stored.waits.filter((wait) => wait.status.kind === 'pending').map((wait) => wait.id)),
    recent: stored.recent.map((each) => readLeaf(each, open)),
    repeatedStops: new Set(stored.repeatedStops),
  };
}

function parse(state: string): StoredRun {
  let stored: StoredRun;
  try {
    stored = JSON.parse(state) as StoredRun;
  } catch (cause) {
    throw new CheckpointError('a checkpoint is not JSON', { cause });
  }
  const { format } = stored as { readonly format?: string };
  if (format !== CHECKPOINT_FORMAT) {
    throw new CheckpointError(`a checkpoint has format ${format ?? 'none'}; this engine reads ${CHECKPOINT_FORMAT}`);
  }
  return stored;
}

type Open = (cell: StoredCell) => Cell;

function openCell(cell: StoredCell, eventAt: (seq: number) => RunEvent): Cell {
  if ('parts' in cell) return composed(cell.parts.map((part) => openCell(part, eventAt)));
  const { seq, at } = cell;
  if (cell.value !== undefined) return { value: cell.value, seq, at };
  // Bodies of events are plain JSON; their interfaces lack the index signature.
  const value = valueAt(eventAt(seq).body as unknown as Json, at);
  if (value === undefined)
    throw new CheckpointError(`a checkpoint refers to ${at} of event ${seq}, which is not there`);
  return { value, seq, at };
}

/** Places of cells are members and indices of the engine's own events: nothing in them needs escaping. */
function valueAt(body: Json, at: string): Json | undefined {
  let value: Json | undefined = body;
  for (const token of at.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Array.isArray(value)
      ? (value as readonly Json[])[Number(token)]
      : (value as Readonly<Record<string, Json>>)[token];
  }
  return value;
}

function openOrNull(cell: StoredCell | null, open: Open): Cell | null {
  return cell === null ? null : open(cell);
}

function readRunStatus(status: StoredRunStatus, open: Open): RunStatus {
  return status.kind === 'succeeded' ? { kind: 'succeeded', output: open(status.output) } : status;
}

function readScope(stored: StoredScope, open: Open): Scope {
  const { loop, item } = stored;
  return {
    id: stored.id,
    owner: stored.owner,
    region: stored.region,
    input: open(stored.input),
    frame: {
      loop: loop === null ? null : { state: open(loop.state), index: loop.index },
      item: item === null ? null : { value: open(item.value), index: item.index },
    },
    status: stored.status,
    next: stored.next,
    current: stored.current,
    outputs: new Map(stored.outputs.map(([node, cell]) => [node, open(cell)])),
    errors: new Map(stored.errors),
    activations: new Set(stored.activations),
    waits: new Set(stored.waits),
  };
}

function readContainer(stored: StoredContainer, open: Open): Container {
  const { bodies, work, ...rest } = stored;
  return { ...rest, work: readWork(work, open), bodies: new Set(bodies) };
}

function readWork(work: StoredWork, open: Open): ContainerWork {
  const results = (stored: readonly (readonly [number, StoredCell])[]): Map<number, Cell> =>
    new Map(stored.map(([index, cell]) => [index, open(cell)]));
  switch (work.kind) {
    case 'choose':
      return { ...work, input: open(work.input), result: openOrNull(work.result, open) };
    case 'loop':
      return { ...work, carry: open(work.carry) };
    case 'foreach':
      return { ...work, items: open(work.items), results: results(work.results) };
    case 'parallel':
      return { ...work, inputs: work.inputs.map(open), results: results(work.results) };
    case 'saga':
      return {
        ...work,
        input: open(work.input),
        obligations: [...work.obligations],
        result: openOrNull(work.result, open),
      };
  }
}

function readLeaf(stored: StoredLeaf, open: Open): Leaf {
  return { ...stored, input: open(stored.input), status: readLeafStatus(stored.status, open) };
}

function readLeafStatus(status: StoredLeafStatus, open: Open): LeafStatus {
  if (status.kind !== 'succeeded') return status;
  return { kind: 'succeeded', output: open(status.output), generation: status.generation };
}
