/**
 * The sets of a commit as the parameters of `graphrun.apply_v2`, in its order: one array for each column, NULL for
 * the columns of an empty set.
 */
import type { PartitionWrites } from '../contract.js';
import { int4Array, int8Array, textArray, uuidArray } from './array-encoding.js';
import { storableText } from './storable-text.js';

/** Number of parameters of `graphrun.apply_v2`. */
const PARAMETER_COUNT = 64;

/** The one statement of the hot path. It is named, so a session parses it once. */
export const APPLY_STATEMENT = {
  name: 'graphrun_apply_v2',
  text: `SELECT graphrun.apply_v2(${Array.from({ length: PARAMETER_COUNT }, (_, index) => `$${index + 1}`).join(', ')})`,
} as const;

type Parameter = Buffer | null;
type Column<Row> = (rows: readonly Row[]) => Buffer;

const int4 =
  <Row>(field: (row: Row) => number): Column<Row> =>
  (rows) =>
    int4Array(rows.map(field));
const int8 =
  <Row>(field: (row: Row) => number | null): Column<Row> =>
  (rows) =>
    int8Array(rows.map(field));
const uuid =
  <Row>(field: (row: Row) => string | null): Column<Row> =>
  (rows) =>
    uuidArray(rows.map(field));
const text =
  <Row>(field: (row: Row) => string | null): Column<Row> =>
  (rows) =>
    textArray(rows.map(field));

function columns<Row>(rows: readonly Row[], ...encoders: readonly Column<Row>[]): Parameter[] {
  return encoders.map((encode) => (rows.length === 0 ? null : encode(rows)));
}

/** Throws `EncodingError` for a value that no column can hold. */
export function applyParameters(writes: readonly PartitionWrites[]): Parameter[] {
  // Rows are locked in the order of the moves: one order for everybody, so that two owners never wait in a circle.
  const moves = writes.map((of) => of.move).sort((a, b) => a.partition - b.partition);
  const wakes = writes.flatMap((of) => of.wakes.map((wake) => ({ ...wake, partition: of.move.partition })));
  const wakeDeletes = writes.flatMap((of) => of.wakeDeletes.map((run) => ({ run, partition: of.move.partition })));

  return [
    ...columns(
      moves,
      int4((move) => move.partition),
      int8((move) => move.epoch),
      int4((move) => move.incarnation),
      int8((move) => move.commitNo),
      int8((move) => move.position.seq),
      text((move) => move.position.messageId),
      int8((move) => move.position.timestamp),
      int8((move) => move.engineTime),
    ),
    ...columns(
      writes.flatMap((of) => of.events),
      uuid((row) => row.run),
      int4((row) => row.seq),
      int4((row) => row.count),
      int8((row) => row.at),
      text((row) => row.data),
    ),
    ...columns(
      writes.flatMap((of) => of.runInserts),
      uuid((row) => row.run),
      uuid((row) => row.workflowId),
      int4((row) => row.ordinal),
      int4((row) => row.partition),
      text((row) => row.namespace),
      text((row) => row.workflow),
      int4((row) => row.version),
      text((row) => row.digest),
      text((row) => row.startKey),
      text((row) => row.startDigest),
      text((row) => row.status),
      int8((row) => row.createdAt),
    ),
    ...columns(
      lastOfEachRun(writes.flatMap((of) => of.runUpdates)),
      uuid((row) => row.run),
      text((row) => row.status),
      int8((row) => row.endedAt),
    ),
    ...columns(
      lastOfEachRun(wakes),
      int4((row) => row.partition),
      uuid((row) => row.run),
      int8((row) => row.dueAt),
      text((row) => row.kinds),
    ),
    ...columns(
      wakeDeletes,
      int4((row) => row.partition),
      uuid((row) => row.run),
    ),
    ...columns(
      lastOfEachRun(writes.flatMap((of) => of.checkpoints)),
      uuid((row) => row.run),
      int4((row) => row.seq),
      text((row) => row.state),
    ),
    ...columns(
      writes.flatMap((of) => of.results),
      int4((row) => row.partition),
      text((row) => row.principal),
      text((row) => row.commandId),
      text((row) => row.digest),
      text((row) => row.result),
      int8((row) => row.at),
    ),
    // What is quarantined is by nature what something refused: it is escaped where needed, so that this row never is.
    ...columns(
      writes.flatMap((of) => of.quarantined),
      int4((row) => row.partition),
      int4((row) => row.incarnation),
      int8((row) => row.seq),
      uuid((row) => row.run),
      text((row) => storableText(row.kind)),
      text((row) => storableText(row.principal)),
      text((row) => storableText(row.data)),
      text((row) => storableText(row.error)),
      int8((row) => row.at),
    ),
    ...columns(
      lastOfEachRun(writes.flatMap((of) => of.unrecoverable)),
      uuid((row) => row.run),
      int4((row) => row.partition),
      text((row) => storableText(row.reason)),
      int8((row) => row.since),
      int4((row) => row.attempts),
    ),
    ...columns(
      writes.flatMap((of) => of.signals),
      uuid((row) => row.workflowId),
      text((row) => row.signal),
      text((row) => row.event),
      text((row) => row.digest),
      uuid((row) => row.run),
      int4((row) => row.version),
      int8((row) => row.at),
    ),
  ];
}

/** Two commands of one commit may both set a run's row: the later one counts, and a statement may touch a row once. */
function lastOfEachRun<Row extends { readonly run: string }>(rows: readonly Row[]): readonly Row[] {
  const byRun = new Map(rows.map((row) => [row.run, row]));
  return byRun.size === rows.length ? rows : [...byRun.values()];
}
