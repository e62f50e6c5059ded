/** Turns what the NATS client throws into the two errors a caller of the ports can act on. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { GraphrunError } from '@graphrun/protocol';

/** JetStream error codes that mean "no room": messages, bytes, size of one message, account or server resources. */
const EXHAUSTED = new Set([10002, 10023, 10028, 10054, 10047, 10077, 10122]);

const NO_ROOM = /maximum (messages|bytes|messages per subject) exceeded|message size exceeds|insufficient resources/i;

/** `what` completes the sentence "<what> failed", such as "publishing to partition 3". */
export function toGraphrunError(cause: unknown, what: string): GraphrunError {
  if (cause instanceof GraphrunError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof JetStreamApiError && (EXHAUSTED.has(cause.code) || NO_ROOM.test(reason))) {
    return new GraphrunError(
      'ResourceExhausted',
      `${what} failed: the log has no room (${reason}); wait until the owner has caught up and send it again`,
      { cause, details: { jetstream_code: cause.code } },
    );
  }
  if (cause instanceof TimeoutError) {
    return new GraphrunError(
      'Unavailable',
      `${what} got no answer from JetStream in time: the outcome is unknown; send it again with the same command id`,
      { cause },
    );
  }
  return new GraphrunError(
    'Unavailable',
    `${what} failed: ${reason}; check that NATS with JetStream is reachable and has a quorum, then send it again`,
    { cause },
  );
}

/** Nobody listens on the subject: the server's own answer, however deep the client has wrapped it. */
export function isNoResponders(failure: unknown): boolean {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NoRespondersError) return true;
  }
  return false;
}
