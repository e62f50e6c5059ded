/** Errors that a handler throws on purpose. */
import { isName, isReservedErrorCode } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';

/**
 * A failure with a code of the activity's contract. It is retried only when the contract says that the code is
 * retryable and the node's `retry.errors` lists it. Anything else that a handler throws is `activity.unhandled`: for
 * external work an unknown outcome (spec 03 "Attempts"). Throw it when you know that the effect did not happen.
 *
 * Throws GraphrunError `InvalidArgument` for a code that is no name or belongs to the engine.
 */
export class ActivityError extends Error {
  override readonly name = 'ActivityError';
  readonly code: string;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    if (!isName(code)) {
      throw new GraphrunError(
        'InvalidArgument',
        `'${code}' is no error code: use 1 to 64 characters of A-Z a-z 0-9 _ . -`,
      );
    }
    if (isReservedErrorCode(code)) {
      throw new GraphrunError(
        'InvalidArgument',
        `the error code '${code}' is the engine's own: report a code of the contract`,
      );
    }
    this.code = code;
  }
}
