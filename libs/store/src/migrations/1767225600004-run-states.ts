/**
 * Runs may also have continued as another run, or have been terminated. Checkpoints have got another format: those of the
 * first one are forgotten, and the events, which are all there, give the state instead.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RunStates1767225600004 implements MigrationInterface {
  readonly name = 'RunStates1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE graphrun.run DROP CONSTRAINT run_status_check`);
    await runner.query(
      `ALTER TABLE graphrun.run ADD CONSTRAINT run_status_check CHECK (status IN
         ('active', 'stopping', 'blocked', 'succeeded', 'failed', 'cancelled', 'continued', 'terminated'))`,
    );
    await runner.query(`DELETE FROM graphrun.checkpoint WHERE state LIKE '%"format":"graphrun.checkpoint/v1"%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE graphrun.run DROP CONSTRAINT run_status_check`);
    await runner.query(
      `ALTER TABLE graphrun.run ADD CONSTRAINT run_status_check CHECK (status IN
         ('active', 'stopping', 'blocked', 'succeeded', 'failed', 'cancelled'))`,
    );
  }
}
