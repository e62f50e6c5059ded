/**
 * The apply transaction as one function (spec 04 "The guard").
 *
 * The idea: guard, writes and commit must not be separable. If the owner's process did the guard first and the
 * commit later, it could be frozen between them and hold row locks until TCP gives up; if guard and inserts stood in
 * one statement, the inserts would happen although the guard matched nothing. Here the guard comes first and raises
 * when it misses, so PostgreSQL rolls back whatever the statement did, and the statement is its own transaction.
 *
 * An empty set is passed as NULL: `cardinality(NULL) > 0` is not true and its statement is not even planned.
 *
 * The planner settings belong to the function because its plans are made once for a session, often while the tables
 * are still empty: a plan that reads whole tables would be right then and ruinous an hour later.
 *
 * A function that has shipped is never edited: members of two versions may run against one store. A new shape is
 * `apply_v2` beside it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const APPLY_V1 = `
CREATE FUNCTION graphrun.apply_v1(
  m_partition integer[], m_epoch bigint[], m_incarnation integer[], m_commit_no bigint[],
  m_position_seq bigint[], m_position_id text[], m_position_at bigint[], m_engine_time bigint[],
  e_run uuid[], e_seq integer[], e_count integer[], e_at bigint[], e_data text[],
  r_run uuid[], r_workflow_id uuid[], r_ordinal integer[], r_partition integer[], r_namespace text[],
  r_workflow text[], r_version integer[], r_digest text[], r_start_key text[], r_start_digest text[],
  r_status text[], r_created_at bigint[],
  u_run uuid[], u_status text[], u_ended_at bigint[],
  w_partition integer[], w_run uuid[], w_due_at bigint[], w_kinds text[],
  d_partition integer[], d_run uuid[],
  c_run uuid[], c_seq integer[], c_state text[],
  s_partition integer[], s_principal text[], s_command_id text[], s_digest text[], s_result text[], s_at bigint[],
  q_partition integer[], q_incarnation integer[], q_seq bigint[], q_run uuid[], q_kind text[], q_principal text[],
  q_data text[], q_error text[], q_at bigint[],
  x_run uuid[], x_partition integer[], x_reason text[], x_since bigint[], x_attempts integer[]
) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $apply$
DECLARE
  moved integer;
BEGIN
  IF (SELECT max(t) FROM unnest(m_engine_time) AS t) > graphrun.clock_ms() + 2000 THEN
    RAISE EXCEPTION 'the proposed engine time is more than 2 s ahead of the clock of PostgreSQL' USING ERRCODE = 'GR002';
  END IF;

  UPDATE graphrun.partition AS p
     SET commit_no = p.commit_no + 1,
         position_seq = m.position_seq,
         position_id = m.position_id,
         position_at = m.position_at,
         engine_time = greatest(p.engine_time, m.engine_time),
         backend_pid = pg_backend_pid(),
         takeovers_here = CASE WHEN p.position_seq = m.position_seq THEN p.takeovers_here ELSE 0 END
    FROM unnest(m_partition, m_epoch, m_incarnation, m_commit_no, m_position_seq, m_position_id, m_position_at,
                m_engine_time)
      AS m (partition, epoch, incarnation, commit_no, position_seq, position_id, position_at, engine_time)
   WHERE p.partition = m.partition
     AND p.epoch = m.epoch
     AND p.incarnation = m.incarnation
     AND p.commit_no = m.commit_no
     AND NOT p.paused;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> cardinality(m_partition) THEN
    RAISE EXCEPTION 'the guard matched % of % partition rows', moved, cardinality(m_partition)
      USING ERRCODE = 'GR001';
  END IF;

  IF cardinality(e_run) > 0 THEN
    INSERT INTO graphrun.event (run, seq, count, at, data)
    SELECT * FROM unnest(e_run, e_seq, e_count, e_at, e_data);
  END IF;

  IF cardinality(r_run) > 0 THEN
    INSERT INTO graphrun.run (run, workflow_id, ordinal, partition, namespace, workflow, version, digest, start_key,
                              start_digest, status, created_at)
    SELECT * FROM unnest(r_run, r_workflow_id, r_ordinal, r_partition, r_namespace, r_workflow, r_version, r_digest,
                         r_start_key, r_start_digest, r_status, r_created_at);
  END IF;

  IF cardinality(u_run) > 0 THEN
    UPDATE graphrun.run AS r
       SET status = u.status, ended_at = u.ended_at
      FROM unnest(u_run, u_status, u_ended_at) AS u (run, status, ended_at)
     WHERE r.run = u.run;
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved <> cardinality(u_run) THEN
      RAISE EXCEPTION 'the status of % runs was to change, but % of them have a row', cardinality(u_run), moved
        USING ERRCODE = '23000';
    END IF;
  END IF;

  IF cardinality(w_run) > 0 THEN
    INSERT INTO graphrun.wake (partition, run, due_at, kinds)
    SELECT * FROM unnest(w_partition, w_run, w_due_at, w_kinds)
    ON CONFLICT (partition, run) DO UPDATE SET due_at = excluded.due_at, kinds = excluded.kinds;
  END IF;

  IF cardinality(d_run) > 0 THEN
    DELETE FROM graphrun.wake AS w
     USING unnest(d_partition, d_run) AS d (partition, run)
     WHERE w.partition = d.partition AND w.run = d.run;
  END IF;

  IF cardinality(c_run) > 0 THEN
    INSERT INTO graphrun.checkpoint (run, seq, state)
    SELECT * FROM unnest(c_run, c_seq, c_state)
    ON CONFLICT (run) DO UPDATE SET seq = excluded.seq, state = excluded.state;
  END IF;

  IF cardinality(s_partition) > 0 THEN
    INSERT INTO graphrun.result (partition, principal, command_id, digest, result, at)
    SELECT * FROM unnest(s_partition, s_principal, s_command_id, s_digest, s_result, s_at);
  END IF;

  IF cardinality(q_partition) > 0 THEN
    INSERT INTO graphrun.quarantine (partition, incarnation, seq, run, kind, principal, data, error, at)
    SELECT * FROM unnest(q_partition, q_incarnation, q_seq, q_run, q_kind, q_principal, q_data, q_error, q_at);
  END IF;

  IF cardinality(x_run) > 0 THEN
    INSERT INTO graphrun.unrecoverable (run, partition, reason, since, attempts)
    SELECT * FROM unnest(x_run, x_partition, x_reason, x_since, x_attempts)
    ON CONFLICT (run) DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts;
  END IF;
END
$apply$`;

export class ApplyV11767225600001 implements MigrationInterface {
  readonly name = 'ApplyV11767225600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(APPLY_V1);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        EXECUTE (SELECT 'DROP FUNCTION ' || oid::regprocedure FROM pg_proc
                  WHERE proname = 'apply_v1' AND pronamespace = 'graphrun'::regnamespace);
      END $$`);
  }
}
