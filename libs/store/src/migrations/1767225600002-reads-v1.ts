/**
 * What the owner of a partition looks up for each batch, as functions, for the sake of their planner settings: the plan
 * of a prepared statement is made once for a session, often while the tables are still empty, and one that reads whole
 * tables would be right then and ruinous an hour later. Indexes are the right way for any size of these tables.
 *
 * A function that has shipped is never edited; a new shape is a `_v2` beside it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SETTINGS = `LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan`;

const FUNCTIONS: Readonly<Record<string, string>> = {
  results_v1: `
CREATE FUNCTION graphrun.results_v1(k_partition integer[], k_principal text[], k_command_id text[])
RETURNS TABLE (partition integer, principal text, command_id text, digest text, result text)
${SETTINGS}
AS $read$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.partition, r.principal::text, r.command_id::text, r.digest::text, r.result
    FROM (SELECT DISTINCT * FROM unnest(k_partition, k_principal, k_command_id)) AS k (partition, principal, command_id)
    JOIN graphrun.result AS r
      ON r.partition = k.partition AND r.principal = k.principal AND r.command_id = k.command_id;
END
$read$`,

  workflows_v1: `
CREATE FUNCTION graphrun.workflows_v1(ids uuid[])
RETURNS TABLE (workflow_id uuid, run uuid, ordinal integer, start_digest text, version integer, status text)
${SETTINGS}
AS $read$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.workflow_id, r.run, r.ordinal, r.start_digest::text, r.version, r.status::text
    FROM (SELECT DISTINCT * FROM unnest(ids)) AS wanted (workflow_id)
   CROSS JOIN LATERAL (
         SELECT * FROM graphrun.run AS of WHERE of.workflow_id = wanted.workflow_id
          ORDER BY of.ordinal DESC LIMIT 1) AS r;
END
$read$`,

  run_heads_v1: `
CREATE FUNCTION graphrun.run_heads_v1(runs uuid[])
RETURNS TABLE (run uuid, partition integer, digest text, checkpoint_seq integer, state text)
${SETTINGS}
AS $read$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.run, r.partition, r.digest::text, c.seq, c.state
    FROM (SELECT DISTINCT * FROM unnest(runs)) AS wanted (run)
    JOIN graphrun.run AS r ON r.run = wanted.run
    LEFT JOIN graphrun.checkpoint AS c ON c.run = r.run;
END
$read$`,

  run_tails_v1: `
CREATE FUNCTION graphrun.run_tails_v1(h_run uuid[], h_seq integer[])
RETURNS TABLE (run uuid, seq integer, count integer, data text)
${SETTINGS}
AS $read$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT e.run, e.seq, e.count, e.data
    FROM unnest(h_run, h_seq) AS head (run, seq)
    JOIN graphrun.event AS e ON e.run = head.run AND e.seq > head.seq
   ORDER BY e.run, e.seq;
END
$read$`,
};

export class ReadsV11767225600002 implements MigrationInterface {
  readonly name = 'ReadsV11767225600002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of Object.values(FUNCTIONS)) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(FUNCTIONS)) await runner.query(`DROP FUNCTION graphrun.${name}`);
  }
}
