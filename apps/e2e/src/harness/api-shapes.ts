/** The parts of the API's answers that the campaign looks at (spec 05). */
import type { CompensationSummary, ObligationView, ReasonView, WaitView } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';

export interface RunAnswer {
  readonly run: string;
  readonly workflow_id: string;
  readonly workflow: string;
  readonly version: number;
  readonly status: string;
  readonly output?: Json;
  readonly error?: { readonly code: string; readonly message: string };
  readonly compensation?: CompensationSummary;
  /** The run it has continued as. */
  readonly successor?: string;
  readonly explain: readonly ReasonView[];
}

export interface RunDetails extends RunAnswer {
  readonly seq: number;
  readonly start_key: string | null;
  /** Open waits; timers have no key. */
  readonly waits: readonly WaitView[];
  readonly obligations: readonly ObligationView[];
}

export interface CommandAnswer {
  readonly command_id: string;
  readonly ok: boolean;
  readonly run: string;
  readonly workflow_id: string;
  readonly version: number;
}

export interface RunListEntry {
  readonly run: string;
  readonly workflow_id: string;
  readonly workflow: string;
  readonly status: string;
  readonly start_key: string | null;
}

export interface RunList {
  readonly runs: readonly RunListEntry[];
  readonly cursor: string | null;
}

export interface PartitionAnswer {
  readonly partition: number;
  readonly owner: string | null;
  readonly epoch: number;
  /** UTC ms. */
  readonly lease_until: number;
}

export interface WorkerAnswer {
  readonly worker: string;
  readonly session: string;
}
