/**
 * Signals that were accepted, by their identity: workflow, signal name and event id (spec 02 "Signals"). The same signal
 * again gets the first receipt for 7 days, whatever has become of its run, so this stands beside the runs and not in
 * them. It is written by the commit that accepts the signal: `apply_v2` is `apply_v1` with one set more.
 *
 * The key finds an identity; old ones go by block ranges of time, which cost nothing to write.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE: readonly string[] = [
  `CREATE TABLE graphrun.signal_identity (
     at          bigint NOT NULL,
     workflow_id uuid NOT NULL,
     run         uuid NOT NULL,
     version     integer NOT NULL,
     signal      text NOT NULL,
     event       text NOT NULL,
     digest      text NOT NULL,
     PRIMARY KEY (workflow_id, signal, event)
   ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000)`,
  `CREATE INDEX signal_identity_by_time ON graphrun.signal_identity
    USING brin (at) WITH (pages_per_range = 16, autosummarize = on)`,
];

/** The parameters of `apply_v1`, in its order. */
const PARAMETERS_V1: readonly (readonly [type: string, names: string])[] = [
  ['integer', 'm_partition'],
  ['bigint', 'm_epoch'],
  ['integer', 'm_incarnation'],
  ['bigint', 'm_commit_no m_position_seq'],
  ['text', 'm_position_id'],
  ['bigint', 'm_position_at m_engine_time'],
  ['uuid', 'e_run'],
  ['integer', 'e_seq e_count'],
  ['bigint', 'e_at'],
  ['text', 'e_data'],
  ['uuid', 'r_run r_workflow_id'],
  ['integer', 'r_ordinal r_partition'],
  ['text', 'r_namespace r_workflow'],
  ['integer', 'r_version'],
  ['text', 'r_digest r_start_key r_start_digest r_status'],
  ['bigint', 'r_created_at'],
  ['uuid', 'u_run'],
  ['text', 'u_status'],
  ['bigint', 'u_ended_at'],
  ['integer', 'w_partition'],
  ['uuid', 'w_run'],
  ['bigint', 'w_due_at'],
  ['text', 'w_kinds'],
  ['integer', 'd_partition'],
  ['uuid', 'd_run'],
  ['uuid', 'c_run'],
  ['integer', 'c_seq'],
  ['text', 'c_state'],
  ['integer', 's_partition'],
  ['text', 's_principal s_command_id s_digest s_result'],
  ['bigint', 's_at'],
  ['integer', 'q_partition q_incarnation'],
  ['bigint', 'q_seq'],
  ['uuid', 'q_run'],
  ['text', 'q_kind q_principal q_data q_error'],
  ['bigint', 'q_at'],
  ['uuid', 'x_run'],
  ['integer', 'x_partition'],
  ['text', 'x_reason'],
  ['bigint', 'x_since'],
  ['integer', 'x_attempts'],
];

const declared = PARAMETERS_V1.flatMap(([type, names]) => names.split(' ').map((name) => `${name} ${type}[]`));
const passedOn = PARAMETERS_V1.flatMap(([, names]) => names.split(' '));

const SETTINGS = `SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan`;

/** The guard stands first in `apply_v1`, so it goes first here: when it misses, nothing below is reached. */
const APPLY_V2 = `
CREATE FUNCTION graphrun.apply_v2(
  ${declared.join(', ')},
  i_workflow_id uuid[], i_signal text[], i_event text[], i_digest text[], i_run uuid[], i_version integer[],
  i_at bigint[]
) RETURNS void
LANGUAGE plpgsql
${SETTINGS}
AS $apply$
BEGIN
  PERFORM graphrun.apply_v1(${passedOn.join(', ')});

  -- An identity that is still there after its 7 days is taken over by the signal that came anew.
  IF cardinality(i_workflow_id) > 0 THEN
    INSERT INTO graphrun.signal_identity (workflow_id, signal, event, digest, run, version, at)
    SELECT * FROM unnest(i_workflow_id, i_signal, i_event, i_digest, i_run, i_version, i_at)
    ON CONFLICT (workflow_id, signal, event)
    DO UPDATE SET digest = excluded.digest, run = excluded.run, version = excluded.version, at = excluded.at;
  END IF;
END
$apply$`;

/** Identities of signals as they are sent: to a run, whose workflow they belong to. */
const SIGNALS_V1 = `
CREATE FUNCTION graphrun.signals_v1(k_run uuid[], k_signal text[], k_event text[])
RETURNS TABLE (asked_run uuid, workflow_id uuid, signal text, event text, digest text, run uuid, version integer, at bigint)
LANGUAGE plpgsql STABLE
${SETTINGS}
AS $read$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT k.run, i.workflow_id, i.signal, i.event, i.digest, i.run, i.version, i.at
    FROM (SELECT DISTINCT * FROM unnest(k_run, k_signal, k_event)) AS k (run, signal, event)
    JOIN graphrun.run AS r ON r.run = k.run
    JOIN graphrun.signal_identity AS i
      ON i.workflow_id = r.workflow_id AND i.signal = k.signal AND i.event = k.event;
END
$read$`;

export class SignalIdentities1767225600005 implements MigrationInterface {
  readonly name = 'SignalIdentities1767225600005';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLE, APPLY_V2, SIGNALS_V1]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION graphrun.signals_v1');
    await runner.query('DROP FUNCTION graphrun.apply_v2');
    await runner.query('DROP TABLE graphrun.signal_identity');
  }
}
