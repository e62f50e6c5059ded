/** What runs do with real processes, embedded and in a cluster: restarts, waits, identities, control, workers. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { POLICIES } from '@graphrun/dsl';
import { exampleDefinitionText } from '@graphrun/examples';
import { startProcess } from '@graphrun/testing';
import { definitionText } from './definitions.js';
import { Deployment, DEPLOYMENTS } from './deployments/deployment.js';
import type { RunList, WorkerAnswer } from './harness/api-shapes.js';
import { built } from './harness/built.js';
import { each } from './harness/each.js';
import { graphrun } from './harness/graphrun.js';

const BOOT_MS = 120_000;
const TEST_MS = 120_000;
const APPROVED = { approved: true, by: 'ada' };

describe.each(DEPLOYMENTS)('runs, %s', (kind) => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start(kind);
    for (const name of ['sequence', 'approval'] as const) await deployment.publish(exampleDefinitionText(name));
    for (const name of ['increment', 'manual'] as const) await deployment.publish(definitionText(name));
  }, BOOT_MS);

  afterAll(() => deployment.stop(), BOOT_MS);

  const order = (id: string) => ({ order_id: id, amount: 1000 });

  async function waiting(id: string, startKey?: string): Promise<string> {
    const run = await deployment.start('order_approval', order(id), startKey === undefined ? {} : { startKey });
    await deployment.when(run, 'it waits', ({ waits }) => waits.length === 1);
    return run;
  }

  const decide = (run: string, key: string) => deployment.signal(run, { signal: 'decision', key, payload: APPROVED });

  it(
    'a sequence survives a restart, and its replay agrees and writes nothing',
    async () => {
      const run = await deployment.start('order', order('o-1'));
      const output = { ...order('o-1'), payment_id: 'pay-1' };
      expect(await deployment.atRest(run)).toMatchObject({ status: 'succeeded', output });
      const [before, history] = [await deployment.inspect(run), await deployment.history(run)];
      await deployment.crash();
      expect(await deployment.inspect(run)).toEqual(before);

      for (const { seq } of history) {
        const replayed = await deployment.api.get(`/v1/runs/${run}/reconstruct?seq=${seq}`);
        expect(replayed).toMatchObject({ run, seq, last_seq: before.seq, agrees: true });
      }
      const printed = JSON.parse(await graphrun(deployment.api.url, 'replay', run, '--json')) as unknown;
      expect(printed).toMatchObject({ run, seq: before.seq, agrees: true, state: { status: 'succeeded', output } });
      expect(await deployment.history(run)).toEqual(history);
      expect(await deployment.inspect(run)).toEqual(before);
      expect((await deployment.provider.ledger()).of(run).requests()).toBe(2);
    },
    TEST_MS,
  );

  it(
    'a wait for an event survives a restart',
    async () => {
      const run = await waiting('o-2');
      const { waits } = await deployment.inspect(run);
      await deployment.crash();
      expect((await deployment.inspect(run)).waits).toEqual(waits);
      await decide(run, 'o-2');
      expect(await deployment.atRest(run)).toMatchObject({ status: 'succeeded', output: APPROVED });
    },
    TEST_MS,
  );

  it(
    'two runs of a workflow do not shadow each other, and only the one that is named goes away',
    async () => {
      // The same input, so the same signal and key.
      const [first, second, third] = [await waiting('o-3'), await waiting('o-3'), await waiting('o-3')];
      await decide(second, 'o-3');
      expect(await deployment.atRest(second)).toMatchObject({ status: 'succeeded', output: APPROVED });
      await deployment.cancel(first);
      expect(await deployment.atRest(first)).toMatchObject({ status: 'cancelled' });
      expect(await deployment.inspect(third)).toMatchObject({ status: 'active', waits: [{ key: 'o-3' }] });
      await decide(third, 'o-3');
      expect(await deployment.atRest(third)).toMatchObject({ status: 'succeeded', output: APPROVED });
    },
    TEST_MS,
  );

  it(
    'of starts that race under one start key one makes the run, and all get it',
    async () => {
      const racers = Array.from({ length: 16 }, (_, racer) => `${kind}-racer-${racer}`);
      const answers = await Promise.all(
        racers.map((idempotencyKey) =>
          deployment.startCommand('order_approval', order('o-4'), { startKey: 'o-4', idempotencyKey }),
        ),
      );
      expect(new Set(answers.map(({ run }) => run)).size).toBe(1);
      const { runs } = await deployment.api.get<RunList>('/v1/runs?start_key=o-4');
      expect(runs.map(({ run }) => run)).toEqual([answers[0]?.run]);
      // Other input under the key is a conflict, whatever has become of the run.
      await expect(
        deployment.startCommand('order_approval', order('other'), { startKey: 'o-4' }),
      ).rejects.toMatchObject({ status: 409 });
    },
    TEST_MS,
  );

  it(
    'a list shows each run that was there once, while others begin and end between its pages',
    async () => {
      const there = await each(
        Array.from({ length: 12 }, (_, n) => n),
        4,
        (n) => waiting(`o-5-${n}`),
      );
      const listed: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page: RunList = await deployment.api.get(`/v1/runs?workflow=order_approval&status=active&limit=5${from}`);
        listed.push(...page.runs.map(({ run }) => run));
        cursor = page.cursor;
        await waiting(`o-5-later-${listed.length}`);
      }
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toEqual(expect.arrayContaining(there));
    },
    TEST_MS,
  );

  it(
    'is under control: start, signal, cancel, inspect, list, history, all repeatable under one id',
    async () => {
      const first = await deployment.startCommand('order_approval', order('o-6'), { idempotencyKey: `${kind}-start` });
      const again = await deployment.startCommand('order_approval', order('o-6'), { idempotencyKey: `${kind}-start` });
      expect(again.run).toBe(first.run);
      const { run } = first;
      const view = await deployment.when(run, 'it waits', ({ waits }) => waits.length === 1);
      expect(view.explain).toMatchObject([{ code: 'signal', path: 'nodes.wait' }]);
      await expect(deployment.signal(run, { signal: 'nothing', key: 'o-6', payload: 1 })).rejects.toMatchObject({
        problem: { code: 'InvalidArgument' },
      });
      await deployment.cancel(run);
      await deployment.atRest(run);
      await expect(decide(run, 'o-6')).rejects.toMatchObject({ problem: { code: 'FailedPrecondition' } });
      await expect(deployment.cancel(run)).rejects.toMatchObject({ problem: { code: 'FailedPrecondition' } });
      const { runs } = await deployment.api.get<RunList>('/v1/runs?workflow=order_approval&status=cancelled');
      expect(runs.map((entry) => entry.run)).toContain(run);
      expect((await deployment.history(run)).map(({ kind: event }) => event)).toEqual([
        'run_admitted',
        'scope_opened',
        'wait_opened',
        'run_stop_intended',
        'wait_cancelled',
        'scope_cancelled',
        'run_cancelled',
      ]);
    },
    TEST_MS,
  );

  it(
    'a worker registers, claims, reports, and is asked what became of an effect it cannot report',
    async () => {
      const { workers } = await deployment.api.get<{ readonly workers: readonly WorkerAnswer[] }>('/v1/workers');
      expect(workers).toHaveLength(1);
      await deployment.provider.rule({ activity: 'test.manual', input: { order_id: 'o-7' } }, { kind: 'lie' });
      const run = await deployment.start('e2e_manual', order('o-7'));
      expect(await deployment.atRest(run)).toMatchObject({ status: 'succeeded', output: order('o-7') });
      const history = await deployment.history(run);
      const grants = history.filter(({ kind: event }) => event === 'attempt_granted');
      expect(grants.map(({ activation, session }) => [activation, session])).toEqual([
        ['a1', workers[0]?.session],
        ['a1r', workers[0]?.session],
      ]);
      const ledger = (await deployment.provider.ledger()).of(run);
      expect([ledger.requests(), ledger.effects(), ledger.probes('test.manual')]).toEqual([1, 1, ['applied']]);
    },
    TEST_MS,
  );

  it(
    'a failed run is reopened by one of two racing operators, and keeps what had succeeded',
    async () => {
      const declined = { kind: 'refuse', code: 'declined', message: 'no money' } as const;
      await deployment.provider.rule({ activity: 'payment.charge', input: { order_id: 'o-8' } }, declined);
      const run = await deployment.start('order', order('o-8'));
      const failed = await deployment.atRest(run);
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'declined' } });
      const reopen = (reason: string) => deployment.act(run, 'reopen', { reason, expected_seq: failed.seq });
      const racing = await Promise.allSettled([reopen('there is money now'), reopen('the bank has called')]);
      expect(racing.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(racing.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { problem: { code: 'FailedPrecondition' } },
      });
      const output = { ...order('o-8'), payment_id: 'pay-1' };
      expect(await deployment.atRest(run)).toMatchObject({ status: 'succeeded', output });
      const ledger = (await deployment.provider.ledger()).of(run);
      expect([ledger.requests('inventory.reserve'), ledger.requests('payment.charge')]).toEqual([1, 2]);
      expect(ledger.order()).toEqual(['inventory.reserve', 'payment.charge']);
    },
    TEST_MS,
  );

  it(
    'works past the lease of its worker session: 80 runs',
    async () => {
      const add = async (value: number): Promise<void> => {
        const run = await deployment.start('e2e_increment', { value });
        expect(await deployment.atRest(run)).toMatchObject({ status: 'succeeded', output: { value: value + 1 } });
      };
      const values = Array.from({ length: 80 }, (_, value) => value);
      await each(values.slice(0, 10), 4, add);
      await pause(POLICIES.sessionLeaseMs + 200); // the time in which nothing happens is the subject of this test
      await each(values.slice(10), 4, add);
    },
    TEST_MS,
  );
});

describe('a data directory', () => {
  it(
    'refuses a second owner while the first one lives, and lets it in when that was killed',
    async () => {
      const deployment = await Deployment.start('embedded');
      try {
        const data = join(deployment.dir, 'data');
        const second = () =>
          startProcess({
            name: 'graphrun dev',
            args: [built('apps/cli/dist/main.js'), 'dev', '--port', '0', '--data-dir', data, '--example', '--once'],
          });
        const refused = await second();
        expect(await refused.exited).toMatchObject({ code: 5 });
        expect(refused.tail()).toMatch(/The data directory \S+ is in use by process \d+/);
        await deployment.crash(async () => {
          expect(await (await second()).exited).toMatchObject({ code: 0 });
        });
      } finally {
        await deployment.stop();
      }
    },
    TEST_MS,
  );
});
