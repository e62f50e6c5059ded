/** `graphrun resolve`: a person says what became of something that is blocked. */
import type { Command } from 'commander';
import type { Resolution } from '@graphrun/domain';
import { GraphrunError } from '@graphrun/protocol';
import { action, positiveInteger } from '../command.js';
import type { Invocation } from '../command.js';
import { readJson } from '../files.js';
import { confirmedReasonOf, dangerousCommand, decidedOn, sendAction } from './run-action.js';
import type { OperatorOptions } from './run-action.js';

interface ResolveOptions extends OperatorOptions {
  readonly activation?: string;
  readonly applied?: string;
  readonly notApplied?: boolean;
  readonly retry?: number;
  readonly fail?: string;
  readonly message?: string;
  readonly input?: string;
}

export function resolveCommand(invocation: Invocation): Command {
  return dangerousCommand('resolve', 'say what became of something that is blocked')
    .option('--activation <id>', 'what is meant: a7, or a7c for its compensation; graphrun explain names it')
    .option('--applied <file>', 'it happened; JSON file with its output')
    .option('--not-applied', 'it did not happen, and cannot any more')
    .option('--retry <n>', 'try it up to n more times, under the same effect key', positiveInteger)
    .option('--fail <code>', 'it failed with this code; needs --message')
    .option('--message <text>', 'message of the failure')
    .option('--input <file>', 'JSON file with the input that its compensation lacks')
    .action(
      action<ResolveOptions>(invocation, async (options, _terminal, args) => {
        const { activation } = options;
        if (activation === undefined) {
          throw new GraphrunError(
            'InvalidArgument',
            'A resolve needs --activation; graphrun explain says what is blocked.',
          );
        }
        const reason = confirmedReasonOf('A resolve', options);
        const resolution = await resolutionOf(options);
        return sendAction(invocation, options, args, {
          path: 'resolve',
          body: async (api, run) => ({
            activation,
            resolution,
            reason,
            expected_seq: await decidedOn(api, run, options),
          }),
          said: ({ run }) => [`${activation} of run ${run} is resolved; graphrun watch ${run} follows the run`],
        });
      }),
    );
}

/** Exactly one of the ways to resolve something. */
async function resolutionOf(options: ResolveOptions): Promise<Resolution> {
  const { applied, notApplied, retry, fail, message, input } = options;
  const ways = [applied, notApplied, retry, fail, input].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    throw new GraphrunError(
      'InvalidArgument',
      'Say exactly one of --applied, --not-applied, --retry, --fail and --input.',
    );
  }
  if ((fail === undefined) !== (message === undefined)) {
    throw new GraphrunError('InvalidArgument', '--fail and --message go together.');
  }
  if (applied !== undefined) return { kind: 'applied', output: await readJson(applied) };
  if (input !== undefined) return { kind: 'input', input: await readJson(input) };
  if (retry !== undefined) return { kind: 'retry', attempts: retry };
  if (fail !== undefined && message !== undefined) return { kind: 'fail', failure: { code: fail, message } };
  return { kind: 'not_applied' };
}
