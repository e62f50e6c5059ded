/**
 * What a user writes to answer for effects: reconcilers (spec 03 "Reconciliation"). One is asked when the outcome of an
 * attempt is unknown and the attempt may not be repeated. It looks; it never makes the effect.
 */
import type { Json } from '@graphrun/dsl';
import type { ActivityContext, HandlerOptions } from './handler.js';

/**
 * - `{ applied: output }`: the effect happened, and this is the output of the activity;
 * - `not_applied`: it did not happen, and it cannot happen any more: another attempt may follow;
 * - `unknown`: neither is certain, as while a request may still be under way.
 */
export type ProbeResult<Output = Json> = { readonly applied: Output } | 'not_applied' | 'unknown';

/**
 * Answers for the effect with the key `context.effectKey`, which is the key that the attempt in question was given. `input`
 * is the input of that attempt. Whatever it throws counts as `unknown`, and is logged.
 */
export type ReconcilerHandler<Input = Json, Output = unknown> = (
  input: Input,
  context: ActivityContext,
) => ProbeResult<Output> | Promise<ProbeResult<Output>>;

export type ReconcilerOptions<Input = Json> = Omit<HandlerOptions<Input>, 'roles'>;
