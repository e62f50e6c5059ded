/** Change notices: sent after a commit to whoever watches. Lossy by nature; PostgreSQL has the truth. */
import type { Failure, RunId } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';

export type TerminalOutcome =
  | { readonly status: 'succeeded'; readonly output: Json }
  | { readonly status: 'failed' | 'cancelled' | 'terminated'; readonly failure: Failure }
  /** The run ended, and its successor has begun: whoever waits follows it. */
  | { readonly status: 'continued'; readonly successor: RunId };

export interface RunChange {
  readonly run: RunId;
  /** Sequence of the run's last event. */
  readonly seq: number;
  /** Present when the run has ended. Absent `outcome` with `ended` means: too large for a notice, read it. */
  readonly ended: boolean;
  readonly outcome?: TerminalOutcome;
}

/** All changes of one commit of one partition. `commitNo` rises by one with each commit of an epoch: a gap was lost. */
export interface ChangeNotice {
  readonly partition: number;
  readonly epoch: number;
  readonly commitNo: number;
  /** Commands delivered to the owner and not yet decided: clients are pushed back when there are too many. */
  readonly backlog: number;
  readonly changes: readonly RunChange[];
}
