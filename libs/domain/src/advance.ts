/**
 * Lets a run go on by itself after a command, through every transition that needs nobody else, but no further than one
 * commit may hold (spec 02 "Shape"). What is left over is due (`isProgressDue`), and `progress` continues it.
 */
import { LIMITS } from '@graphrun/dsl';
import {
  checkLoop,
  closeSettledContainer,
  closeSettledScope,
  completeContainer,
  openBody,
} from './behaviours/containers.js';
import { endStoppedRun } from './behaviours/stopping.js';
import { seekOutcome } from './behaviours/unknown-outcome.js';
import { enterNode } from './nodes/registry.js';
import type { Recorder } from './recorder.js';
import type { Run } from './state.js';
import { nextTransition, type Transition } from './transitions.js';

export function advance(recorder: Recorder): void {
  for (let made = 0; made < LIMITS.progressTransitions; made++) {
    const transition = nextTransition(recorder.run);
    if (transition === null) return;
    perform(recorder, transition);
  }
}

/** A transition is due that needs nobody else; after a commit: more were due than one commit may hold. */
export function isProgressDue(run: Run): boolean {
  return nextTransition(run) !== null;
}

function perform(recorder: Recorder, transition: Transition): void {
  switch (transition.kind) {
    case 'enter':
      return enterNode(recorder, transition.scope, transition.node);
    case 'open_body':
      return openBody(recorder, transition.container, transition.slot);
    case 'check_loop':
      return checkLoop(recorder, transition.container);
    case 'complete_container':
      return completeContainer(recorder, transition.container);
    case 'withdraw':
      return recorder.record({ kind: 'activity_cancelled', activation: transition.leaf.id });
    case 'seek_outcome':
      return seekOutcome(recorder, transition.leaf);
    case 'cancel_wait':
      return recorder.record({ kind: 'wait_cancelled', wait: transition.wait });
    case 'close_scope':
      return closeSettledScope(recorder, transition.scope);
    case 'start_abort':
      return recorder.record({ kind: 'saga_abort_started', saga: transition.container.id });
    case 'compensate':
      return startCompensation(recorder, transition.forward);
    case 'close_container':
      return closeSettledContainer(recorder, transition.container);
    case 'end':
      return endStoppedRun(recorder);
  }
}

function startCompensation(recorder: Recorder, forward: Extract<Transition, { kind: 'compensate' }>['forward']): void {
  const handler = recorder.run.obligations.get(forward)?.handler ?? null;
  if (handler === null) throw new Error(`the obligation of ${forward} has no compensation`);
  recorder.record({ kind: 'compensation_started', activation: forward, handler: handler.name });
}
