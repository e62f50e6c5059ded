/** What PGlite commits at most, in this process: one row, one statement, one commit. */
import { PGlite } from '@electric-sql/pglite';
import { removeDir, tempDir } from '@graphrun/testing';

const BODY = 'x'.repeat(300);

export interface PgliteFloor {
  readonly pglite_commits_per_s: number;
}

export async function pgliteFloor(seconds: number): Promise<PgliteFloor> {
  const dir = await tempDir('bench-pglite');
  const database = await PGlite.create(dir);
  try {
    await database.exec('create table floor (id bigint generated always as identity primary key, body text)');
    const startedAt = performance.now();
    let count = 0;
    for (; performance.now() < startedAt + seconds * 1000; count += 1) {
      await database.query('insert into floor (body) values ($1)', [BODY]);
    }
    return { pglite_commits_per_s: count / ((performance.now() - startedAt) / 1000) };
  } finally {
    await database.close();
    await removeDir(dir);
  }
}
