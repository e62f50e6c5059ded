/**
 * Answers to clients' commands. The first answer to a command id is stored with the digest of the request; it is
 * given again to every copy of the request, and other content under the same id is a conflict (spec 02 "Commands").
 */
import type { CommandId } from '@graphrun/domain';
import { POLICIES } from '@graphrun/dsl';
import type { ClientReceipt, CommandResult, RunRequest, StartRequest } from '@graphrun/protocol';
import { requestDigest } from '@graphrun/protocol';
import { resultKeyText } from './preparation.js';
import type { Turn } from './turn.js';

interface ClientCommand {
  readonly id: CommandId;
  readonly notAfter: number;
  readonly replyTo: string;
}

/** Stored with the result, so that a successor can answer what its predecessor had committed but not sent. */
export interface StoredAnswer {
  readonly to: string;
  readonly result: CommandResult;
}

/** Digest of a request as sent; what only concerns its delivery is left out. */
export function digestOfRequest(command: StartRequest | RunRequest): string {
  return requestDigest(JSON.stringify([command.kind, ...contentOf(command)]));
}

function contentOf(command: StartRequest | RunRequest): readonly unknown[] {
  switch (command.kind) {
    case 'start':
      return [command.namespace, command.workflow, command.version, command.startKey, command.input];
    case 'cancel':
      return [command.run, command.reason];
    case 'signal':
      return [command.run, command.event, command.signal, command.key, command.payload];
    case 'reopen':
      return [command.run, command.reason, command.expectedSeq, command.version];
    case 'resolve':
      return [command.run, command.reason, command.expectedSeq, command.activation, command.resolution];
    default:
      return [command.run, command.reason, command.expectedSeq];
  }
}

export function reply(turn: Turn, command: ClientCommand, result: CommandResult): void {
  const receipt: ClientReceipt = { kind: 'client', id: command.id, result };
  turn.batch.reply(command.replyTo, receipt);
}

/** Answers a repeated or expired command. True when nothing is left to do. */
export function answerRepeat(turn: Turn, command: ClientCommand, digest: string): boolean {
  const key = { partition: turn.partition.id, principal: turn.by, commandId: command.id };
  const text = resultKeyText(key);
  const known = turn.shared.recentResults.get(text) ?? turn.prepared.results.get(text);
  if (known !== undefined) {
    const answer = JSON.parse(known.result) as StoredAnswer;
    reply(turn, command, known.digest === digest ? answer.result : conflict(command.id));
    return true;
  }
  if (command.notAfter < turn.arrivedAt) {
    reply(turn, command, {
      ok: false,
      code: 'Expired',
      message: `command ${command.id} arrived after the time until which it was valid; send it again as a new command`,
    });
    return true;
  }
  // Beyond that its answer may have been forgotten while a copy of it could still be applied.
  if (command.notAfter > turn.arrivedAt + POLICIES.commandLifetimeMs) {
    reply(turn, command, {
      ok: false,
      code: 'InvalidArgument',
      message: `command ${command.id} is valid for too long; it may be applied at most 12 h after it was issued`,
    });
    return true;
  }
  return false;
}

/** Stores the answer in this batch and sends it after the commit. */
export function answer(turn: Turn, command: ClientCommand, digest: string, result: CommandResult): void {
  const stored: StoredAnswer = { to: command.replyTo, result };
  const row = {
    partition: turn.partition.id,
    principal: turn.by,
    commandId: command.id,
    digest,
    result: JSON.stringify(stored),
    at: turn.now,
  };
  turn.batch.results.push(row);
  turn.shared.recentResults.set(resultKeyText(row), row);
  reply(turn, command, result);
}

function conflict(id: CommandId): CommandResult {
  return {
    ok: false,
    code: 'AlreadyExists',
    message: `command id ${id} was used for another request; use a fresh id for a new request`,
  };
}
