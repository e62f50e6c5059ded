/** Handlers for trying out the engine rather than for showing a business. */
import type { Json } from '@graphrun/dsl';
import { ActivityError } from '@graphrun/sdk';
import type { ActivityContext } from '@graphrun/sdk';
import { effects } from '../effects.js';

export function echo(input: Json): Json {
  return input;
}

export function increment({ value }: { readonly value: number }): { readonly value: number } {
  return { value: value + 1 };
}

/** Fails the first `fail_attempts` attempts with the retryable code `test.unlucky`. */
export function flaky(input: { readonly fail_attempts?: number }, context: ActivityContext): unknown {
  const failures = input.fail_attempts ?? 0;
  if (context.attempt <= failures) {
    throw new ActivityError('test.unlucky', `attempt ${context.attempt} of ${failures} that are to fail`);
  }
  return input;
}

/** An effect that may not be repeated without asking: its contract is `Manual`. */
export function manual(input: Json, context: ActivityContext): Json | Promise<Json> {
  return effects.request({ activity: 'test.manual', input, output: input }, context);
}
