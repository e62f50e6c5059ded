/** Cancel of a run by its id. */
import { execute } from '@graphrun/domain';
import type { CancelRequest, CommandResult } from '@graphrun/protocol';
import { answer, answerRepeat, digestOfRequest } from './client-result.js';
import { rowStatusOf } from './rows.js';
import type { Turn } from './turn.js';
import { contextOf } from './turn.js';
import { unavailableRun } from './unavailable-run.js';

export function decideCancel(turn: Turn, command: CancelRequest): void {
  const digest = digestOfRequest(command);
  if (answerRepeat(turn, command, digest)) return;
  answer(turn, command, digest, cancel(turn, command));
}

function cancel(turn: Turn, command: CancelRequest): CommandResult {
  const resident = turn.shared.residency.get(command.run);
  if (resident === undefined) return { ok: false, ...unavailableRun(turn, command.run) };
  const statusBefore = rowStatusOf(resident.run);
  const { decision, events } = execute(
    resident.run,
    { kind: 'cancel', commandId: command.id, reason: command.reason },
    contextOf(turn),
  );
  if (decision.kind === 'rejected') return { ok: false, ...decision.rejection };
  turn.batch.record(resident, statusBefore, events, turn.now);
  return { ok: true, run: command.run, workflowId: resident.run.workflowId, version: resident.run.version };
}
