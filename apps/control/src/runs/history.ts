/** The events of a run, in pages by sequence. */
import { describeEvent, readEvent } from '@graphrun/domain';
import type { RunId, EventView } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { QueryStore } from '@graphrun/store';
import type { RunReader } from './run-reader.js';

export interface HistoryPage {
  readonly run: RunId;
  /** The first sequence that is still kept. */
  readonly retained_from: number;
  readonly events: readonly EventView[];
  /** Where the next page begins, null at the end of what is there now. */
  readonly next_seq: number | null;
}

/** Events from `fromSeq` on, at most `limit`. Throws `NotFound`. */
export async function readHistory(
  query: QueryStore,
  reader: RunReader,
  run: RunId,
  fromSeq: number,
  limit: number,
): Promise<HistoryPage> {
  await reader.row(run);
  // One row holds the events of one command: as many rows as events are asked for always suffice. One event more tells
  // whether there is a next page.
  const rows = await query.events(run, fromSeq, limit + 1);
  const events = rows
    .flatMap((row) => (JSON.parse(row.data) as readonly Json[]).map(readEvent))
    .filter((event) => event.seq >= fromSeq);
  const page = events.slice(0, limit);
  return { run, retained_from: 1, events: page.map(describeEvent), next_seq: events[limit]?.seq ?? null };
}
