/**
 * What the world around a run does, as a function of places in it: the same call gets the same ending, in whatever order
 * the run comes to it. Places are written as people read them: `nodes.each[3].nodes.pay`.
 */
import type { ActivityRef, Contract, Json, SchemaRef } from '@graphrun/dsl';

/** An attempt of an activity, or of what undoes it. */
export interface Call {
  /** The activity node, also for its compensation. */
  readonly path: string;
  readonly role: 'forward' | 'compensation';
  /** From 1; attempts that were handed back unstarted do not count. */
  readonly attempt: number;
}

export type LossKind = 'worker_lost' | 'timeout' | 'unhandled' | 'bad_output';

/** What an attempt comes to. */
export type Ending =
  /** The output is `Script.perform` of the input. */
  | { readonly kind: 'success' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** No proper result. `applied` is what somebody finds out who looks: whether the effect is there nevertheless. */
  | { readonly kind: LossKind; readonly applied: boolean };

export interface Script {
  readonly ending: (call: Call) => Ending;
  /** What an activity returns for its input, if it returns. */
  readonly perform: (activity: ActivityRef, input: Json) => Json;
  /** Signals that are there before anything is waited for, in the order of their acceptance. */
  readonly buffered: readonly BufferedSignal[];
  /** Payload of the signal that comes while this wait is open, undefined if none does. It comes before a timeout. */
  readonly answer: (path: string, signal: string) => Json | undefined;
  /** What an operator gives a compensation whose input could not be built. */
  readonly supply: (schema: SchemaRef) => Json;
}

export interface BufferedSignal {
  readonly id: string;
  readonly signal: string;
  readonly key: string;
  readonly payload: Json;
}

/** Id of the signal that answers a wait. */
export function answerId(path: string): string {
  return `answer to ${path}`;
}

/** True when nobody knows, from the ending alone, whether the effect is there: pure work has none. */
export function leavesUnknown({ effects }: Contract, ending: Ending): boolean {
  return effects === 'external' && ending.kind !== 'success' && ending.kind !== 'error';
}

/** What a loss is called when it becomes a failure. */
export const LOSS_CODES: Readonly<Record<LossKind, string>> = {
  worker_lost: 'activity.lost',
  timeout: 'activity.timeout',
  unhandled: 'activity.unhandled',
  bad_output: 'activity.bad_output',
};
