/** Runs as they stand in the store when everything is over: from PostgreSQL, or from the API of an embedded engine. */
import { Client } from 'pg';
import { describeEvent, readEvent } from '@graphrun/domain';
import type { EventView } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { RunList, RunListEntry } from '../harness/api-shapes.js';
import type { Api } from '../harness/api.js';
import { each } from '../harness/each.js';
import { groupBy } from './group-by.js';

export interface RecordedRun {
  readonly run: string;
  readonly workflow: string;
  readonly status: string;
  readonly startKey: string | null;
  /** In the order in which the store keeps them. */
  readonly events: readonly EventView[];
  /** Whether a row says what the run waits for; null where that cannot be seen. */
  readonly wakes: boolean | null;
}

/** The tables themselves: what no cache of a service can beautify. */
export async function runsInPostgres(url: string): Promise<readonly RecordedRun[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const runs = await client.query<RunRow>(
      `SELECT run, workflow, status, start_key, EXISTS (SELECT FROM graphrun.wake w WHERE w.run = r.run) AS wakes
         FROM graphrun.run r ORDER BY created_at, run`,
    );
    const rows = await client.query<EventRow>('SELECT run, data FROM graphrun.event ORDER BY run, seq');
    const events = groupBy(rows.rows, ({ run }) => run);
    return runs.rows.map(({ run, workflow, status, start_key, wakes }) => ({
      run,
      workflow,
      status,
      startKey: start_key,
      events: (events.get(run) ?? []).flatMap(({ data }) =>
        (JSON.parse(data) as Json[]).map(readEvent).map(describeEvent),
      ),
      wakes,
    }));
  } finally {
    await client.end();
  }
}

/** The same through lists and histories. */
export async function runsOverHttp(api: Api): Promise<readonly RecordedRun[]> {
  return each(await listAll(api), 8, async ({ run, workflow, status, start_key }) => ({
    run,
    workflow,
    status,
    startKey: start_key,
    events: await historyOf(api, run),
    wakes: null,
  }));
}

export async function historyOf(api: Api, run: string): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for (let from: number | null = 1; from !== null;) {
    const page: HistoryPage = await api.get(`/v1/runs/${run}/history?from_seq=${from}&limit=1000`);
    events.push(...page.events);
    from = page.next_seq;
  }
  return events;
}

async function listAll(api: Api): Promise<readonly RunListEntry[]> {
  const runs: RunListEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: RunList = await api.get(
      `/v1/runs?limit=500${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    runs.push(...page.runs);
    cursor = page.cursor;
  }
  return runs;
}

interface RunRow {
  readonly run: string;
  readonly workflow: string;
  readonly status: string;
  readonly start_key: string | null;
  readonly wakes: boolean;
}

interface EventRow {
  readonly run: string;
  readonly data: string;
}

interface HistoryPage {
  readonly events: readonly EventView[];
  readonly next_seq: number | null;
}
