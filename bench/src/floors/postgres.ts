/** What this machine's PostgreSQL commits at most, from one connection that waits for each commit. */
import pg from 'pg';

export interface CommitFloor {
  /** One row, one statement, one commit. */
  readonly single_commits_per_s: number;
  /** 64 rows in each commit. */
  readonly batched_rows_per_s: number;
}

const ROWS_OF_A_BATCH = 64;
/** About what the events of one command take. */
const BODY = 'x'.repeat(300);

export async function commitFloor(url: string, seconds: number): Promise<CommitFloor> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      'create table if not exists bench_floor (id bigint generated always as identity primary key, body text)',
    );
    const single = await statementsPerSecond(seconds, () =>
      client.query({ name: 'single', text: 'insert into bench_floor (body) values ($1)', values: [BODY] }),
    );
    const bodies = new Array<string>(ROWS_OF_A_BATCH).fill(BODY);
    const batches = await statementsPerSecond(seconds, () =>
      client.query({
        name: 'batch',
        text: 'insert into bench_floor (body) select * from unnest($1::text[])',
        values: [bodies],
      }),
    );
    await client.query('drop table bench_floor');
    return { single_commits_per_s: single, batched_rows_per_s: batches * ROWS_OF_A_BATCH };
  } finally {
    await client.end();
  }
}

async function statementsPerSecond(seconds: number, statement: () => Promise<unknown>): Promise<number> {
  for (let warmUp = 0; warmUp < 50; warmUp += 1) await statement();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let count = 0;
  while (performance.now() < endsAt) {
    await statement();
    count += 1;
  }
  return count / ((performance.now() - startedAt) / 1000);
}
