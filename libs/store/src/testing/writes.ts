/** Builders of what a commit writes. */
import { randomBytes } from 'node:crypto';
import type { CommandId, RunId, WorkflowId } from '@graphrun/domain';
import { runIdFor } from '@graphrun/protocol';
import type { Database, PartitionRow, PartitionWrites, ResultRow, RunInsert } from '../index.js';

/** Takes a partition over and returns its row. */
export async function owned(store: Database, partition = 0, owner = 'c-1'): Promise<PartitionRow> {
  const before = (await store.engine.partitions())[partition];
  const row = before && (await store.engine.takeOver(partition, owner, before.epoch, 10_000));
  if (!row) throw new Error(`partition ${partition} could not be taken over`);
  return row;
}

/** A commit that moves a partition by one message and writes `sets`. */
export function commit(row: PartitionRow, sets: Partial<PartitionWrites> = {}): PartitionWrites {
  return {
    move: {
      partition: row.partition,
      epoch: row.epoch,
      incarnation: row.incarnation,
      commitNo: row.commitNo,
      position: { seq: row.position.seq + 1, messageId: `m-${row.position.seq + 1}`, timestamp: 1_700_000_000_000 },
      engineTime: 1_700_000_000_000,
    },
    events: [],
    runInserts: [],
    runUpdates: [],
    wakes: [],
    wakeDeletes: [],
    checkpoints: [],
    results: [],
    signals: [],
    quarantined: [],
    unrecoverable: [],
    ...sets,
  };
}

/** The row as the guard expects it after `commit(row)`. */
export function after(row: PartitionRow, commits = 1): PartitionRow {
  const seq = row.position.seq + commits;
  return {
    ...row,
    commitNo: row.commitNo + commits,
    position: { seq, messageId: `m-${seq}`, timestamp: 1_700_000_000_000 },
  };
}

export function newRun(fields: Partial<RunInsert> = {}): RunInsert {
  const workflowId = fields.workflowId ?? (randomBytes(16).toString('hex') as WorkflowId);
  const ordinal = fields.ordinal ?? 1;
  const createdAt = fields.createdAt ?? 1_700_000_000_000;
  return {
    run: runIdFor(workflowId, ordinal, createdAt),
    workflowId,
    ordinal,
    partition: 0,
    namespace: 'default',
    workflow: 'order',
    version: 1,
    digest: 'a'.repeat(64),
    startKey: null,
    startDigest: 'd'.repeat(32),
    status: 'active',
    createdAt,
    ...fields,
  };
}

export function result(fields: Partial<ResultRow> = {}): ResultRow {
  return {
    partition: 0,
    principal: 'alice',
    commandId: randomBytes(8).toString('hex') as CommandId,
    digest: 'r'.repeat(32),
    result: '{"accepted":true}',
    at: 1_700_000_000_000,
    ...fields,
  };
}

/** One row of `count` events from `seq` on, whose data says so. */
export function events(run: RunId, seq: number, count = 1): PartitionWrites['events'][number] {
  return { run, seq, count, at: 1_700_000_000_000, data: JSON.stringify({ from: seq, count }) };
}
