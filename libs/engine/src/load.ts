/** Builds a run from what is stored of it: the newest checkpoint and the events behind it. */
import type { Run, RunEvent, RunId } from '@graphrun/domain';
import { checkpointDigest, checkpointReferences, decodeCheckpoint, evolve, readEvent } from '@graphrun/domain';
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

/**
 * Definitions that the checkpoint and the events name, by digest. A run that was opened again with another version has
 * several, and its row the one that it was started with.
 */
async function programsOf(
  { run, checkpoint }: StoredRun,
  tail: readonly RunEvent[],
  source: RunSource,
): Promise<ReadonlyMap<string, Program>> {
  const digests = new Set(checkpoint === null ? [] : [reading(run, () => checkpointDigest(checkpoint.state))]);
  for (const { body } of tail) {
    if (body.kind === 'run_admitted') digests.add(body.digest);
    if (body.kind === 'run_reopened' && body.definition !== undefined) digests.add(body.definition.digest);
  }
  const programs = new Map<string, Program>();
  for (const digest of digests) {
    const program = await source.program(digest).catch((cause: unknown) => {
      if (!(cause instanceof BrokenArtifactError)) throw cause;
      throw new UnrecoverableRunError(run, `its definition ${digest} cannot be read`, cause);
    });
    if (program === null) throw new UnrecoverableRunError(run, `its definition ${digest} is not stored`);
    programs.set(digest, program);
  }
  return programs;
}

/** What cannot be read makes the run unrecoverable. */
function reading<T>(run: RunId, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UnrecoverableRunError(run, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** Throws UnrecoverableRunError where the stored run is broken; errors of the source pass through. */
export async function loadRun(stored: StoredRun, source: RunSource): Promise<Run> {
  const tail = reading(stored.run, () => stored.tail.flatMap(eventsOf));
  const programs = await programsOf(stored, tail, source);
  const held = new Map<number, RunEvent>();
  if (stored.checkpoint !== null) {
    const missing = checkpointReferences(stored.checkpoint.state);
    if (missing.length > 0) {
      const rows = await source.eventsAt(stored.run, missing);
      for (const row of rows) for (const event of eventsOf(row)) held.set(event.seq, event);
    }
  }
  return reading(stored.run, () => {
    let run: Run | null = null;
    if (stored.checkpoint !== null) {
      run = decodeCheckpoint(programs, stored.checkpoint.state, (seq) => {
        const event = held.get(seq);
        if (event === undefined) throw new Error(`its checkpoint refers to event ${seq}, which is not stored`);
        return event;
      });
    }
    for (const event of tail) {
      const expected: number = run === null ? 1 : run.seq + 1;
      if (event.seq !== expected) throw new Error(`event ${expected} is missing before event ${event.seq}`);
      run = evolve(run, event, programs);
    }
    if (run === null) throw new Error('no event is stored of it');
    return run;
  });
}
