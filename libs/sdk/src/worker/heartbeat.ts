/** What a handler says of itself while it runs: for people, so it is cut rather than refused. */
import { checkValue } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import { HEARTBEAT_DETAILS_BYTES } from '@graphrun/protocol';

export interface Heartbeat {
  /** Monotonic ms. */
  readonly at: number;
  readonly details: Json;
}

/** A copy of `details` that may be sent; a note in its place where it is no JSON or too long. Never throws. */
export function heartbeatDetails(details: unknown): Json {
  if (details === undefined) return null;
  const issue = checkValue(details);
  if (issue !== null && issue.limit === undefined) return { omitted: `details${issue.pointer} ${issue.message}` };
  const text = issue === null ? JSON.stringify(details) : null;
  if (text !== null && Buffer.byteLength(text) <= HEARTBEAT_DETAILS_BYTES) return JSON.parse(text) as Json;
  return { omitted: `the details are over the limit of ${HEARTBEAT_DETAILS_BYTES} bytes` };
}
