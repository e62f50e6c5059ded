/**
 * Lets a run go on by itself after a command, through every transition that needs nobody else, but no further than one
 * commit may hold (spec 02 "Shape"). What is left over is `run.progressDue`, and `progress` continues it.
 */
import { LIMITS } from '@graphrun/dsl';
import { intervene } from './behaviours/intervention.js';
import { endStoppedRun } from './behaviours/stopping.js';
import { enterNode } from './nodes/registry.js';
import type { Recorder } from './recorder.js';
import { nextTransition, type Transition } from './transitions.js';

export function advance(recorder: Recorder): void {
  for (let made = 0; made < LIMITS.progressTransitions; made++) {
    const transition = nextTransition(recorder.run);
    if (transition === null) return;
    perform(recorder, transition);
  }
}

function perform(recorder: Recorder, transition: Transition): void {
  switch (transition.kind) {
    case 'enter':
      return enterNode(recorder, transition.scope, transition.node);
    case 'withdraw':
      return recorder.record({ kind: 'activity_cancelled', activation: transition.leaf.id });
    case 'intervene':
      return intervene(recorder, transition.leaf);
    case 'end':
      return endStoppedRun(recorder);
  }
}
