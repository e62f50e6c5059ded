/** The state of a run stays small however much it has done (spec 02 "Control primitives"). */
import { describe, expect, it } from '@jest/globals';
import { REMEMBERED_LEAVES } from './appliers/forget.js';
import { Driver, output, type Handlers } from './testing/driver.js';
import { error, Scenario } from './testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  literal,
  object,
  onError,
  workflow,
  type Nodes,
} from './testing/workflow.js';
import { checkpointReferences, encodeCheckpoint, type Run } from './index.js';

const THOUSAND = 1_000;

interface Measured {
  readonly run: Run;
  readonly scenario: Scenario;
  /** The most that the run ever held at once. */
  readonly most: { scopes: number; leaves: number; containers: number; obligations: number; state: number };
}

/** Runs to the end and looks at the state after every so many steps. */
function measure(nodes: Nodes, handlers: Handlers = {}): Measured {
  const scenario = new Scenario(workflow(nodes));
  scenario.foldEvery = 500;
  scenario.start({ n: 0 });
  const driver = new Driver(scenario, handlers);
  const most = { scopes: 0, leaves: 0, containers: 0, obligations: 0, state: 0 };
  driver.afterStep = (step) => {
    const { run } = scenario;
    most.scopes = Math.max(most.scopes, run.scopes.size);
    most.leaves = Math.max(most.leaves, run.leaves.size);
    most.containers = Math.max(most.containers, run.containers.size);
    most.obligations = Math.max(most.obligations, run.obligations.size);
    if (step % 100 === 0) most.state = Math.max(most.state, Buffer.byteLength(encodeCheckpoint(run)));
  };
  driver.finish();
  return { run: scenario.run, scenario, most };
}

function report(what: string, { run, most, scenario }: Measured): void {
  const state = Buffer.byteLength(encodeCheckpoint(run));
  const perItem = Math.round(run.historyBytes / THOUSAND);
  console.info(
    `${what}: ${scenario.history.length} events, ${perItem} bytes of history for each, state at most ${most.state} bytes, ${state} at the end`,
  );
}

const repeat = (inner: Nodes, fields: object = {}) => ({
  loop: {
    kind: 'repeat',
    count: literal(THOUSAND),
    state: from('workflow.input'),
    state_schema: 'value/v1',
    max_iterations: THOUSAND,
    body: body(inner),
    next: 'end',
    ...fields,
  },
  end: complete(literal('done')),
});

describe('the state of a run', () => {
  it('with a foreach over 1,000 items is a cursor, the window, and one small result for each item', () => {
    const items = Array.from({ length: THOUSAND }, (_, index) => index);
    const inner = body({ do: activity('pure', 'end'), end: complete(from('nodes.do.output')) });
    const each = { kind: 'foreach', items: literal(items), item_schema: 'value/v1', max_items: THOUSAND };
    const measured = measure({
      each: { ...each, max_concurrency: 32, body: inner, next: 'end' },
      end: complete(object({ all: from('nodes.each.output') })),
    });
    report('foreach of 1,000', measured);
    const { run, most } = measured;
    expect(run.status).toMatchObject({ kind: 'succeeded', output: { value: { all: items } } });
    // The root and the window, with one leaf in each of its bodies.
    expect(most).toMatchObject({ scopes: 33, leaves: 32, containers: 1 });
    expect(run).toMatchObject({ scopeCount: THOUSAND + 1, activationCount: THOUSAND + 1 });
    expect(run.recent).toHaveLength(REMEMBERED_LEAVES);
    expect(most.state).toBeLessThan(100_000);
    expect(run.historyBytes).toBeLessThan(1_100 * THOUSAND);
  });

  it('with a foreach over large items refers to them and to their results', () => {
    const text = 'x'.repeat(2_000);
    const items = Array.from({ length: 100 }, (_, index) => ({ index, text }));
    const inner = body({ do: activity('pure', 'end'), end: complete(from('nodes.do.output')) });
    const each = { kind: 'foreach', items: from('workflow.input', '/items'), item_schema: 'value/v1', max_items: 100 };
    const scenario = new Scenario(
      workflow({
        each: { ...each, max_concurrency: 32, body: inner, next: 'wait' },
        wait: activity('safe', 'end', { input: literal(1) }),
        end: complete(literal(1)),
      }),
    );
    scenario.foldEvery = 100;
    scenario.start({ items });
    new Driver(scenario, { wait: () => 'held' }).settle();
    const state = encodeCheckpoint(scenario.run);
    expect(Buffer.byteLength(state)).toBeLessThan(40_000);
    expect(state).not.toContain('xxxx');
    expect(checkpointReferences(state).length).toBeGreaterThan(100);
  });

  it('with a loop of 1,000 iterations is that of one iteration', () => {
    const add: Handlers = { add: ({ input }) => output({ n: (input as { readonly n: number }).n + 1 }) };
    const measured = measure(
      {
        ...repeat({ add: activity('pure', 'end'), end: complete(from('nodes.add.output')) }),
        end: complete(from('nodes.loop.output')),
      },
      add,
    );
    report('loop of 1,000', measured);
    const { run, most } = measured;
    expect(run.status).toMatchObject({ kind: 'succeeded', output: { value: { n: THOUSAND } } });
    expect(most).toMatchObject({ scopes: 2, leaves: 1, containers: 1 });
    expect(most.state).toBeLessThan(20_000);
    expect(run.historyBytes).toBeLessThan(1_100 * THOUSAND);
  });

  it('with a loop of 1,000 sagas that commit keeps nothing of those that are over', () => {
    const saga = {
      kind: 'saga',
      input: from('scope.input'),
      body: body({ pay: effect('end'), end: complete() }),
      next: 'end',
    };
    const measured = measure(repeat({ saga, end: complete() }));
    report('loop of 1,000 sagas', measured);
    // What each owes is released in the commit of its success.
    expect(measured.most).toMatchObject({ scopes: 3, leaves: 1, containers: 2, obligations: 0 });
    expect(measured.most.state).toBeLessThan(20_000);
  });

  it('with a loop of 1,000 sagas that abort and are caught keeps nothing of them either', () => {
    const saga = {
      kind: 'saga',
      input: from('scope.input'),
      body: body({ pay: effect('fails'), fails: effect('end'), end: complete() }),
      next: 'end',
      ...onError('end'),
    };
    const measured = measure(repeat({ saga, end: complete() }), { fails: () => error('broken') });
    report('loop of 1,000 aborted sagas', measured);
    expect(measured.run.status.kind).toBe('succeeded');
    expect(measured.most).toMatchObject({ scopes: 3, leaves: 3, containers: 2, obligations: 1 });
    expect(measured.most.state).toBeLessThan(40_000);
  });

  it('with 1,000 waits in a row keeps none of those that are over', () => {
    const measured = measure(repeat({ pause: { kind: 'delay', duration: '1s', next: 'end' }, end: complete() }));
    report('loop of 1,000 delays', measured);
    expect([measured.run.waits.size, measured.run.pending.size, measured.run.waitCount]).toEqual([0, 0, THOUSAND]);
    expect(measured.most.state).toBeLessThan(3_000);
  });
});
