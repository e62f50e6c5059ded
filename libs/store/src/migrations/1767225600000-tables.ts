/**
 * The tables (docs/data-model.md says what is written when).
 *
 * Written by hand, because the details matter on the hot path: payloads are `text` (jsonb refuses NUL and lone
 * surrogates that JSON allows as escapes, which would stall a partition), identities are `uuid` (16 bytes), rows
 * that change often have room on their page and no index on what changes, so that updates stay heap-only. Times are
 * bigint, UTC milliseconds, as everywhere in the engine. There are no foreign keys: the apply transaction is the
 * only writer of runs, and a key lookup for each inserted row would be paid by each command.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS: readonly string[] = [
  `CREATE TABLE graphrun.cluster (
     singleton       boolean PRIMARY KEY DEFAULT true CHECK (singleton),
     id              uuid NOT NULL DEFAULT gen_random_uuid(),
     format          integer NOT NULL,
     partition_count integer,
     created_at      bigint NOT NULL
   )`,

  // Sixteen rows that change with each commit: a page of its own for few rows leaves room for heap-only updates.
  `CREATE TABLE graphrun.partition (
     partition      integer PRIMARY KEY,
     epoch          bigint NOT NULL DEFAULT 0,
     incarnation    integer NOT NULL DEFAULT 0,
     commit_no      bigint NOT NULL DEFAULT 0,
     position_seq   bigint NOT NULL DEFAULT 0,
     position_id    text NOT NULL DEFAULT '',
     position_at    bigint NOT NULL DEFAULT 0,
     engine_time    bigint NOT NULL DEFAULT 0,
     owner          text,
     backend_pid    integer,
     lease_until    bigint NOT NULL DEFAULT 0,
     takeovers_here integer NOT NULL DEFAULT 0,
     started_seq    bigint NOT NULL DEFAULT 0,
     started_times  integer NOT NULL DEFAULT 0,
     paused         boolean NOT NULL DEFAULT false
   ) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,

  // The order of the columns avoids padding: the widest alignment first, the payload last.
  `CREATE TABLE graphrun.event (
     at    bigint NOT NULL,
     run   uuid NOT NULL,
     seq   integer NOT NULL,
     count integer NOT NULL,
     data  text NOT NULL,
     PRIMARY KEY (run, seq)
   )`,

  `CREATE TABLE graphrun.run (
     created_at   bigint NOT NULL,
     ended_at     bigint,
     run          uuid PRIMARY KEY,
     workflow_id  uuid NOT NULL,
     ordinal      integer NOT NULL,
     partition    integer NOT NULL,
     version      integer NOT NULL,
     status       text NOT NULL
                  CHECK (status IN ('active', 'stopping', 'blocked', 'succeeded', 'failed', 'cancelled')),
     namespace    varchar(64) NOT NULL,
     workflow     varchar(64) NOT NULL,
     digest       text NOT NULL,
     start_key    varchar(128),
     start_digest text NOT NULL,
     UNIQUE (workflow_id, ordinal)
   ) WITH (fillfactor = 70)`,
  `CREATE INDEX run_by_age ON graphrun.run (namespace, created_at, run)`,

  `CREATE TABLE graphrun.wake (
     due_at    bigint,
     run       uuid NOT NULL,
     partition integer NOT NULL,
     kinds     text NOT NULL,
     PRIMARY KEY (partition, run)
   ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000)`,

  `CREATE TABLE graphrun.checkpoint (
     run   uuid PRIMARY KEY,
     seq   integer NOT NULL,
     state text NOT NULL
   ) WITH (fillfactor = 70)`,

  `CREATE TABLE graphrun.result (
     at         bigint NOT NULL,
     partition  integer NOT NULL,
     principal  text NOT NULL,
     command_id text NOT NULL,
     digest     text NOT NULL,
     result     text NOT NULL,
     PRIMARY KEY (partition, principal, command_id, at)
   ) PARTITION BY RANGE (at)`,
  // Takeover asks for the newest results: block ranges cost nothing to write and find them without reading the day.
  `CREATE INDEX result_by_time ON graphrun.result USING brin (at) WITH (pages_per_range = 16, autosummarize = on)`,
  // Catches what no daily partition takes, so that missed maintenance never fails a commit.
  `CREATE TABLE graphrun.result_default PARTITION OF graphrun.result DEFAULT`,

  `CREATE TABLE graphrun.quarantine (
     id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     at          bigint NOT NULL,
     seq         bigint NOT NULL,
     partition   integer NOT NULL,
     incarnation integer NOT NULL,
     run         uuid,
     kind        text NOT NULL,
     principal   text NOT NULL,
     data        text NOT NULL,
     error       text NOT NULL
   )`,

  `CREATE TABLE graphrun.unrecoverable (
     since     bigint NOT NULL,
     run       uuid PRIMARY KEY,
     partition integer NOT NULL,
     attempts  integer NOT NULL,
     reason    text NOT NULL
   )`,

  `CREATE TABLE graphrun.schema_entry (
     namespace    varchar(64) NOT NULL,
     name         text NOT NULL,
     published_at bigint NOT NULL,
     content      text NOT NULL,
     PRIMARY KEY (namespace, name)
   )`,
  `CREATE TABLE graphrun.contract (
     namespace    varchar(64) NOT NULL,
     name         varchar(64) NOT NULL,
     version      integer NOT NULL,
     published_at bigint NOT NULL,
     content      text NOT NULL,
     PRIMARY KEY (namespace, name, version)
   )`,
  `CREATE TABLE graphrun.artifact (
     digest       text PRIMARY KEY,
     published_at bigint NOT NULL,
     content      text NOT NULL
   )`,
  `CREATE TABLE graphrun.definition (
     namespace    varchar(64) NOT NULL,
     workflow     varchar(64) NOT NULL,
     version      integer NOT NULL,
     digest       text NOT NULL REFERENCES graphrun.artifact (digest),
     published_at bigint NOT NULL,
     PRIMARY KEY (namespace, workflow, version)
   )`,

  /** PostgreSQL's clock in UTC milliseconds, rounded down. */
  `CREATE FUNCTION graphrun.clock_ms() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
     AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$`,

  `INSERT INTO graphrun.cluster (format, created_at) VALUES (1, graphrun.clock_ms())`,
];

export class Tables1767225600000 implements MigrationInterface {
  readonly name = 'Tables1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA graphrun CASCADE');
  }
}
