/**
 * `resolve` says what a person has found out about something that is blocked (spec 03 "Intervention"). Resolving one blocker
 * never clears another.
 */
import { POLICIES } from '@graphrun/dsl';
import { giveUp, scheduleRetry, succeed } from '../behaviours/attempt.js';
import { notApplied } from '../behaviours/probe.js';
import type { Decision, ResolveCommand } from '../commands.js';
import { at, reportedFailure } from '../failures.js';
import { roleOf } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';
import { contractOf, isOpen, isTerminal, scopeOf } from '../status.js';
import { ACCEPTED, CLOSED, rejected } from './answers.js';
import { refuseStale } from './operator.js';

export function resolve(recorder: Recorder, command: ResolveCommand): Decision {
  const { run } = recorder;
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  const refusal = refuseStale(run, command.expectedSeq);
  if (refusal !== null) return refusal;
  if (command.resolution.kind === 'input') return supplyInput(recorder, command);
  const leaf = run.leaves.get(command.activation);
  if (leaf?.status.kind !== 'blocked' && leaf?.status.kind !== 'reconciling') {
    const state = leaf === undefined ? 'not there' : leaf.status.kind;
    return rejected('FailedPrecondition', `${command.activation} of run ${run.id} is not blocked: it is ${state}`);
  }
  return resolveLeaf(recorder, leaf, command);
}

function resolveLeaf(recorder: Recorder, leaf: Leaf, command: ResolveCommand): Decision {
  const { resolution, reason } = command;
  const decided = (): void => {
    recorder.record({ kind: 'intervention_resolved', activation: leaf.id, resolution, reason });
  };
  switch (resolution.kind) {
    case 'applied': {
      const issue = recorder.run.program.validate(contractOf(recorder.run, leaf).outputSchema, resolution.output);
      if (issue !== null) {
        return rejected('InvalidArgument', `the output${at(issue)} does not fit the contract: ${issue.message}`);
      }
      decided();
      succeed(recorder, leaf, resolution.output);
      return ACCEPTED;
    }
    case 'not_applied':
      decided();
      notApplied(recorder, leaf);
      return ACCEPTED;
    case 'retry': {
      const { attempts } = resolution;
      if (roleOf(leaf.id) === 'forward' && !isOpen(recorder.run, scopeOf(recorder.run, leaf))) {
        return rejected('FailedPrecondition', `${leaf.id} may not be repeated: ${CLOSED}; say what happened instead`);
      }
      if (!Number.isInteger(attempts) || attempts < 1 || leaf.extended + attempts > POLICIES.budgetExtension) {
        const left = POLICIES.budgetExtension - leaf.extended;
        return rejected(
          'InvalidArgument',
          `at most ${left} more attempts may be added to ${leaf.id}; this asks for ${attempts}`,
        );
      }
      decided();
      scheduleRetry(recorder, leaf, 0);
      return ACCEPTED;
    }
    case 'fail':
      if (roleOf(leaf.id) === 'compensation') {
        const message = `${leaf.id} is a compensation, and nothing is skipped: repeat it, say that it happened, or abandon`;
        return rejected('FailedPrecondition', message);
      }
      decided();
      giveUp(recorder, leaf, reportedFailure(resolution.failure));
      return ACCEPTED;
    case 'input':
      throw new Error('input is supplied to obligations, not to leaves');
  }
}

/** Input for a compensation that could not be built from its activity. */
function supplyInput(recorder: Recorder, { activation, resolution, reason }: ResolveCommand): Decision {
  const { run } = recorder;
  const obligation = run.obligations.get(activation);
  if (resolution.kind !== 'input' || obligation?.status.kind !== 'blocked_input' || obligation.handler === null) {
    return rejected('FailedPrecondition', `${activation} of run ${run.id} owes no compensation that lacks its input`);
  }
  const issue = run.program.validate(run.program.contract(obligation.handler).inputSchema, resolution.input);
  if (issue !== null) {
    return rejected(
      'InvalidArgument',
      `the input${at(issue)} does not fit ${obligation.handler.name}: ${issue.message}`,
    );
  }
  recorder.record({ kind: 'intervention_resolved', activation, resolution, reason });
  return ACCEPTED;
}
