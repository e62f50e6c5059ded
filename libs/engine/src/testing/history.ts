/** What PostgreSQL has of a run, checked while it is read: sequences without gap or repeat, one success an activation. */
import type { RunEvent, RunId } from '@graphrun/domain';
import type { Database } from '@graphrun/store';

export async function historyOf(database: Database, run: RunId): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for (const row of await database.query.events(run, 1, 10_000)) {
    const held = JSON.parse(row.data) as RunEvent[];
    if (held.length !== row.count || held[0]?.seq !== row.seq)
      throw new Error(`row ${row.seq} of ${run} is not what it says`);
    events.push(...held);
  }
  events.forEach((event, index) => {
    if (event.seq !== index + 1) throw new Error(`event ${index + 1} of ${run} is ${event.seq}`);
  });
  const succeeded = events.flatMap(({ body }) => (body.kind === 'activity_succeeded' ? [body.activation] : []));
  if (new Set(succeeded).size !== succeeded.length) throw new Error(`an activation of ${run} succeeded twice`);
  return events;
}

export async function kindsOf(database: Database, run: RunId): Promise<readonly string[]> {
  return (await historyOf(database, run)).map(({ body }) => body.kind);
}

/** The letters of a run's wake row: why it will go on. Null when it has none. */
export async function wakeKindsOf(database: Database, run: RunId): Promise<string | null> {
  const row = await database.query.run(run);
  const wakes = row === null ? [] : await database.engine.wakes(row.partition, null, 10_000);
  return wakes.find((wake) => wake.run === run)?.kinds ?? null;
}

/** Waits until an event of a kind is stored of a run, so often, and gives the last of them. */
export async function recorded(
  database: Database,
  run: RunId,
  kind: RunEvent['body']['kind'],
  times = 1,
): Promise<RunEvent> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const events = await historyOf(database, run);
    const found = events.filter(({ body }) => body.kind === kind)[times - 1];
    if (found !== undefined) return found;
    if (Date.now() > deadline) {
      throw new Error(`no ${kind} of run ${run}; it has ${events.map(({ body }) => body.kind).join(', ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How a run ended, as stored. Looks until it has; for tests in which notices may be lost. */
export async function endOf(database: Database, run: RunId, timeoutMs = 20_000): Promise<RunEvent['body']> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const row = await database.query.run(run);
    if (row?.endedAt != null) {
      const last = (await historyOf(database, run)).at(-1);
      if (last === undefined) throw new Error(`run ${run} has ended without an event`);
      return last.body;
    }
    if (Date.now() > deadline)
      throw new Error(
        `run ${run} has not ended after ${timeoutMs} ms; it has ${(await kindsOf(database, run)).join(', ')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
