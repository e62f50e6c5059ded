/** Activities declared in code: a typed reference for workflows, and the contract behind it for the catalog. */
import type { ActivityRef, Contract, Effects, Execution, Recovery } from '../ir.js';
import { activityReference, type ActivityReference, type AnySchema } from './witness.js';

/** Codes that a handler may report. */
export interface ErrorCodes {
  readonly [code: string]: { readonly retryable: boolean };
}

export interface ActivityTerms<
  Input extends AnySchema,
  Output extends AnySchema,
  Effect extends Effects,
  Errors extends ErrorCodes,
> {
  readonly name: string;
  /** A positive integer. */
  readonly version: number;
  readonly input: Input;
  readonly output: Output;
  /** `blocking` work runs in a worker thread. Default `async`. */
  readonly execution?: Execution;
  readonly effects: Effect;
  /** What may happen after an attempt whose outcome is unknown. */
  readonly recovery: Recovery;
  /** Codes in order, with what may be retried; none by default. (JavaScript puts codes that are integers first.) */
  readonly errors?: Errors;
  /** The handler that can tell whether an effect happened. It is declared in the catalog. */
  readonly reconciler?: ActivityRef;
  /** For people. */
  readonly description?: string;
}

/** Of the codes, those that may be retried as far as the type checker knows. */
type RetryableCode<Errors extends ErrorCodes> = {
  [Code in keyof Errors & string]: true extends Errors[Code]['retryable'] ? Code : never;
}[keyof Errors & string];

/** A reference that also knows its contract. */
export interface ActivityDeclaration<
  Input extends AnySchema = AnySchema,
  Output extends AnySchema = AnySchema,
  Code extends string = string,
  Retryable extends string = string,
  Effect extends Effects = Effects,
> extends ActivityReference<Input, Output, Retryable, Effect> {
  /** Codes that a handler may report. */
  readonly errors: readonly Code[];
  readonly contract: Contract;
  readonly description?: string;
}

/** Declares an activity. Throws `TypeError` when the version is not a positive integer; `catalog` checks the rest. */
export function activity<
  Input extends AnySchema,
  Output extends AnySchema,
  const Effect extends Effects,
  // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- without `errors` there are no codes
  const Errors extends ErrorCodes = Readonly<Record<never, never>>,
>(
  options: ActivityTerms<Input, Output, Effect, Errors>,
): ActivityDeclaration<Input, Output, keyof Errors & string, RetryableCode<Errors>, Effect> {
  const { name, version, input, output, execution = 'async', effects, recovery, description } = options;
  const errors: Readonly<Record<string, { readonly retryable: boolean }>> = options.errors ?? {};
  const codes = Object.keys(errors);
  const isCode = (code: string): code is keyof Errors & string => Object.hasOwn(errors, code);
  const isRetryable = (code: string): code is RetryableCode<Errors> => errors[code]?.retryable === true;
  const { reconciler = null } = options;
  const contract: Contract = {
    name,
    version,
    inputSchema: input.ref,
    outputSchema: output.ref,
    execution,
    effects,
    recovery,
    errorCodes: codes.map((code) => ({ code, retryable: isRetryable(code) })),
    reconciler: reconciler === null ? null : { name: reconciler.name, version: reconciler.version },
  };
  return {
    ...activityReference({ name, version, input, output, effects, retryable: codes.filter(isRetryable) }),
    errors: codes.filter(isCode),
    contract,
    ...(description === undefined ? {} : { description }),
  };
}
