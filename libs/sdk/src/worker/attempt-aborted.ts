/**
 * Why a handler is asked to stop (spec 03 "Attempts"):
 * - `lease_lost`: the claim is no longer ours, or its lease ended without a renewal; another worker may be running it;
 * - `cancelled`: the run stops and does not want the result;
 * - `deadline`: the attempt's time is over;
 * - `shutdown`: this worker is about to exit.
 */
export type AbortCause = 'lease_lost' | 'cancelled' | 'deadline' | 'shutdown';

const SENTENCES: Readonly<Record<AbortCause, string>> = {
  lease_lost: 'the claim of this attempt was lost; another worker may run it',
  cancelled: 'the run is stopping and asked to cancel this attempt',
  deadline: 'the deadline of this attempt has passed',
  shutdown: 'this worker is shutting down',
};

/** The reason of `ctx.signal` once it is aborted: `if (ctx.signal.reason.why === 'cancelled') ...`. */
export class AttemptAborted extends Error {
  override readonly name = 'AttemptAborted';
  readonly why: AbortCause;

  constructor(why: AbortCause, message: string = SENTENCES[why]) {
    super(message);
    this.why = why;
  }
}

export function isAbortCause(value: unknown): value is AbortCause {
  return typeof value === 'string' && Object.hasOwn(SENTENCES, value);
}
