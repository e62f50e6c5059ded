/** Invariant 7: what is stored in three ways is the same state, and nothing stands still without somebody to wake it. */
import {
  agenda,
  checkpointReferences,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  readEvent,
  reconstruct,
} from '@graphrun/domain';
import type { RunEvent } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { Tables } from '../servers/tables.js';
import type { RunRecord } from './record.js';
import { violated } from './violation.js';

/** The state that the engine had in memory, as it wrote it, is the one that events give. */
export function checkpointIsReplay(record: RunRecord, state: string): void {
  if (record.run === null) return;
  const replayed = encodeCheckpoint(record.run);
  if (replayed !== state)
    violated(
      '7 one state',
      `the checkpoint of run ${record.id} at ${record.run.seq} is not its replay: ${difference(state, replayed)}`,
    );
}

/** Checkpoint and tail give what all events give. */
export function tailIsReplay(record: RunRecord, tables: Tables): void {
  const { run, program, events } = record;
  const stored = run === null ? undefined : tables.loadRuns([run.id])[0];
  if (run === null || stored === undefined) return;
  const folded = reconstruct(program, events);
  const at = (seq: number): RunEvent => {
    const event = events[seq - 1];
    return event ?? violated('7 one state', `event ${seq} of run ${record.id} is missing`);
  };
  if (stored.checkpoint !== null) checkpointReferences(stored.checkpoint.state);
  let loaded = stored.checkpoint === null ? null : decodeCheckpoint(program, stored.checkpoint.state, at);
  for (const row of stored.tail)
    for (const json of JSON.parse(row.data) as readonly Json[]) loaded = evolve(loaded, readEvent(json), program);
  const [a, b] = [loaded === null ? '' : encodeCheckpoint(loaded), encodeCheckpoint(folded)];
  if (a !== b)
    violated('7 one state', `checkpoint and tail of run ${record.id} are not its replay: ${difference(a, b)}`);
}

/** A run that has not ended has a row that recovery finds it by, and the row says what it waits for. */
export function somebodyWillWakeIt(record: RunRecord, tables: Tables): void {
  const { run } = record;
  if (run === null) return;
  const wake = tables.wakeRows.get(run.id);
  const { terminal, ready, claims, timers, progressDue, waiting, blocked, paused } = agenda(run);
  if (terminal) {
    if (wake !== undefined) violated('7 wake source', `run ${record.id} has ended, and its wake row is there`);
    return;
  }
  const expected = [
    [ready.length > 0, 'r'],
    [claims.length > 0, 'c'],
    [timers.length > 0, 't'],
    [progressDue, 'p'],
    [waiting > 0, 'w'],
    [blocked, 'o'],
    [paused, 'h'],
  ] as const;
  const missing = expected.filter(([due, kind]) => due && wake?.kinds.includes(kind) !== true).map(([, kind]) => kind);
  if (wake === undefined || missing.length > 0)
    violated(
      '7 wake source',
      `run ${record.id} waits for ${missing.join('')}, its wake row says ${wake?.kinds ?? 'nothing'}`,
    );
  const dueAt = Math.min(...timers.map((timer) => timer.dueAt), ...claims.map(({ claim }) => claim.deadline));
  if (Number.isFinite(dueAt) && wake.dueAt !== dueAt)
    violated('7 wake source', `run ${record.id} is due at ${dueAt}, its wake row says ${wake.dueAt}`);
}

function difference(a: string, b: string): string {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return `...${a.slice(Math.max(0, index - 40), index + 60)}... instead of ...${b.slice(Math.max(0, index - 40), index + 60)}...`;
}
