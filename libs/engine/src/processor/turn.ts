/** What deciding one item may use: all in memory, nothing awaited. */
import type { CommandContext, WorkflowId } from '@graphrun/domain';
import type { ErrorCode } from '@graphrun/protocol';
import type { SignalIdentityRow, WorkflowRow } from '@graphrun/store';
import type { Partition } from '../partition.js';
import type { Programs } from '../programs.js';
import type { Residency } from '../residency.js';
import type { PartitionBatch } from './batch.js';
import type { Preparation } from './preparation.js';
import type { Recent } from './recent.js';

/** A result as decided in memory, committed or about to be. */
export interface RecentResult {
  readonly partition: number;
  readonly digest: string;
  readonly result: string;
}

export interface RecentWorkflow extends WorkflowRow {
  readonly partition: number;
}

export interface RecentSignal extends SignalIdentityRow {
  readonly partition: number;
}

export interface Shared {
  readonly programs: Programs;
  readonly residency: Residency;
  readonly recentResults: Recent<string, RecentResult>;
  readonly recentWorkflows: Recent<WorkflowId, RecentWorkflow>;
  /** By `signalKeyText`. */
  readonly recentSignals: Recent<string, RecentSignal>;
  readonly partitions: number;
  entropy(): number;
}

export interface Turn {
  readonly partition: Partition;
  readonly batch: PartitionBatch;
  readonly prepared: Preparation;
  readonly shared: Shared;
  /** Engine time, UTC ms. */
  readonly now: number;
  /** When the log took the command; engine time for internal work. */
  readonly arrivedAt: number;
  /** Principal of a logged command, `engine` for internal work. */
  readonly by: string;
  /** Inboxes of the sender begin like this. */
  readonly replyPrefix: string;
  /** Notes a message that was refused unread, for metrics and log. */
  refused(reason: string): void;
}

export function contextOf(turn: Turn, by: string = turn.by): CommandContext {
  return { now: turn.now, arrivedAt: turn.arrivedAt, entropy: turn.shared.entropy(), by };
}

/** A refusal that is the answer to a command. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Record<string, string>;
}
