/** Turns what the NATS client throws into the two errors a caller of the ports can act on. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { GraphrunError } from '@graphrun/protocol';

/** JetStream error codes that mean "no room": of the account, the server's memory or disk, or for one message. */
const EXHAUSTED = new Set([10002, 10023, 10028, 10047, 10054]);

/** A stream at its limits answers with the general code for a failed store and one of these texts. */
const NO_ROOM = /maximum (messages|bytes|messages per subject) exceeded/i;

const TOO_LARGE_FOR_SERVER = /max_payload/i;

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
  if (TOO_LARGE_FOR_SERVER.test(reason)) {
    return new GraphrunError(
      'ResourceExhausted',
      `${what} failed: the message is larger than max_payload of the NATS server; set it to 1048576 at least`,
      { cause },
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
