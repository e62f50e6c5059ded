/** Builds a run from what is stored of it: the newest checkpoint and the events behind it. */
import type { Run, RunEvent, RunId } from '@graphrun/domain';
import { checkpointReferences, decodeCheckpoint, evolve, readEvent } from '@graphrun/domain';
import type { Json, Program } from '@graphrun/dsl';
import type { StoredRun } from '@graphrun/store';
import { BrokenArtifactError } from './programs.js';

/** What is stored of a run cannot be read: it is unrecoverable until somebody repairs it or brings the code that can. */
export class UnrecoverableRunError extends Error {
  override readonly name = 'UnrecoverableRunError';

  constructor(
    readonly run: RunId,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

export interface RunSource {
  program(digest: string): Promise<Program | null>;
  eventsAt(run: RunId, seqs: readonly number[]): Promise<readonly { seq: number; count: number; data: string }[]>;
}

function eventsOf(row: { readonly data: string }): readonly RunEvent[] {
  return (JSON.parse(row.data) as readonly Json[]).map(readEvent);
}

/** Throws UnrecoverableRunError where the stored run is broken; errors of the source pass through. */
export async function loadRun(stored: StoredRun, source: RunSource): Promise<Run> {
  const program = await source.program(stored.digest).catch((cause: unknown) => {
    if (!(cause instanceof BrokenArtifactError)) throw cause;
    throw new UnrecoverableRunError(stored.run, `its definition ${stored.digest} cannot be read`, cause);
  });
  if (program === null) throw new UnrecoverableRunError(stored.run, `its definition ${stored.digest} is not stored`);
  const held = new Map<number, RunEvent>();
  if (stored.checkpoint !== null) {
    const missing = checkpointReferences(stored.checkpoint.state);
    if (missing.length > 0) {
      const rows = await source.eventsAt(stored.run, missing);
      for (const row of rows) for (const event of eventsOf(row)) held.set(event.seq, event);
    }
  }
  try {
    let run: Run | null = null;
    if (stored.checkpoint !== null) {
      run = decodeCheckpoint(program, stored.checkpoint.state, (seq) => {
        const event = held.get(seq);
        if (event === undefined) throw new Error(`its checkpoint refers to event ${seq}, which is not stored`);
        return event;
      });
    }
    for (const row of stored.tail) {
      for (const event of eventsOf(row)) {
        const expected: number = run === null ? 1 : run.seq + 1;
        if (event.seq !== expected) throw new Error(`event ${expected} is missing before event ${event.seq}`);
        run = evolve(run, event, program);
      }
    }
    if (run === null) throw new Error('no event is stored of it');
    return run;
  } catch (cause) {
    throw new UnrecoverableRunError(stored.run, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
