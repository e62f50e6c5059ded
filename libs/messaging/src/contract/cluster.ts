/** What an adapter has to offer to be held against the contract. */
import type { Messaging } from '../messaging.js';

export interface ReportedError {
  readonly message: string;
  readonly where: string;
}

/** A cluster of its own for one test. */
export interface TestCluster {
  /** The messaging of one more process; inside one process all share it. */
  join(): Promise<Messaging>;
  /** What the error hooks were told, over all processes. */
  readonly reported: readonly ReportedError[];
  close(): Promise<void>;
}

/** Asks again and again until the answer is something other than undefined, null or false; throws after a while. */
export type Eventually = (what: string, check: () => unknown) => Promise<unknown>;

export interface Adapter {
  readonly name: string;
  readonly eventually: Eventually;
  open(): Promise<TestCluster>;
}
