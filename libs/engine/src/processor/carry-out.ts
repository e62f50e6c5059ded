/** Carries out a client's command on the run it names. */
import type { RunCommand } from '@graphrun/domain';
import { execute } from '@graphrun/domain';
import type { CommandResult, ReopenRequest, RunRequest } from '@graphrun/protocol';
import { reopenCommand } from './reopening.js';
import { rowStatusOf } from './rows.js';
import type { Turn } from './turn.js';
import { contextOf } from './turn.js';
import { unavailableRun } from './unavailable-run.js';

export function carryOut(turn: Turn, request: RunRequest): CommandResult {
  const resident = turn.shared.residency.get(request.run);
  if (resident === undefined) return { ok: false, ...unavailableRun(turn, request.run) };
  const statusBefore = rowStatusOf(resident.run);
  const command = request.kind === 'reopen' ? reopenCommand(turn, request, resident.run) : commandOf(request);
  if ('refused' in command) return { ok: false, ...command.refused };
  const { decision, events } = execute(resident.run, command, contextOf(turn));
  if (decision.kind === 'rejected') return { ok: false, ...decision.rejection };
  turn.batch.record(resident, statusBefore, events, turn.now);
  const { workflowId, version } = resident.run;
  return { ok: true, run: request.run, workflowId, version };
}

/** The request as the domain sees it: where the answer goes is no part of that. */
function commandOf(request: Exclude<RunRequest, ReopenRequest>): RunCommand {
  const { id: commandId, notAfter: _notAfter, replyTo: _replyTo, run: _run, ...rest } = request;
  return { commandId, ...rest };
}
