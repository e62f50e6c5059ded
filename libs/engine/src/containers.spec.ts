import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunId } from '@graphrun/domain';
import { definition } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { historyOf, kindsOf } from './testing/history.js';
import { activityRegion, containerRegion, CONTAINERS, rootOf, RUNS } from './testing/regions.js';
import type { Script } from './testing/worker.js';
import { TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 0 };
const PURE = { a: {}, b: {} };
const pairs = CONTAINERS.flatMap((outer) => CONTAINERS.map((inner) => [outer, inner] as const));

/** Adds 1 to `n`. */
const addOne: Script = ({ input }) => {
  const { id, n } = input as typeof ITEM;
  return { kind: 'success', output: { id, n: n + 1 } };
};

const refused: Script = () => ({ kind: 'error', failure: { code: 'refused', message: 'not this one' } });

function branches(left: string, right: string, more = ''): string {
  const branch = (name: string, region: string): string =>
    `{name: ${name}, input: {from: workflow.input}, body: {input_schema: item/v1, output_schema: item/v1, ${region}}}`;
  return `
start: both
nodes:
  both: {kind: parallel, branches: [${branch('left', left)}, ${branch('right', right)}], ${more} next: end}
  end: {kind: complete, output: {from: nodes.both.output, path: /0}}
  ${more === '' ? '' : 'instead: {kind: complete, output: {from: workflow.input}}'}`;
}

describe('containers, end to end', () => {
  let engine: TestEngine;
  const workers: TestWorker[] = [];

  beforeAll(async () => {
    engine = await TestEngine.open({
      definitions: [
        ...CONTAINERS.map((kind) => definition(kind, PURE, rootOf(containerRegion(kind, activityRegion('a'))))),
        ...pairs.map(([outer, inner]) =>
          definition(
            `${outer}.${inner}`,
            PURE,
            rootOf(containerRegion(outer, containerRegion(inner, activityRegion('a')))),
          ),
        ),
        definition(
          'external',
          { c: { effects: 'external' }, b: {} },
          branches(activityRegion('c'), activityRegion('b')),
        ),
        definition('running', PURE, branches(activityRegion('a'), activityRegion('b'))),
        definition(
          'caught',
          PURE,
          branches(activityRegion('a'), activityRegion('b'), 'on_error: [{codes: [refused], next: instead}],'),
        ),
      ],
    });
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  afterAll(() => engine.discard());

  async function worker(activities: readonly string[], script: Script, free = 4): Promise<TestWorker> {
    const opened = await TestWorker.open({ messaging: engine.messaging, activities, script, free });
    workers.push(opened);
    return opened;
  }

  it.each(CONTAINERS)('%s runs its bodies and gives their result', async (kind) => {
    const one = await worker(['a'], addOne);
    const run = await engine.client.run(kind, ITEM);
    const { outcome } = await engine.client.outcome(run);
    expect(outcome).toEqual({ status: 'succeeded', output: { id: 'i1', n: RUNS[kind].chained } });
    expect(one.executed).toHaveLength(RUNS[kind].bodies);
  });

  it.each(pairs)('%s holds %s', async (outer, inner) => {
    const one = await worker(['a'], addOne);
    const run = await engine.client.run(`${outer}.${inner}`, ITEM);
    const { outcome } = await engine.client.outcome(run);
    const n = RUNS[outer].chained * RUNS[inner].chained;
    expect(outcome).toEqual({ status: 'succeeded', output: { id: 'i1', n } });
    expect(one.executed).toHaveLength(RUNS[outer].bodies * RUNS[inner].bodies);
    expect(new Set(one.executed.map(({ effectKey }) => effectKey)).size).toBe(one.executed.length);
  });

  /** A run whose left branch is under way when the right one is refused. */
  async function failing(workflow: string, left: string): Promise<{ run: RunId; hung: TestWorker }> {
    const hung = await worker([left], () => null);
    const run = await engine.client.run(workflow, ITEM);
    await engine.client.until('the left branch to begin', () => hung.executed.at(0));
    await worker(['b'], refused);
    return { run, hung };
  }

  it('a branch that fails asks the attempts beside it to stop, and an external one settles by its own word', async () => {
    const { run, hung } = await failing('external', 'c');
    const [offer] = hung.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const { activation, generation } = offer;
    const abort = { run, activation, generation, reason: 'cancelled' };
    expect(await engine.client.until('the request to stop', () => hung.aborts.at(0))).toEqual(abort);
    expect(engine.client.ended.has(run)).toBe(false);
    await hung.send('report', offer, { lax: false, outcome: { kind: 'success', output: ITEM } });
    const { outcome } = await engine.client.outcome(run);
    expect(outcome).toEqual({ status: 'failed', failure: { code: 'refused', message: 'not this one' } });
    expect(hung.aborts).toEqual([abort]);
  });

  it('pure work beside it is not waited for, and its late result is refused', async () => {
    const { run, hung } = await failing('running', 'a');
    expect((await engine.client.outcome(run)).outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'refused' },
    });
    const [offer] = hung.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const late = await hung.send('report', offer, { lax: true, outcome: { kind: 'success', output: ITEM } });
    expect(late.verdict).toBe('stale');
    expect((await kindsOf(engine.database, run)).at(-1)).toBe('run_failed');
  });

  it('takes the error route of a container when all in it is settled', async () => {
    const { run } = await failing('caught', 'a');
    expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output: ITEM });
    const events = await historyOf(engine.database, run);
    expect(events.map(({ body }) => body.kind)).toContain('container_failed');
  });
});
