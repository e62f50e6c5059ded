/** A thousand timers that are due in the same millisecond, while other runs go on. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleDefinitionText } from '@graphrun/examples';
import { eventually } from '@graphrun/testing';
import { definitionText } from './definitions.js';
import { Deployment, DEPLOYMENTS } from './deployments/deployment.js';
import type { RunListEntry } from './harness/api-shapes.js';
import { CommandStream } from './harness/command-stream.js';
import { each } from './harness/each.js';
import { measured } from './harness/measures.js';

const TIMERS = 1_000;
/** What else happens on the machine only adds, so the best one counts. All are printed. */
const ROUNDS = 3;
const PACE_TIMERS = 200;
const TEST_MS = 240_000;
const STARTS_AT_ONCE = 32;
const LANES = 2;
/** How long the commands are measured without any timer. */
const FLOOR_MS = 2_000;
/** What a thousand timers may add to the receipt of a command. */
const MOST_ADDED_MS = 100;

interface AlarmPage {
  readonly runs: readonly (RunListEntry & { readonly ended_at: number | null })[];
  readonly cursor: string | null;
}

describe.each(DEPLOYMENTS)('a thousand timers due at once, %s', (kind) => {
  let deployment: Deployment;
  let others = 0;

  beforeAll(async () => {
    deployment = await Deployment.start(kind);
    await deployment.publish(definitionText('alarm'));
    await deployment.publish(exampleDefinitionText('approval'));
  }, TEST_MS);

  afterAll(() => deployment.stop(), TEST_MS);

  const startAlarms = (count: number, at: number) =>
    each(Array.from({ length: count }), STARTS_AT_ONCE, () => deployment.start('e2e_alarm', { text: 'up', at }));

  /** True as long as one of them has not gone off. One row: to look must not cost what is to be measured. */
  async function someWait(): Promise<boolean> {
    const { runs } = await deployment.api.get<AlarmPage>('/v1/runs?workflow=e2e_alarm&status=active&limit=1');
    return runs.length > 0;
  }

  async function ended(): Promise<AlarmPage['runs']> {
    const runs: AlarmPage['runs'][number][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: AlarmPage = await deployment.api.get(`/v1/runs?workflow=e2e_alarm&status=succeeded&limit=500${from}`);
      runs.push(...page.runs);
      cursor = page.cursor;
    }
    return runs;
  }

  /** All alarms are set, and go off; meanwhile other runs are started. Returns what the timers added to the receipts. */
  async function round(msEach: number): Promise<number> {
    const dueAt = Math.ceil(Date.now() + 1.3 * TIMERS * msEach + 2 * FLOOR_MS);
    const due = performance.now() + (dueAt - Date.now());
    const started = new Set(await startAlarms(TIMERS, dueAt));
    expect(performance.now()).toBeLessThan(due - FLOOR_MS);

    const stream = new CommandStream(LANES, () => {
      others += 1;
      return deployment.start('order_approval', { order_id: `other-${others}`, amount: 1 });
    });
    await eventually('all alarms have gone off', async () => Date.now() > dueAt && !(await someWait()), TEST_MS);
    await stream.stop();
    const alarms = (await ended()).filter(({ run }) => started.has(run));
    expect(alarms).toHaveLength(TIMERS);

    const lastEndedMs = Math.max(...alarms.map(({ ended_at }) => ended_at ?? 0)) - dueAt;
    const floor = stream.within(due - FLOOR_MS, due);
    const during = stream.between(due, due + lastEndedMs);
    measured(`1,000 timers due at once, ${kind}`, {
      all_fired_after_ms: lastEndedMs,
      commands: during.length,
      floor_max_ms: Math.max(...floor),
      floor_median_ms: median(floor),
      during_max_ms: Math.max(...during),
      during_median_ms: median(during),
    });
    expect(during.length).toBeGreaterThan(LANES);
    return Math.max(...during) - Math.max(...floor);
  }

  it(
    'do not delay the commands of other runs by more than 100 ms',
    async () => {
      // The pace of this machine says when all of them will be waiting.
      const begun = performance.now();
      await startAlarms(PACE_TIMERS, Date.now());
      const msEach = (performance.now() - begun) / PACE_TIMERS;
      const added: number[] = [];
      for (let n = 0; n < ROUNDS; n += 1) added.push(await round(msEach));
      expect(Math.min(...added)).toBeLessThanOrEqual(MOST_ADDED_MS);
    },
    TEST_MS,
  );
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
