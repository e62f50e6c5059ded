/** `claim` asks for the attempt that a worker was offered. Nothing external starts without this grant committed. */
import { grantAttempt } from '../behaviours/attempt.js';
import type { ClaimCommand, Decision, Grant } from '../commands.js';
import { roleOf } from '../ids.js';
import type { Recorder } from '../recorder.js';
import type { Claim, Leaf } from '../state.js';
import { isOpen, isTerminal, scopeOf } from '../status.js';
import { CLOSED, forgotten, stale } from './answers.js';

export function claim(recorder: Recorder, command: ClaimCommand): Decision {
  const { run } = recorder;
  const leaf = run.leaves.get(command.activation);
  if (leaf === undefined) return forgotten(run, command.activation);
  if (isTerminal(run.status)) return stale(`the run has ${run.status.kind}`);
  if (leaf.status.kind === 'claimed') return claimedAlready(leaf, leaf.status.claim, command);
  if (run.paused !== null) return stale('the run is paused and starts nothing until it is resumed');
  if (roleOf(leaf.id) === 'forward' && !isOpen(run, scopeOf(run, leaf))) return stale(CLOSED);
  if (leaf.status.kind !== 'ready') return stale(`${leaf.id} is not ready: it is ${leaf.status.kind}`);
  if (leaf.status.generation !== command.generation) {
    return stale(`${leaf.id} is offered as generation ${leaf.status.generation}, not ${command.generation}`);
  }
  return { kind: 'accepted', grant: grantAttempt(recorder, leaf, command.generation, command.session) };
}

/** The receipt of a grant may have been lost: the same claim gets the same grant. */
function claimedAlready(leaf: Leaf, held: Claim, command: ClaimCommand): Decision {
  if (held.generation !== command.generation || held.session !== command.session) {
    return stale(`${leaf.id} is claimed as generation ${held.generation} by another claim`);
  }
  const grant: Grant = {
    activation: leaf.id,
    attempt: held.attempt,
    generation: held.generation,
    deadline: held.deadline,
  };
  return { kind: 'accepted', grant, repeated: true };
}
