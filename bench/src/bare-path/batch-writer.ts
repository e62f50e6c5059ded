/** Writes what a batch of commands decided: all rows and the position in one statement, so in one transaction. */
import pg from 'pg';

const TABLES = `
  create table bare_position (partition int primary key, epoch int not null, applied bigint not null);
  insert into bare_position values (0, 1, 0);
  create table bare_event (run text, first_seq int, events text not null, primary key (run, first_seq));
  create table bare_run (run text primary key, status text not null);
  create table bare_result (command text primary key, result text not null);`;

const WRITE = `
  with moved as (update bare_position set applied = $1 where partition = 0 and epoch = 1),
  events as (insert into bare_event select * from unnest($2::text[], $3::int[], $4::text[])),
  results as (insert into bare_result select * from unnest($5::text[], $6::text[]))
  insert into bare_run select * from unnest($7::text[], $8::text[])
  on conflict (run) do update set status = excluded.status`;

export class Batch {
  readonly #eventRuns: string[] = [];
  readonly #firstSeqs: number[] = [];
  readonly #events: string[] = [];
  readonly #commands: string[] = [];
  readonly #results: string[] = [];
  readonly #statuses = new Map<string, string>();

  event(run: string, firstSeq: number, events: readonly object[]): void {
    this.#eventRuns.push(run);
    this.#firstSeqs.push(firstSeq);
    this.#events.push(JSON.stringify(events));
  }

  result(command: string, result: object): void {
    this.#commands.push(command);
    this.#results.push(JSON.stringify(result));
  }

  status(run: string, status: string): void {
    this.#statuses.set(run, status);
  }

  async write(client: pg.Client, applied: number): Promise<void> {
    await client.query({
      name: 'write',
      text: WRITE,
      values: [
        applied,
        this.#eventRuns,
        this.#firstSeqs,
        this.#events,
        this.#commands,
        this.#results,
        [...this.#statuses.keys()],
        [...this.#statuses.values()],
      ],
    });
  }
}

export async function openBareStore(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(TABLES);
  return client;
}

export async function dropBareStore(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('drop table if exists bare_position, bare_event, bare_run, bare_result');
  await client.end();
}
