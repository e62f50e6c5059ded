/**
 * `reopen` opens a failed run again at its failed activations and at the siblings that were cancelled with them (spec 02
 * "Continue-as-new, reopen, terminate"). What was accepted stays; sagas whose undoing had begun start their bodies anew.
 */
import type { Program } from '@graphrun/dsl';
import { closedTree } from '../behaviours/closed-tree.js';
import { deterministicFailure, misfits } from '../behaviours/fitting.js';
import type { Decision, ReopenCommand } from '../commands.js';
import { executionObstacle } from '../executable.js';
import type { Recorder } from '../recorder.js';
import type { Run } from '../state.js';
import { isTerminal } from '../status.js';
import { ACCEPTED, rejected } from './answers.js';
import { refuseStale } from './operator.js';

/** Differences that a refusal names; the others are counted. */
const NAMED_MISFITS = 10;

export function reopen(recorder: Recorder, command: ReopenCommand): Decision {
  const { run } = recorder;
  if (run.status.kind !== 'failed') {
    const state = isTerminal(run.status) ? `it has ${run.status.kind}` : `it is ${run.status.kind}`;
    return rejected('FailedPrecondition', `only a failed run can be opened again; run ${run.id} is none: ${state}`);
  }
  const refusal = refuseStale(run, command.expectedSeq);
  if (refusal !== null) return refusal;
  const program = command.program?.digest === run.digest ? null : command.program;
  const deadline = deadlineOf(run, program);
  const obstacle =
    owingObstacle(run) ??
    livingObstacle(run, command) ??
    (program === null ? deterministicFailure(run) : versionObstacle(run, program)) ??
    deadlineObstacle(run, deadline, recorder.now);
  if (obstacle !== null) return rejected('FailedPrecondition', obstacle);
  const { leaves, restarted } = closedTree(run);
  recorder.record({
    kind: 'run_reopened',
    reason: command.reason,
    activations: leaves.map(({ id }) => id),
    restarted: restarted.map(({ id }) => id),
    deadline,
    ...(program === null ? {} : { definition: { version: program.definition.version, digest: program.digest } }),
  });
  return ACCEPTED;
}

/** A run timeout counts from admission, also over the time in which the run had failed. */
function deadlineOf(run: Run, program: Program | null): number | null {
  if (program === null) return run.deadline;
  const { runTimeoutMs } = program.definition;
  return runTimeoutMs === null ? null : run.admittedAt + runTimeoutMs;
}

/** What nobody has undone, or will undo, cannot be opened again as if nothing had happened. */
function owingObstacle(run: Run): string | null {
  for (const { forward, node, status } of run.obligations.values()) {
    switch (status.kind) {
      case 'abandoned':
        return `the compensation of ${forward} (${node}) of run ${run.id} was abandoned: its effect stands, so the run cannot be opened again; start a new one`;
      case 'blocked_input':
      case 'blocked_execution':
        return `the compensation of ${forward} (${node}) of run ${run.id} is blocked: ${status.reason.code}, ${status.reason.message}`;
      default:
    }
  }
  return null;
}

function livingObstacle(run: Run, { livingRun }: ReopenCommand): string | null {
  if (livingRun === null || livingRun === run.id) return null;
  return `run ${livingRun} of the same workflow id is under way; run ${run.id} cannot be opened beside it`;
}

function versionObstacle(run: Run, program: Program): string | null {
  const { id, version } = program.definition;
  if (id !== run.workflow) return `run ${run.id} is one of ${run.workflow}; it cannot go on with a definition of ${id}`;
  const unexecutable = executionObstacle(program);
  if (unexecutable !== null) return unexecutable;
  const differences = misfits(run, program);
  if (differences.length === 0) return null;
  const more = differences.length - NAMED_MISFITS;
  const named = differences.slice(0, NAMED_MISFITS).join('; ') + (more > 0 ? `; and ${more} more` : '');
  return `run ${run.id} cannot go on with ${id} version ${version}: ${named}`;
}

function deadlineObstacle(run: Run, deadline: number | null, now: number): string | null {
  if (deadline === null || deadline > now) return null;
  const passed = new Date(deadline).toISOString();
  return `the run timeout of run ${run.id}, which counts from its start, passed at ${passed}; give a version with a longer one`;
}
