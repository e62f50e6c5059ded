/**
 * A run as its events say it was, at any point of its history. Nothing but events is read for it, and nothing is written:
 * that what is stored beside them agrees is what is found out.
 */
import { describeRun, encodeCheckpoint, explain } from '@graphrun/domain';
import type { Run, RunId, RunView } from '@graphrun/domain';
import { GraphrunError } from '@graphrun/protocol';
import type { RunReader } from './run-reader.js';

export interface Reconstruction {
  readonly run: RunId;
  /** The event after which this is the state. */
  readonly seq: number;
  /** The last event there is. */
  readonly last_seq: number;
  /** Whether checkpoint and tail, which the engine goes on from, give the state that all events give at `last_seq`. */
  readonly agrees: boolean;
  readonly state: RunView;
}

/** Throws `NotFound`, `InvalidArgument` for a sequence there is not, UnrecoverableRunError for what cannot be read. */
export async function reconstruct(reader: RunReader, run: RunId, seq: number | null): Promise<Reconstruction> {
  await reader.row(run);
  const stored = await reader.state(run);
  const upTo = seq ?? stored.seq;
  if (upTo > stored.seq) {
    throw new GraphrunError('InvalidArgument', `Run ${run} has ${stored.seq} events; there is no event ${upTo} (yet).`);
  }
  const [then, last] = await reader.replayed(run, [upTo, stored.seq]);
  if (then === undefined || last === undefined)
    throw new Error('a replay gives a state for each event it was asked for');
  return {
    run,
    seq: upTo,
    last_seq: stored.seq,
    agrees: encodeCheckpoint(stored) === encodeCheckpoint(last),
    state: viewOf(then),
  };
}

/** As it was explained then, but for the workers of that time, of which nothing is recorded. */
function viewOf(run: Run): RunView {
  return describeRun(run, explain(run, { now: run.updatedAt, workersFor: () => null }));
}
