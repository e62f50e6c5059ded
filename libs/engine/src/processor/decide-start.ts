/**
 * Start: the same start key meets the same run, and `latest` is resolved once, after the start key
 * (spec 01 "Publication", spec 04 "Partitions and identities").
 */
import { execute } from '@graphrun/domain';
import { canonicalize } from '@graphrun/dsl';
import type { CommandResult, ErrorCode, StartRequest } from '@graphrun/protocol';
import { requestDigest, runIdFor, workflowIdFor } from '@graphrun/protocol';
import type { WorkflowRow } from '@graphrun/store';
import { Resident } from '../residency.js';
import { answer, answerRepeat, digestOfRequest } from './client-result.js';
import { versionKeyText } from './preparation.js';
import { rowStatusOf } from './rows.js';
import type { Turn } from './turn.js';
import { contextOf } from './turn.js';

export function decideStart(turn: Turn, command: StartRequest): void {
  const digest = digestOfRequest(command);
  if (answerRepeat(turn, command, digest)) return;
  answer(turn, command, digest, admit(turn, command));
}

function admit(turn: Turn, command: StartRequest): CommandResult {
  const { shared, prepared, partition } = turn;
  const identity = { ...command, principal: turn.by, commandId: command.id };
  if (workflowIdFor(identity) !== command.workflowId) {
    return refuse('InvalidArgument', 'the WorkflowId does not follow from namespace, workflow and start key');
  }
  // Without a start key nothing is compared later, so nothing needs to be digested canonically.
  const startDigest = command.startKey === null ? '' : requestDigest(canonicalize(command.input));
  const there = shared.recentWorkflows.get(command.workflowId) ?? prepared.workflows.get(command.workflowId);
  if (there !== undefined) return sameStart(command, startDigest, there);
  const { namespace, workflow, version } = command;
  const row = prepared.versions.get(versionKeyText(namespace, workflow, version)) ?? null;
  const which = version === null ? workflow : `${workflow} version ${version}`;
  if (row === null) return refuse('NotFound', `no definition of ${which} is published; publish it first`);
  const program = shared.programs.get(row.digest);
  if (program === undefined) {
    const reason = prepared.brokenPrograms.get(row.digest) ?? 'its artifact is not stored';
    return refuse('FailedPrecondition', `the definition of ${which} cannot be executed: ${reason}`);
  }
  const run = runIdFor(command.workflowId, 1, turn.now);
  const execution = execute(
    null,
    {
      kind: 'start',
      commandId: command.id,
      run,
      workflowId: command.workflowId,
      ordinal: 1,
      namespace,
      startKey: command.startKey,
      program,
      input: command.input,
    },
    contextOf(turn),
  );
  if (execution.decision.kind === 'rejected') {
    return { ok: false, ...execution.decision.rejection };
  }
  if (execution.run === null) throw new Error('a start was accepted but made no run');
  const resident = new Resident(execution.run, partition.id, 0, '');
  if (shared.residency.insert(resident) !== resident) throw new Error(`run ${run} is in memory before it was admitted`);
  const write = turn.batch.record(resident, null, execution.events, turn.now);
  write.insert = {
    run,
    workflowId: command.workflowId,
    ordinal: 1,
    partition: partition.id,
    namespace,
    workflow,
    version: row.version,
    digest: row.digest,
    startKey: command.startKey,
    startDigest,
    status: rowStatusOf(execution.run),
    createdAt: turn.now,
  };
  shared.recentWorkflows.set(command.workflowId, {
    partition: partition.id,
    workflowId: command.workflowId,
    run,
    ordinal: 1,
    startDigest,
    version: row.version,
    status: rowStatusOf(execution.run),
  });
  return { ok: true, run, workflowId: command.workflowId, version: row.version };
}

function sameStart(command: StartRequest, startDigest: string, there: WorkflowRow): CommandResult {
  const sameVersion = command.version === null || command.version === there.version;
  if (there.startDigest === startDigest && sameVersion) {
    return { ok: true, run: there.run, workflowId: command.workflowId, version: there.version };
  }
  const difference = sameVersion ? 'another input' : `version ${there.version}`;
  return {
    ...refuse(
      'AlreadyExists',
      `start key ${command.startKey ?? ''} belongs to run ${there.run}, started with ${difference}`,
    ),
    details: { run: there.run },
  };
}

function refuse(code: ErrorCode, message: string): CommandResult & { ok: false } {
  return { ok: false, code, message };
}
