/** `expire` says that a claim's deadline passed or its worker is gone: the outcome of the attempt is unknown. */
import { loseAttempt } from '../behaviours/attempt.js';
import type { Decision, ExpireCommand } from '../commands.js';
import type { Recorder } from '../recorder.js';
import type { Claim } from '../state.js';
import { isTerminal } from '../status.js';
import { ACCEPTED, forgotten, stale } from './answers.js';

export function expire(recorder: Recorder, command: ExpireCommand): Decision {
  const { run } = recorder;
  const leaf = run.leaves.get(command.activation);
  if (leaf === undefined) return forgotten(run, command.activation);
  if (isTerminal(run.status)) return stale(`the run has ${run.status.kind}`);
  if (leaf.status.kind !== 'claimed' || leaf.status.claim.generation !== command.generation) {
    return stale(`generation ${command.generation} of ${leaf.id} is not running`);
  }
  const { claim } = leaf.status;
  if (command.reason === 'timeout' && recorder.now < claim.deadline) {
    return stale(`the deadline of ${leaf.id} has not passed: it is at ${claim.deadline}, now is ${recorder.now}`);
  }
  loseAttempt(recorder, leaf, command.reason, message(command.reason, claim));
  return ACCEPTED;
}

function message(reason: ExpireCommand['reason'], claim: Claim): string {
  switch (reason) {
    case 'timeout':
      return `no report by the deadline of attempt ${claim.attempt}`;
    case 'lease':
      return `session ${claim.session} did not renew its lease during attempt ${claim.attempt}`;
    case 'worker_lost':
      return `session ${claim.session} is gone since attempt ${claim.attempt} was granted`;
  }
}
