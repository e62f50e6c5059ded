/** `graphrun pause` and `graphrun resume`: a run that is paused starts nothing new until it is resumed. */
import type { Command } from 'commander';
import { action } from '../command.js';
import type { Invocation } from '../command.js';
import { operatorCommand, reasonOf, sendAction } from './run-action.js';
import type { Accepted, OperatorOptions } from './run-action.js';

export function pauseCommand(invocation: Invocation): Command {
  return holdCommand(invocation, 'pause', 'let a run start nothing new', ({ run }) => [
    `run ${run} is paused; it goes on with graphrun resume ${run}`,
  ]);
}

export function resumeCommand(invocation: Invocation): Command {
  return holdCommand(invocation, 'resume', 'let a paused run go on', ({ run }) => [
    `run ${run} is not paused; graphrun watch ${run} follows it`,
  ]);
}

function holdCommand(
  invocation: Invocation,
  name: 'pause' | 'resume',
  description: string,
  said: (accepted: Accepted) => readonly string[],
): Command {
  return operatorCommand(name, description).action(
    action<OperatorOptions>(invocation, async (options, _terminal, args) => {
      const reason = reasonOf(`A ${name}`, options);
      const { expectedSeq } = options;
      return sendAction(invocation, options, args, {
        path: name,
        body: { reason, ...(expectedSeq !== undefined && { expected_seq: expectedSeq }) },
        said,
      });
    }),
  );
}
