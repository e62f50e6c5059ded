/** `graphrun cancel`: asks a run to end; it ends when its work has settled. */
import type { Command } from 'commander';
import { action } from '../command.js';
import type { Invocation } from '../command.js';
import { reasonOf, runActionCommand, sendAction } from './run-action.js';
import type { OperatorOptions } from './run-action.js';

export function cancelCommand(invocation: Invocation): Command {
  return runActionCommand('cancel', 'cancel a run')
    .option('--reason <text>', 'why; stands in the history')
    .action(
      action<OperatorOptions>(invocation, async (options, _terminal, args) => {
        const reason = reasonOf('A cancel', options);
        return sendAction(invocation, options, args, {
          path: 'cancel',
          body: { reason },
          said: ({ run }) => [`run ${run} is asked to end; graphrun explain ${run} says what it still waits for`],
        });
      }),
    );
}
