/** Which processor decides which command. One file for each. */
import type { Decision, RunCommand } from '../commands.js';
import type { Cause } from '../events.js';
import type { Recorder } from '../recorder.js';
import { cancel } from './cancel.js';
import { claim } from './claim.js';
import { expire } from './expire.js';
import { progress } from './progress.js';
import { report } from './report.js';
import { timer } from './timer.js';

export type CommandKind = RunCommand['kind'];
export type CommandOf<K extends CommandKind> = Extract<RunCommand, { readonly kind: K }>;

/** Decides a command for a run that exists, recording what follows from it. */
export type Processor<K extends CommandKind> = (recorder: Recorder, command: CommandOf<K>) => Decision;

/** `start` makes the run that the others address: see `start.ts`. */
export type AddressedKind = Exclude<CommandKind, 'start'>;

export const PROCESSORS: { readonly [K in AddressedKind]: Processor<K> } = {
  cancel,
  claim,
  report,
  expire,
  timer,
  progress,
};

export function causeOf(command: RunCommand): Cause {
  switch (command.kind) {
    case 'start':
    case 'cancel':
      return { command: command.commandId };
    default:
      return { internal: command.kind };
  }
}
