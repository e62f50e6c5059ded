/** The record of a command that could not be applied, with the answer `Internal` to whoever sent it. */
import { readCommand } from '@graphrun/protocol';
import type { CommandResult } from '@graphrun/protocol';
import type { PartitionBatch } from './batch.js';
import type { StoredAnswer } from './client-result.js';
import { digestOfRequest } from './client-result.js';
import type { Item } from './item.js';

export function quarantineInto(batch: PartitionBatch, item: Item, error: unknown, now: number): void {
  const { partition } = batch;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (item.kind !== 'logged') {
    batch.quarantined.push({
      partition: partition.id,
      incarnation: partition.incarnation,
      seq: 0,
      run: item.run,
      kind: item.kind === 'internal' ? item.command.kind : item.kind,
      principal: 'engine',
      data: item.kind === 'internal' ? JSON.stringify(item.command) : '',
      error: reason,
      at: now,
    });
    return;
  }
  const { command } = item;
  batch.took(item);
  batch.items.length = 0;
  batch.quarantined.push({
    partition: partition.id,
    incarnation: partition.incarnation,
    seq: command.seq,
    run: null,
    kind: command.kind,
    principal: command.principal,
    data: command.data,
    error: reason,
    at: now,
  });
  answerInternal(batch, item, now);
}

function answerInternal(batch: PartitionBatch, item: Extract<Item, { kind: 'logged' }>, now: number): void {
  const { role, kind, partition, data, principal } = item.command;
  // The command was readable, or it would have been refused and not thrown.
  const command = readCommand(data, { role, kind, partition, partitions: batch.partitions });
  const message = 'the engine could not apply this command and has put it into quarantine; ask an operator';
  if (command.kind === 'claim' || command.kind === 'report') {
    batch.reply(command.replyTo, { kind: 'worker', ref: command.ref, verdict: 'rejected', reason: message });
    return;
  }
  const result: CommandResult = { ok: false, code: 'Internal', message };
  const stored: StoredAnswer = { to: command.replyTo, result };
  batch.results.push({
    partition,
    principal,
    commandId: command.id,
    digest: digestOfRequest(command),
    result: JSON.stringify(stored),
    at: now,
  });
  batch.reply(command.replyTo, { kind: 'client', id: command.id, result });
}
