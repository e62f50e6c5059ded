/** Errors as RFC 9457 problem documents (spec 05 "HTTP API"). */
import type { ErrorCode } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { Issue } from './shape/shape.js';

/** The one table of codes, HTTP statuses and titles. */
export const PROBLEMS: Readonly<Record<ErrorCode, { readonly status: number; readonly title: string }>> = {
  InvalidArgument: { status: 400, title: 'The request is not valid' },
  Unauthenticated: { status: 401, title: 'A valid API key is needed' },
  PermissionDenied: { status: 403, title: 'Not permitted' },
  NotFound: { status: 404, title: 'Not found' },
  AlreadyExists: { status: 409, title: 'It exists already with other content' },
  Expired: { status: 410, title: 'The command came too late' },
  FailedPrecondition: { status: 412, title: 'Not possible in the present state' },
  ResourceExhausted: { status: 429, title: 'A limit is reached' },
  Internal: { status: 500, title: 'Internal error' },
  Unavailable: { status: 503, title: 'Not available now' },
  DeadlineExceeded: { status: 504, title: 'The outcome is unknown' },
};

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly [detail: string]: unknown;
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** An error whose HTTP status is more exact than the one of its code. */
export class HttpProblem extends GraphrunError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly status: number,
    details: Record<string, unknown> = {},
  ) {
    super(code, message, { details });
  }
}

function kebab(code: ErrorCode): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** The problem document of an error. What is not a GraphrunError is `Internal` and says nothing of its inside. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof GraphrunError)) {
    return problemOf(new GraphrunError('Internal', 'The server failed on this request; its log says why.'));
  }
  const { status, title } = PROBLEMS[error.code];
  return {
    ...error.details,
    type: `urn:graphrun:problem:${kebab(error.code)}`,
    title,
    status: error instanceof HttpProblem ? error.status : status,
    detail: error.message,
    code: error.code,
  };
}

/** Refuses a request for everything that is wrong with it at once. */
export function invalid(issues: readonly Issue[]): GraphrunError {
  const first = issues[0];
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  const where = first === undefined || first.pointer === '' ? 'the body' : first.pointer;
  return new GraphrunError('InvalidArgument', `${where} ${first?.message ?? 'is not valid'}${more}.`, {
    details: { errors: issues },
  });
}
