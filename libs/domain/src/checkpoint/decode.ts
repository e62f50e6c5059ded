/** Reads a run's state back, with the values it refers to taken from their events. */
import type { Json, Program } from '@graphrun/dsl';
import { CheckpointError } from '../errors.js';
import type { RunEvent } from '../events.js';
import type { Cell, Leaf, LeafStatus, Run, RunStatus, Scope } from '../state.js';
import { isSettled } from '../status.js';
import { nextTransition } from '../transitions.js';
import {
  CHECKPOINT_FORMAT,
  type CellField,
  type StoredCell,
  type StoredLeaf,
  type StoredLeafStatus,
  type StoredRun,
  type StoredRunStatus,
  type StoredScope,
} from './format.js';

/**
 * `eventAt` gives the event of a sequence that `checkpointReferences` named.
 *
 * @throws CheckpointError when the text is of another format or program, or refers to what is not there. The run can
 * then still be reconstructed from its events.
 */
export function decodeCheckpoint(program: Program, state: string, eventAt: (seq: number) => RunEvent): Run {
  const stored = parse(state);
  if (stored.digest !== program.digest) {
    throw new CheckpointError(
      `run ${stored.id} is pinned to artifact ${stored.digest}, but was given ${program.digest}`,
    );
  }
  const open = (cell: StoredCell) => openCell(cell, eventAt);
  const leaves = stored.leaves.map((each) => readLeaf(each, open));
  const run: Run = {
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
    endedAt: stored.endedAt,
    seq: stored.seq,
    updatedAt: stored.updatedAt,
    historyBytes: stored.historyBytes,
    scopes: new Map(stored.scopes.map((each) => [each.id, readScope(each, open)])),
    leaves: new Map(leaves.map((leaf) => [leaf.id, leaf])),
    open: new Set(leaves.filter((leaf) => !isSettled(leaf.status)).map((leaf) => leaf.id)),
    repeatedStops: new Set(stored.repeatedStops),
    progressDue: false,
  };
  run.progressDue = nextTransition(run) !== null;
  return run;
}

type OpenCell = (cell: StoredCell) => Cell;

function parse(state: string): StoredRun {
  let stored: Partial<StoredRun>;
  try {
    stored = JSON.parse(state) as Partial<StoredRun>;
  } catch (cause) {
    throw new CheckpointError('the checkpoint is not JSON', { cause });
  }
  if (stored.format !== CHECKPOINT_FORMAT) {
    throw new CheckpointError(
      `the checkpoint has format ${String(stored.format)}, this engine reads ${CHECKPOINT_FORMAT}`,
    );
  }
  // The format names the shape; checkpoints are written by `encodeCheckpoint` only.
  return stored as StoredRun;
}

function openCell(cell: StoredCell, eventAt: (seq: number) => RunEvent): Cell {
  if ('value' in cell) return { value: cell.value, seq: cell.seq };
  const event = eventAt(cell.seq);
  const value = valueOf(event, cell.field);
  if (value === undefined) {
    throw new CheckpointError(
      `event ${cell.seq} (${event.body.kind}) has no ${cell.field}, which the checkpoint refers to`,
    );
  }
  return { value, seq: cell.seq };
}

function valueOf(event: RunEvent, field: CellField): Json | undefined {
  const body = event.body as { readonly input?: Json; readonly output?: Json };
  return body[field];
}

function readRunStatus(status: StoredRunStatus, open: OpenCell): RunStatus {
  return status.kind === 'succeeded' ? { kind: 'succeeded', output: open(status.output) } : status;
}

function readLeafStatus(status: StoredLeafStatus, open: OpenCell): LeafStatus {
  return status.kind === 'succeeded'
    ? { kind: 'succeeded', output: open(status.output), generation: status.generation }
    : status;
}

function readScope(stored: StoredScope, open: OpenCell): Scope {
  return {
    id: stored.id,
    input: open(stored.input),
    status: stored.status,
    next: stored.next,
    activations: new Map(stored.activations),
  };
}

function readLeaf(stored: StoredLeaf, open: OpenCell): Leaf {
  return {
    id: stored.id,
    scope: stored.scope,
    node: stored.node,
    input: open(stored.input),
    since: stored.since,
    attempts: stored.attempts,
    returned: stored.returned,
    losses: stored.losses,
    last: stored.last,
    reported: stored.reported,
    late: stored.late,
    status: readLeafStatus(stored.status, open),
  };
}
