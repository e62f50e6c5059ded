/**
 * What `reopen` needs beside its run: the version that it is to go on with, and whether another run of its WorkflowId lives
 * (spec 02 "Continue-as-new, reopen, terminate").
 */
import type { Run, RunCommand, RunId } from '@graphrun/domain';
import { RUN_TERMINAL } from '@graphrun/domain';
import type { Program } from '@graphrun/dsl';
import type { ReopenRequest } from '@graphrun/protocol';
import type { RunRowStatus, WorkflowRow } from '@graphrun/store';
import type { Residency } from '../residency.js';
import { versionKeyText } from './preparation.js';
import type { Refusal, Turn } from './turn.js';

function keyOf({ namespace, workflow }: Run, version: number): string {
  return versionKeyText(namespace, workflow, version);
}

export function reopenCommand(
  turn: Turn,
  request: ReopenRequest,
  run: Run,
): RunCommand | { readonly refused: Refusal } {
  const program = request.version === null ? null : programOf(turn, run, request.version);
  if (program !== null && 'refused' in program) return program;
  const { id: commandId, reason, expectedSeq } = request;
  return { kind: 'reopen', commandId, reason, expectedSeq, program, livingRun: livingRun(turn, run) };
}

function programOf(turn: Turn, run: Run, version: number): Program | { readonly refused: Refusal } {
  const { prepared, shared } = turn;
  const row = prepared.versions.get(keyOf(run, version)) ?? null;
  const which = `${run.workflow} version ${version}`;
  if (row === null) {
    return { refused: { code: 'NotFound', message: `no definition of ${which} is published; publish it first` } };
  }
  const program = shared.programs.get(row.digest);
  if (program !== undefined) return program;
  const reason = prepared.brokenPrograms.get(row.digest) ?? 'its artifact is not stored';
  return {
    refused: { code: 'FailedPrecondition', message: `the definition of ${which} cannot be executed: ${reason}` },
  };
}

/** Another run of the WorkflowId that has not ended. What is in memory is newer than what was looked up. */
function livingRun({ shared, prepared }: Turn, { id, workflowId }: Run): RunId | null {
  const stored = prepared.workflows.get(workflowId);
  const newest = shared.recentWorkflows.get(workflowId) ?? stored;
  if (newest === undefined || newest.run === id) return null;
  return hasEnded(statusOf(shared.residency, newest, stored)) ? null : newest.run;
}

function statusOf(residency: Residency, newest: WorkflowRow, stored: WorkflowRow | undefined): RunRowStatus {
  const resident = residency.get(newest.run)?.run.status.kind;
  return resident ?? (stored?.run === newest.run ? stored.status : newest.status);
}

function hasEnded(status: RunRowStatus): boolean {
  return RUN_TERMINAL.some((terminal) => terminal === status);
}
