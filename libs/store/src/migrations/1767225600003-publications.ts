/**
 * What a publication keeps beside what is executed: of a definition the text that people wrote and what it says to
 * people, of a catalog its reconcilers. All of it is null or absent for what was published before.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Publications1767225600003 implements MigrationInterface {
  readonly name = 'Publications1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE graphrun.definition ADD COLUMN source text, ADD COLUMN annotations text');
    await runner.query(
      `CREATE TABLE graphrun.reconciler (
         namespace    varchar(64) NOT NULL,
         name         varchar(64) NOT NULL,
         version      integer NOT NULL,
         published_at bigint NOT NULL,
         content      text NOT NULL,
         PRIMARY KEY (namespace, name, version)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE graphrun.reconciler');
    await runner.query('ALTER TABLE graphrun.definition DROP COLUMN source, DROP COLUMN annotations');
  }
}
