/** `graphrun reopen`: a failed run goes on where it had failed. */
import type { Command } from 'commander';
import { action, positiveInteger } from '../command.js';
import type { Invocation } from '../command.js';
import { confirmedReasonOf, dangerousCommand, decidedOn, sendAction } from './run-action.js';
import type { OperatorOptions } from './run-action.js';

interface ReopenOptions extends OperatorOptions {
  readonly version?: number;
}

export function reopenCommand(invocation: Invocation): Command {
  return dangerousCommand('reopen', 'let a failed run go on where it had failed')
    .option('--version <n>', 'go on with this version of the definition', positiveInteger)
    .action(
      action<ReopenOptions>(invocation, async (options, _terminal, args) => {
        const reason = confirmedReasonOf('A reopen', options);
        const { version } = options;
        return sendAction(invocation, options, args, {
          path: 'reopen',
          body: async (api, run) => ({
            reason,
            expected_seq: await decidedOn(api, run, options),
            ...(version !== undefined && { version }),
          }),
          said: ({ run }) => [`run ${run} is open again; graphrun watch ${run} follows it`],
        });
      }),
    );
}
