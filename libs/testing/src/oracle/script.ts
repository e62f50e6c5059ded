/**
 * What the world around a run does, as a function of places in it: the same call gets the same ending, in whatever order
 * the run comes to it. Places are written as people read them: `nodes.each[3].nodes.pay`.
 */
import type { ActivityRef, Contract, Json, SchemaRef } from '@graphrun/dsl';
import type { Failure } from './failure.js';

/** An attempt of an activity, or of what undoes it. */
export interface Call {
  /** The activity node, also for its compensation. */
  readonly path: string;
  readonly role: 'forward' | 'compensation';
  /** From 1; attempts that were handed back unstarted do not count. */
  readonly attempt: number;
}

export type LossKind = 'worker_lost' | 'timeout' | 'unhandled' | 'bad_output' | 'too_large';

/**
 * What a person does about an attempt that nobody else can judge: finds out what has become of it, has it repeated without
 * knowing, or calls it failed. Whoever only looks may have been spared the question by a reconciler; the others are asked
 * because the reconciler, if there is one, does not know. Undoing is never called failed, and where nothing may be repeated
 * any more a person looks.
 */
export type Intervention = 'looks' | 'repeats' | 'fails';

/** What an attempt comes to. */
export type Ending =
  /** The output is `Script.perform` of the input. */
  | { readonly kind: 'success' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** The handler could not read its input, so it did nothing. */
  | { readonly kind: 'undecoded' }
  | Loss;

/** No proper result. `applied` is what somebody finds out who looks: whether the effect is there nevertheless. */
export interface Loss {
  readonly kind: LossKind;
  readonly applied: boolean;
  readonly person: Intervention;
}

/** What an activity fails with when a person calls it failed. */
export const DECLINED: Failure = { code: 'declined', message: 'a person says that it failed' };

export interface Script {
  readonly ending: (call: Call) => Ending;
  /** What an activity returns for its input, if it returns. */
  readonly perform: (activity: ActivityRef, input: Json) => Json;
  /** Signals that are there before anything is waited for, in the order of their acceptance. */
  readonly buffered: readonly BufferedSignal[];
  /** Payload of the signal that comes while this wait is open, undefined if none does. It comes before a timeout. */
  readonly answer: (path: string, signal: string) => Json | undefined;
  /** Payload of the signal that comes too late for this wait, when its time is over; undefined if none does. */
  readonly late: (path: string, address: Address) => Json | undefined;
  /** What an operator gives a compensation whose input could not be built. */
  readonly supply: (schema: SchemaRef) => Json;
}

export interface Address {
  readonly signal: string;
  readonly key: string;
}

export interface BufferedSignal extends Address {
  readonly id: string;
  readonly payload: Json;
}

/** Id of the signal that answers a wait. */
export function answerId(path: string): string {
  return `answer to ${path}`;
}

/** Id of the signal that comes too late for a wait. */
export function lateId(path: string): string {
  return `too late for ${path}`;
}

/** True when nobody knows, from the ending alone, whether the effect is there: pure work has none. */
export function leavesUnknown({ effects }: Contract, ending: Ending): ending is Loss {
  return effects === 'external' && 'applied' in ending;
}

/** What a loss is called when it becomes a failure. */
export const LOSS_CODES: Readonly<Record<LossKind, string>> = {
  worker_lost: 'activity.lost',
  timeout: 'activity.timeout',
  unhandled: 'activity.unhandled',
  bad_output: 'activity.bad_output',
  too_large: 'worker.result_too_large',
};
