/** `graphrun signal`: sends a run what it waits for, or will wait for. */
import type { Command } from 'commander';
import { GraphrunError } from '@graphrun/protocol';
import { action } from '../command.js';
import type { Invocation } from '../command.js';
import { readJson } from '../files.js';
import { runActionCommand, sendAction } from './run-action.js';
import type { RunActionOptions } from './run-action.js';

interface SignalOptions extends RunActionOptions {
  readonly name?: string;
  readonly key?: string;
  readonly eventId?: string;
  readonly payload?: string;
}

export function signalCommand(invocation: Invocation): Command {
  return runActionCommand('signal', 'send a signal to a run')
    .option('--name <signal>', 'name of the signal')
    .option('--key <key>', 'key of the wait that it is for')
    .option('--event-id <id>', 'identity of the signal: its repeat is no second one (default: the command id)')
    .option('--payload <file>', 'JSON file with the payload (default: null)')
    .action(
      action<SignalOptions>(invocation, async (options, _terminal, args) => {
        const signal = given(options.name, '--name');
        const key = given(options.key, '--key');
        const payload = options.payload === undefined ? null : await readJson(options.payload);
        const { eventId } = options;
        return sendAction(invocation, options, args, {
          path: 'signals',
          body: { signal, key, payload, ...(eventId !== undefined && { event_id: eventId }) },
          said: ({ run, event_id: event }) => [`run ${run} has accepted signal ${signal} as event ${event ?? ''}`],
        });
      }),
    );
}

function given(value: string | undefined, option: string): string {
  if (value !== undefined) return value;
  throw new GraphrunError('InvalidArgument', `A signal needs ${option}; graphrun explain says what a run waits for.`);
}
