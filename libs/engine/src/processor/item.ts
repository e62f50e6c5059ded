/** What waits in a partition's inbox: a command from the log, or work that the owner gives itself. */
import type { ExpireCommand, ProgressCommand, RunId, TimerCommand } from '@graphrun/domain';
import type { LoggedCommand } from '@graphrun/messaging';

export type InternalCommand = ExpireCommand | TimerCommand | ProgressCommand;

export type Item =
  | { readonly kind: 'logged'; readonly command: LoggedCommand }
  | { readonly kind: 'internal'; readonly run: RunId; readonly command: InternalCommand }
  /** Make sure that what this run waits for is offered, leased and timed: the step of recovery for one run. */
  | { readonly kind: 'recover'; readonly run: RunId };
