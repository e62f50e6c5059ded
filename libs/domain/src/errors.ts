/**
 * What can be wrong with a stored history or checkpoint. A run that meets one of these is unrecoverable by this
 * binary (spec 02 "Events"): it must be set aside, never guessed.
 */

/** An event has a kind or a version that this binary has no reader for. Use a binary that knows it. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError';
  constructor(
    readonly kind: string,
    readonly version: number,
  ) {
    super(
      `no reader for event "${kind}" version ${version}: it was written by a newer engine, use that version or later`,
    );
  }
}

/** Events do not fit each other or their definition: a gap, a wrong order, a foreign program, a damaged row. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** A checkpoint cannot be read; the run can still be reconstructed from its events. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}
