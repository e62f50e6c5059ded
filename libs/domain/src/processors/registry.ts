/** Which processor decides which command. One file for each. */
import type { Decision, RunCommand } from '../commands.js';
import type { Cause } from '../events.js';
import type { Recorder } from '../recorder.js';
import { abandon } from './abandon.js';
import { cancel } from './cancel.js';
import { claim } from './claim.js';
import { expire } from './expire.js';
import { pause, resume } from './pause.js';
import { progress } from './progress.js';
import { reopen } from './reopen.js';
import { report } from './report.js';
import { resolve } from './resolve.js';
import { signal } from './signal.js';
import { terminate } from './terminate.js';
import { timer } from './timer.js';

export type CommandKind = RunCommand['kind'];
export type CommandOf<K extends CommandKind> = Extract<RunCommand, { readonly kind: K }>;

/** Decides a command for a run that exists, recording what follows from it. */
export type Processor<K extends CommandKind> = (recorder: Recorder, command: CommandOf<K>) => Decision;

/** `start` makes the run that the others address: see `start.ts`. */
export type AddressedKind = Exclude<CommandKind, 'start'>;

export const PROCESSORS: { readonly [K in AddressedKind]: Processor<K> } = {
  signal,
  cancel,
  pause,
  resume,
  resolve,
  abandon,
  terminate,
  reopen,
  claim,
  report,
  expire,
  timer,
  progress,
};

export function causeOf(command: RunCommand): Cause {
  switch (command.kind) {
    case 'claim':
    case 'report':
    case 'expire':
    case 'timer':
    case 'progress':
      return { internal: command.kind };
    default:
      return { command: command.commandId };
  }
}
