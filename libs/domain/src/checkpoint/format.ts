/**
 * The stored form of a run's state. A value over 1 KiB stands once in the history, in the event that brought it; the
 * checkpoint refers to it by sequence and place (spec 04 "Data model"), so that a run with large values does not store
 * them again with every checkpoint.
 */
import type { Json } from '@graphrun/dsl';
import type { RunPolicy, StopIntent } from '../events.js';
import type { ActivationId, RunId, ScopeId, SignalEventId, WaitId, WorkflowId } from '../ids.js';
import type {
  Container,
  ContainerStatus,
  Current,
  InboxEntry,
  Leaf,
  LeafStatus,
  Obligation,
  Run,
  RunStatus,
  Scope,
  ScopeStatus,
  Wait,
} from '../state.js';

export const CHECKPOINT_FORMAT = 'graphrun.checkpoint/v2';

/** Canonical bytes from which on a value is referred to. */
export const INLINE_VALUE_BYTES = 1024;

/** Without a value the event holds it, at the pointer `at` of its body. */
export type StoredCell =
  { readonly seq: number; readonly at: string; readonly value?: Json } | { readonly parts: readonly StoredCell[] };

export type StoredRunStatus =
  Exclude<RunStatus, { readonly kind: 'succeeded' }> | { readonly kind: 'succeeded'; readonly output: StoredCell };

export type StoredLeafStatus =
  | Exclude<LeafStatus, { readonly kind: 'succeeded' }>
  | { readonly kind: 'succeeded'; readonly output: StoredCell; readonly generation: number };

export type StoredLeaf = Omit<Leaf, 'input' | 'status'> & {
  readonly input: StoredCell;
  readonly status: StoredLeafStatus;
};

export interface StoredScope {
  readonly id: ScopeId;
  readonly owner: Scope['owner'];
  readonly region: string;
  readonly input: StoredCell;
  readonly loop: { readonly state: StoredCell; readonly index: number } | null;
  readonly item: { readonly value: StoredCell; readonly index: number } | null;
  readonly status: ScopeStatus;
  readonly next: string | null;
  readonly current: Current | null;
  readonly outputs: readonly (readonly [string, StoredCell])[];
  readonly errors: readonly (readonly [string, { readonly code: string; readonly message: string }])[];
  readonly activations: readonly ActivationId[];
  readonly waits: readonly WaitId[];
}

type Results = readonly (readonly [number, StoredCell])[];

export type StoredWork =
  | {
      readonly kind: 'choose';
      readonly input: StoredCell;
      readonly chosen: number | null;
      readonly result: StoredCell | null;
    }
  | { readonly kind: 'loop'; readonly count: number | null; readonly carry: StoredCell; readonly done: number }
  | { readonly kind: 'foreach'; readonly items: StoredCell; readonly opened: number; readonly results: Results }
  | {
      readonly kind: 'parallel';
      readonly inputs: readonly StoredCell[];
      readonly opened: number;
      readonly results: Results;
    }
  | {
      readonly kind: 'saga';
      readonly input: StoredCell;
      readonly obligations: readonly ActivationId[];
      readonly aborting: boolean;
      readonly result: StoredCell | null;
    };

export type StoredContainer = Omit<Container, 'work' | 'bodies' | 'status'> & {
  readonly status: ContainerStatus;
  readonly work: StoredWork;
  readonly bodies: readonly ScopeId[];
};

export type StoredInboxEntry = Omit<InboxEntry, 'payload'> & {
  readonly id: SignalEventId;
  readonly payload: StoredCell;
};
export type StoredObligation = Omit<Obligation, 'input'> & { readonly input: StoredCell | null };

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
  readonly paused: Run['paused'];
  readonly endedAt: number | null;
  readonly seq: number;
  readonly updatedAt: number;
  readonly historyBytes: number;
  readonly scopeCount: number;
  readonly activationCount: number;
  readonly waitCount: number;
  readonly repeatedStops: readonly StopIntent[];
  readonly scopes: readonly StoredScope[];
  readonly leaves: readonly StoredLeaf[];
  readonly containers: readonly StoredContainer[];
  readonly waits: readonly Wait[];
  readonly inbox: readonly StoredInboxEntry[];
  readonly obligations: readonly StoredObligation[];
  readonly recent: readonly StoredLeaf[];
}
