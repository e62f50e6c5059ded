/** A hundred runs that wait for an activity without a worker cost nothing, and each says what it waits for. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { eventually, startProcess } from '@graphrun/testing';
import type { RunList } from './harness/api-shapes.js';
import { built } from './harness/built.js';
import { each } from './harness/each.js';
import { measured } from './harness/measures.js';
import { OwnCluster } from './harness/own-cluster.js';
import { processorMs } from './harness/processor-time.js';

const RUNS = 100;
/** How long nothing may happen, seconds; the promise is 60. */
const IDLE_S = Number(process.env['GRAPHRUN_E2E_IDLE_S'] ?? '20');
/** A backend of PostgreSQL may keep its counters this long before others see them. */
const COUNTERS_LATE_MS = 11_000;

/** Who reads or writes one of these tables, counted since the server started. */
const TOUCHES = `
  SELECT relname, seq_scan, coalesce(idx_scan, 0) AS idx_scan, n_tup_ins, n_tup_upd, n_tup_del
    FROM pg_stat_user_tables
   WHERE schemaname = 'graphrun' AND (relname IN ('run', 'event', 'wake', 'checkpoint') OR relname LIKE 'result%')
   ORDER BY relname`;

async function touchesOf(url: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const database = new Client({ connectionString: url });
  await database.connect();
  try {
    return (await database.query<Record<string, string>>(TOUCHES)).rows;
  } finally {
    await database.end();
  }
}

describe('an idle cluster', () => {
  let own: OwnCluster;

  beforeEach(async () => {
    own = await OwnCluster.start([{ name: 'other', activities: ['e2e.echo'] }]);
  });

  afterEach(() => own.stop());

  it(
    'touches no table of runs and work while a hundred runs wait, and explains each',
    async () => {
      await own.publish({ workflow: 'waits', activity: 'e2e.nobody', version: 1, timeout: '5m', maxAttempts: 1 });
      const runs = await each(
        Array.from({ length: RUNS }, (_, value) => value),
        16,
        async (value) => (await own.start('waits', value)).run,
      );

      const [coordinator] = own.cluster.coordinators;
      const watched = [coordinator?.pid ?? 0, own.cluster.control.pid];
      await pause(COUNTERS_LATE_MS); // what the starts did must not be counted to the idle time
      const before = await touchesOf(own.cluster.postgres.url);
      const usedBefore = watched.map(processorMs);
      const began = performance.now();
      await pause(IDLE_S * 1_000); // the time in which nothing may happen is the subject of this test
      const idleMs = performance.now() - began;
      const used = watched.map((pid, at) => processorMs(pid) - (usedBefore[at] ?? 0));
      const after = await touchesOf(own.cluster.postgres.url);
      measured('idle cluster', {
        runs: RUNS,
        idle_s: idleMs / 1_000,
        coordinator_cpu: (used[0] ?? 0) / idleMs,
        control_cpu: (used[1] ?? 0) / idleMs,
      });
      expect(before.map(({ relname }) => relname)).toEqual(
        expect.arrayContaining(['checkpoint', 'event', 'run', 'wake']),
      );
      expect(after).toEqual(before);
      // Far from busy, also on a machine where other things happen.
      expect((used[0] ?? 0) / idleMs).toBeLessThan(0.25);

      const views = await each(runs, 8, (run) => own.inspect(run));
      for (const { explain } of views) {
        expect(explain.map(({ code, path, message, action }) => ({ code, path, message, action }))).toEqual([
          {
            code: 'no_worker',
            path: 'nodes.work',
            message: 'e2e.nobody version 1 is queued, and no live worker takes it as forward work',
            action: 'start a worker that handles e2e.nobody version 1',
          },
        ]);
      }
      const cli = await startProcess({
        args: [built('apps/cli/dist/main.js'), 'explain', runs[0] ?? '', '--server', own.cluster.url],
      });
      expect(await cli.exited).toEqual({ code: 0, signal: null });
      expect(cli.stdout.join('\n')).toContain('no live worker takes it as forward work');

      // It was idle, not dead: the worker that was missing makes all of them end.
      await own.addWorker({ name: 'late', activities: ['e2e.nobody'] });
      await eventually(
        'all runs end',
        async () => {
          const { runs: active } = await own.api.get<RunList>('/v1/runs?status=active');
          return active.length === 0;
        },
        30_000,
      );
      // The counters would have shown what they were asked about.
      expect(await touchesOf(own.cluster.postgres.url)).not.toEqual(before);
      const ended = await each(runs, 8, (run) => own.inspect(run));
      expect(ended.map(({ status, output }) => [status, output])).toEqual(
        runs.map((_, value) => ['succeeded', { value }]),
      );
    },
    90_000 + IDLE_S * 1_000,
  );
});
