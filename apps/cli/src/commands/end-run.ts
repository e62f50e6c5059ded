/** `graphrun abandon` and `graphrun terminate`: ends of a run that leave effects as they are. */
import type { Command } from 'commander';
import { action } from '../command.js';
import type { Invocation } from '../command.js';
import { confirmedReasonOf, dangerousCommand, decidedOn, sendAction } from './run-action.js';
import type { Accepted, OperatorOptions } from './run-action.js';

export function abandonCommand(invocation: Invocation): Command {
  return endingCommand(
    invocation,
    { name: 'abandon', what: 'An abandon', description: 'give up what the compensations of a run still owe' },
    ({ run }) => [`run ${run} gives up what it owes; graphrun inspect ${run} names what is not undone`],
  );
}

export function terminateCommand(invocation: Invocation): Command {
  return endingCommand(
    invocation,
    { name: 'terminate', what: 'A terminate', description: 'end a run at once, without settling or undoing anything' },
    ({ run }) => [`run ${run} is terminated; what was under way may still have its effect`],
  );
}

function endingCommand(
  invocation: Invocation,
  { name, what, description }: { readonly name: string; readonly what: string; readonly description: string },
  said: (accepted: Accepted) => readonly string[],
): Command {
  return dangerousCommand(name, description).action(
    action<OperatorOptions>(invocation, async (options, _terminal, args) => {
      const reason = confirmedReasonOf(what, options);
      return sendAction(invocation, options, args, {
        path: name,
        body: async (api, run) => ({ reason, expected_seq: await decidedOn(api, run, options) }),
        said,
      });
    }),
  );
}
