/** Decides one item into the open batch. Throws only on a bug: what a client or worker does wrong is an answer. */
import { execute } from '@graphrun/domain';
import type { RunId } from '@graphrun/domain';
import type { CommandResult, GraphrunError } from '@graphrun/protocol';
import { reply } from './client-result.js';
import { decideRun } from './decide-run.js';
import { decideStart } from './decide-start.js';
import { decideWork } from './decide-work.js';
import type { InternalCommand, Item } from './item.js';
import { rowStatusOf } from './rows.js';
import type { Turn } from './turn.js';
import { contextOf } from './turn.js';
import { unavailableRun } from './unavailable-run.js';

export function decide(turn: Turn, item: Item): void {
  switch (item.kind) {
    case 'internal':
      decideInternal(turn, item.run, item.command);
      return;
    case 'recover':
      recover(turn, item.run);
      return;
    case 'logged': {
      const read = turn.prepared.commands.get(item);
      if (read === undefined) throw new Error('a command was decided that was not prepared');
      if (!read.ok) {
        refuseUnreadable(turn, item.command.data, read.error);
        return;
      }
      const { command } = read;
      if (!command.replyTo.startsWith(turn.replyPrefix)) {
        // Answering would let a sender write into somebody else's inbox.
        turn.refused('the inbox for the answer is not the sender\u2019s own');
        return;
      }
      switch (command.kind) {
        case 'start':
          decideStart(turn, command);
          return;
        case 'claim':
        case 'report':
          decideWork(turn, command);
          return;
        default:
          decideRun(turn, command);
          return;
      }
    }
  }
}

function decideInternal(turn: Turn, run: RunId, command: InternalCommand): void {
  const resident = turn.shared.residency.get(run);
  if (resident === undefined) {
    unavailableRun(turn, run);
    return;
  }
  const statusBefore = rowStatusOf(resident.run);
  const { events } = execute(resident.run, command, contextOf(turn));
  // Without events nothing changed; the run is synchronised all the same, so that a timer that came too early is armed again.
  turn.batch.record(resident, statusBefore, events, turn.now);
}

function recover(turn: Turn, run: RunId): void {
  const resident = turn.shared.residency.get(run);
  if (resident === undefined) unavailableRun(turn, run);
  else turn.batch.record(resident, rowStatusOf(resident.run), [], turn.now);
}

/** A message that is no command still gets an answer if it says where to. */
function refuseUnreadable(turn: Turn, data: string, error: GraphrunError): void {
  turn.refused(error.message);
  const address = addressOf(data);
  if (!address?.replyTo.startsWith(turn.replyPrefix)) return;
  if (address.ref !== null) {
    turn.batch.reply(address.replyTo, { kind: 'worker', ref: address.ref, verdict: 'rejected', reason: error.message });
    return;
  }
  if (address.id === null) return;
  const result: CommandResult = { ok: false, code: error.code, message: error.message };
  reply(turn, { id: address.id, notAfter: 0, replyTo: address.replyTo }, result);
}

interface Address {
  readonly replyTo: string;
  readonly id: Parameters<typeof reply>[1]['id'] | null;
  readonly ref: string | null;
}

function addressOf(data: string): Address | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    // Not JSON: there is nobody to answer, and the refusal has been counted.
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { replyTo, id, ref } = parsed as Record<string, unknown>;
  if (typeof replyTo !== 'string') return null;
  return {
    replyTo,
    id: typeof id === 'string' ? (id as Address['id']) : null,
    ref: typeof ref === 'string' ? ref : null,
  };
}
