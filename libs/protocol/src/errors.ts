/**
 * The errors a caller can do something about, one class with a category (spec 05 "HTTP API"). Messages say what is
 * wrong, where, and what to do; `cause` keeps what lay beneath.
 */
export type ErrorCode =
  | 'InvalidArgument'
  | 'AlreadyExists'
  | 'FailedPrecondition'
  | 'NotFound'
  | 'Unauthenticated'
  | 'PermissionDenied'
  | 'Unavailable'
  | 'ResourceExhausted'
  | 'DeadlineExceeded'
  | 'Expired'
  | 'Internal';

export class GraphrunError extends Error {
  override readonly name = 'GraphrunError';
  readonly code: ErrorCode;
  /** Machine-readable facts: the command id of an unknown outcome, diagnostics, the limit and its value. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}
