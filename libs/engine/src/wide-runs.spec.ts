import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReportOutcome, RunId } from '@graphrun/domain';
import { LIMITS } from '@graphrun/dsl';
import type { Offer } from '@graphrun/protocol';
import { definition } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { historyOf } from './testing/history.js';
import { activityRegion, rootOf } from './testing/regions.js';
import { passOn, TestWorker } from './testing/worker.js';

const LIMIT = LIMITS.activeLeavesPerRun;
const ITEM = { id: 'i1', n: 0 };
const ACTIVITIES = { c: { effects: 'external' }, d: { effects: 'external' }, a: {}, b: {} } as const;

function items(count: number): string {
  return `{literal: [${Array.from({ length: count }, (_, n) => `{id: x${n}, n: ${n}}`).join(', ')}]}`;
}

/** A region that runs an activity for so many items, as many at once as there may be. */
function each(activity: string, count: number): string {
  const body = `{output_schema: item/v1, ${activityRegion(activity)}}`;
  const fields = `items: ${items(count)}, item_schema: item/v1, max_items: 100, max_concurrency: ${LIMIT}`;
  return `start: all, nodes: {all: {kind: foreach, ${fields}, body: ${body}, next: end}, end: {kind: complete, output: {from: scope.input}}}`;
}

/** A region that runs two activities one after the other. */
function twice(first: string, second: string): string {
  return `start: one, nodes: {
    one: {kind: activity, activity: {name: ${first}, version: 1}, input: {from: scope.input}, next: two},
    two: {kind: activity, activity: {name: ${second}, version: 1}, input: {from: nodes.one.output}, next: end},
    end: {kind: complete, output: {from: nodes.two.output}}}`;
}

function beside(...regions: readonly string[]): string {
  const branches = regions.map(
    (region, index) =>
      `{name: b${index}, input: {from: workflow.input}, body: {input_schema: item/v1, output_schema: item/v1, ${region}}}`,
  );
  return `start: both\nnodes: {both: {kind: parallel, branches: [${branches.join(', ')}], next: end}, end: {kind: complete, output: {from: workflow.input}}}`;
}

const DEFINITIONS = [
  definition('wide', ACTIVITIES, beside(each('c', 40), each('c', 40))),
  definition('pure', ACTIVITIES, beside(each('a', 40), each('a', 40))),
  definition('neighbours', ACTIVITIES, beside(each('d', LIMIT), twice('b', 'a'))),
  definition('rivals', ACTIVITIES, beside(each('d', LIMIT), each('c', LIMIT))),
  definition('small', ACTIVITIES, rootOf(activityRegion('c'))),
];

/** A worker whose attempts end when the test says so. */
class Held {
  readonly begun: { readonly offer: Offer; readonly end: () => void }[] = [];
  most = 0;
  #running = 0;

  readonly script = (offer: Offer): Promise<ReportOutcome> => {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    return new Promise((resolve) => {
      const end = (): void => {
        this.#running -= 1;
        resolve({ kind: 'success', output: offer.input });
      };
      this.begun.push({ offer, end });
    });
  };

  of(run: RunId): number {
    return this.begun.filter(({ offer }) => offer.run === run).length;
  }
}

describe('a run with more ready leaves than may be active', () => {
  let engine: TestEngine;
  const workers: TestWorker[] = [];

  beforeEach(async () => {
    engine = await TestEngine.open({ definitions: DEFINITIONS, partitions: 1, config: { offerPatienceMs: 300 } });
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
    await engine.discard();
  });

  async function worker(options: Partial<Parameters<typeof TestWorker.open>[0]>): Promise<TestWorker> {
    const opened = await TestWorker.open({ messaging: engine.messaging, activities: [], slots: 200, ...options });
    workers.push(opened);
    return opened;
  }

  it.each([0, 4])('has so many attempts under way, and all of them in the end (eager grants: %i)', async (free) => {
    const held = new Held();
    await worker({ activities: ['c'], script: held.script, free });
    const run = await engine.client.run('wide', ITEM);
    await engine.client.until('the first to begin', () => (held.of(run) === LIMIT ? true : undefined));
    // Others take their turn: what is behind the limit stands in nobody's way.
    const other = await engine.client.run('small', ITEM);
    await engine.client.until('another run to begin', () => (held.of(other) === 1 ? true : undefined));
    expect(held.of(run)).toBe(LIMIT);
    let ended = 0;
    while (ended < 81) {
      const next = await engine.client.until('another attempt', () => held.begun[ended]);
      next.end();
      ended += 1;
    }
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect((await engine.client.outcome(other)).outcome).toMatchObject({ status: 'succeeded' });
    expect(held.of(run)).toBe(80);
    expect(held.most).toBe(LIMIT + 1);
  });

  it('runs pure work in the same bounds', async () => {
    const held = new Held();
    await worker({ activities: ['a'], script: held.script });
    const run = await engine.client.run('pure', ITEM);
    await engine.client.until('the first to begin', () => (held.of(run) === LIMIT ? true : undefined));
    for (let ended = 0; ended < 80; ended += 1) {
      (await engine.client.until('another attempt', () => held.begun[ended])).end();
    }
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect(held.most).toBe(LIMIT);
  });

  it('goes on beside an activity that has no worker, though that fills its bounds', async () => {
    const one = await worker({ activities: ['a', 'b'], script: passOn, free: 4 });
    const run = await engine.client.run('neighbours', ITEM);
    await engine.client.until('both steps of the other branch', () => one.executed.at(1));
    expect(one.executed.map(({ activity }) => activity)).toEqual(['b', 'a']);
    await worker({ activities: ['d'], script: passOn });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
  });

  it('turns claims away that come from offers beyond its bounds, and offers their leaves again', async () => {
    const held = new Held();
    await worker({ activities: ['c'], script: held.script });
    const run = await engine.client.run('rivals', ITEM);
    // Nobody takes the leaves of `d`, so those of `c` may all run.
    await engine.client.until('all of one branch', () => (held.of(run) === LIMIT ? true : undefined));
    const late = await worker({ activities: ['d'], script: passOn });
    const refusal = await engine.client.until('a claim to be turned away', () => late.receipts.at(0));
    expect(refusal).toMatchObject({
      verdict: 'stale',
      reason: expect.stringContaining(`has ${LIMIT} attempts under way`),
    });
    for (const { end } of held.begun) end();
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect(late.executed).toHaveLength(LIMIT);
    await expectAtMost(run, LIMIT);
  });

  /** No more grants than that were without an end at any time of the history. */
  async function expectAtMost(run: RunId, limit: number): Promise<void> {
    let [claimed, most] = [0, 0];
    for (const { body } of await historyOf(engine.database, run)) {
      if (body.kind === 'attempt_granted') claimed += 1;
      if (body.kind === 'activity_succeeded') claimed -= 1;
      most = Math.max(most, claimed);
    }
    expect(most).toBeLessThanOrEqual(limit);
  }
});
