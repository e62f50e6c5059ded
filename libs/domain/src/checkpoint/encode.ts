/** Writes a run's state as canonical JSON: equal states have equal texts, however they came about. */
import { byteLength, canonicalize, type Json } from '@graphrun/dsl';
import type { Cell, Leaf, LeafStatus, Run, RunStatus, Scope } from '../state.js';
import {
  CHECKPOINT_FORMAT,
  INLINE_VALUE_BYTES,
  type CellField,
  type StoredCell,
  type StoredLeaf,
  type StoredLeafStatus,
  type StoredRun,
  type StoredRunStatus,
  type StoredScope,
} from './format.js';

export function encodeCheckpoint(run: Run): string {
  const references = new Set<number>();
  const state: Omit<StoredRun, 'references'> = {
    format: CHECKPOINT_FORMAT,
    id: run.id,
    workflowId: run.workflowId,
    ordinal: run.ordinal,
    namespace: run.namespace,
    workflow: run.workflow,
    version: run.version,
    digest: run.digest,
    startKey: run.startKey,
    input: cell(run.input, 'input', references),
    policy: run.policy,
    deadline: run.deadline,
    admittedAt: run.admittedAt,
    status: runStatus(run.status, references),
    endedAt: run.endedAt,
    seq: run.seq,
    updatedAt: run.updatedAt,
    historyBytes: run.historyBytes,
    repeatedStops: [...run.repeatedStops],
    scopes: Array.from(run.scopes.values(), (each) => scope(each, references)),
    leaves: Array.from(run.leaves.values(), (each) => leaf(each, references)),
  };
  const stored: StoredRun = { ...state, references: [...references].sort((a, b) => a - b) };
  // Every member of a stored run is plain JSON; its interfaces only lack the index signature that `Json` asks for.
  return canonicalize(stored as unknown as Json);
}

/** Sequences of the events that `decodeCheckpoint` will ask for, ascending. */
export function checkpointReferences(state: string): number[] {
  return [...(JSON.parse(state) as Pick<StoredRun, 'references'>).references];
}

/** The size is measured on the value's text, which has one length whatever the order of its keys. */
function cell(from: Cell, field: CellField, references: Set<number>): StoredCell {
  if (!isLarge(from.value)) return { seq: from.seq, value: from.value };
  references.add(from.seq);
  return { seq: from.seq, field };
}

function isLarge(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || value === null
    ? false
    : byteLength(JSON.stringify(value)) > INLINE_VALUE_BYTES;
}

function runStatus(status: RunStatus, references: Set<number>): StoredRunStatus {
  return status.kind === 'succeeded'
    ? { kind: 'succeeded', output: cell(status.output, 'output', references) }
    : status;
}

function leafStatus(status: LeafStatus, references: Set<number>): StoredLeafStatus {
  return status.kind === 'succeeded'
    ? { kind: 'succeeded', output: cell(status.output, 'output', references), generation: status.generation }
    : status;
}

function scope(from: Scope, references: Set<number>): StoredScope {
  return {
    id: from.id,
    input: cell(from.input, 'input', references),
    status: from.status,
    next: from.next,
    activations: [...from.activations],
  };
}

function leaf(from: Leaf, references: Set<number>): StoredLeaf {
  return {
    id: from.id,
    scope: from.scope,
    node: from.node,
    input: cell(from.input, 'input', references),
    since: from.since,
    attempts: from.attempts,
    returned: from.returned,
    losses: from.losses,
    last: from.last,
    reported: from.reported,
    late: from.late,
    status: leafStatus(from.status, references),
  };
}
