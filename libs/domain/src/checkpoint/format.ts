/**
 * The stored form of a run's state. A value over 1 KiB stands once in the history, in the event that brought it; the
 * checkpoint refers to it by sequence and field (spec 04 "Data model"), so that a run with large values does not store
 * them again with every checkpoint.
 */
import type { Json } from '@graphrun/dsl';
import type { RunPolicy, StopIntent } from '../events.js';
import type { ActivationId, RunId, ScopeId, WorkflowId } from '../ids.js';
import type { Claim, Reported, RunStatus, LeafStatus, ScopeStatus } from '../state.js';

export const CHECKPOINT_FORMAT = 'graphrun.checkpoint/v1';

/** Canonical bytes from which on a value is referred to. */
export const INLINE_VALUE_BYTES = 1024;

/** The field of an event that holds the value. */
export type CellField = 'input' | 'output';

export type StoredCell =
  { readonly seq: number; readonly value: Json } | { readonly seq: number; readonly field: CellField };

export type StoredRunStatus =
  Exclude<RunStatus, { readonly kind: 'succeeded' }> | { readonly kind: 'succeeded'; readonly output: StoredCell };

export type StoredLeafStatus =
  | Exclude<LeafStatus, { readonly kind: 'succeeded' }>
  | { readonly kind: 'succeeded'; readonly output: StoredCell; readonly generation: number };

export interface StoredScope {
  readonly id: ScopeId;
  readonly input: StoredCell;
  readonly status: ScopeStatus;
  readonly next: string | null;
  readonly activations: readonly (readonly [string, ActivationId])[];
}

export interface StoredLeaf {
  readonly id: ActivationId;
  readonly scope: ScopeId;
  readonly node: string;
  readonly input: StoredCell;
  readonly since: number;
  readonly attempts: number;
  readonly returned: number;
  readonly losses: number;
  readonly last: Claim | null;
  readonly reported: Reported | null;
  readonly late: number;
  readonly status: StoredLeafStatus;
}

export interface StoredRun {
  readonly format: typeof CHECKPOINT_FORMAT;
  /** Sequences of the events whose values are referred to, ascending, each once. */
  readonly references: readonly number[];
  readonly id: RunId;
  readonly workflowId: WorkflowId;
  readonly ordinal: number;
  readonly namespace: string;
  readonly workflow: string;
  readonly version: number;
  readonly digest: string;
  readonly startKey: string | null;
  readonly input: StoredCell;
  readonly policy: RunPolicy;
  readonly deadline: number | null;
  readonly admittedAt: number;
  readonly status: StoredRunStatus;
  readonly endedAt: number | null;
  readonly seq: number;
  readonly updatedAt: number;
  readonly historyBytes: number;
  readonly repeatedStops: readonly StopIntent[];
  readonly scopes: readonly StoredScope[];
  readonly leaves: readonly StoredLeaf[];
}
