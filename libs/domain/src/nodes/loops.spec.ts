import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { drive, output, type Handlers } from '../testing/driver.js';
import { activity, body, complete, from, literal, object, onError, workflow, type Part } from '../testing/workflow.js';

/** Each iteration adds one to `n` of the carry. */
const ADD: Handlers = {
  add: ({ input }) => {
    const { n } = input as { readonly n: number };
    return output({ n: n + 1 });
  },
};

function loop(kind: 'while' | 'do_while' | 'repeat', fields: Part, routed = false) {
  const state = { state: from('workflow.input'), state_schema: 'value/v1', max_iterations: 5 };
  const inner = body({ add: activity('pure', 'end'), end: complete(from('nodes.add.output')) });
  return workflow({
    loop: { kind, ...state, body: inner, next: 'end', ...fields, ...(routed ? onError('caught') : {}) },
    end: complete(from('nodes.loop.output')),
    ...(routed ? { caught: complete(from('nodes.loop.error')) } : {}),
  });
}

const below = (limit: number): Part => ({ condition: { lt: [from('loop.state', '/n'), literal(limit)] } });

function outcome(driver: ReturnType<typeof drive>): Json {
  const { status } = driver.scenario.run;
  if (status.kind === 'succeeded') return status.output.value;
  return status.kind === 'failed' ? status.failure.code : status.kind;
}

describe('while', () => {
  it('checks first: a guard that does not hold opens no body, and the state is the result', () => {
    const driver = drive(loop('while', below(1)), ADD, { n: 1 });
    expect([driver.begun, outcome(driver)]).toEqual([[], { n: 1 }]);
    expect(driver.scenario.run.scopeCount).toBe(1);
  });

  it('hands the carry from one iteration to the next', () => {
    const driver = drive(loop('while', below(4)), ADD, { n: 1 });
    expect([driver.begun, outcome(driver)]).toEqual([['add', 'add', 'add'], { n: 4 }]);
    const opened = driver.scenario.history.flatMap(({ body: each }) => (each.kind === 'body_opened' ? [each] : []));
    expect(opened.map(({ slot, scope }) => [slot, scope])).toEqual([
      [0, 's2'],
      [1, 's3'],
      [2, 's4'],
    ]);
  });

  it('may use its limit up: a guard that no longer holds there is a result', () => {
    const driver = drive(loop('while', below(6)), ADD, { n: 1 });
    expect([driver.begun.length, outcome(driver)]).toEqual([5, { n: 6 }]);
  });

  it('fails with LoopLimitExceeded when the guard still holds at the limit, and opens no further body', () => {
    const driver = drive(loop('while', below(7)), ADD, { n: 1 });
    expect([driver.begun.length, outcome(driver)]).toEqual([5, 'LoopLimitExceeded']);
    expect(driver.scenario.kinds).toEqual([
      'activity_succeeded',
      'scope_completed',
      'container_failing',
      'container_failed',
      'run_stop_intended',
      'scope_failed',
      'run_failed',
    ]);
    expect(driver.scenario.run.scopeCount).toBe(6);
  });

  it('leaves LoopLimitExceeded to its error route', () => {
    const driver = drive(loop('while', below(7), true), ADD, { n: 1 });
    expect(outcome(driver)).toEqual({
      code: 'LoopLimitExceeded',
      message: 'nodes.loop still wants to go on after 5 iterations, its limit',
    });
  });

  it.each([
    ['whose kinds do not meet', { n: 'x' }, 'binding.kind'],
    ['that finds nothing', {}, 'binding.missing'],
  ])('fails with a guard %s', (_what, input, code) => {
    const driver = drive(loop('while', below(3)), ADD, input);
    expect([driver.begun, outcome(driver)]).toEqual([[], code]);
  });

  it('sees the number of completed iterations in its guard', () => {
    const driver = drive(loop('while', { condition: { lt: [from('loop.index'), literal(3)] } }), ADD, { n: 10 });
    expect(outcome(driver)).toEqual({ n: 13 });
  });
});

describe('do_while', () => {
  it('runs its body once before the guard is asked', () => {
    const driver = drive(loop('do_while', below(1)), ADD, { n: 1 });
    expect([driver.begun, outcome(driver)]).toEqual([['add'], { n: 2 }]);
  });

  it('goes on while the guard holds for the carry of the last iteration', () => {
    expect(outcome(drive(loop('do_while', below(4)), ADD, { n: 1 }))).toEqual({ n: 4 });
  });

  it('fails with LoopLimitExceeded at the limit', () => {
    const driver = drive(loop('do_while', below(99)), ADD, { n: 1 });
    expect([driver.begun.length, outcome(driver)]).toEqual([5, 'LoopLimitExceeded']);
  });
});

describe('repeat', () => {
  const counted: Part = { count: from('workflow.input', '/count') };

  it.each([
    [0, { n: 1, count: 0 }, 0],
    [1, { n: 2 }, 1],
    [5, { n: 6 }, 5],
  ])('of %i gives %j', (count, result, bodies) => {
    const driver = drive(loop('repeat', counted), ADD, { n: 1, count });
    expect([outcome(driver), driver.begun.length]).toEqual([result, bodies]);
    expect(driver.scenario.history[2]?.body).toEqual({
      kind: 'loop_entered',
      activation: 'a1',
      scope: 's1',
      node: 'loop',
      state: { n: 1, count },
      count,
    });
  });

  it.each<[Json, string]>([
    [-1, 'binding.range'],
    [6, 'binding.range'],
    [1.5, 'binding.kind'],
    ['2', 'binding.kind'],
    [null, 'binding.kind'],
  ])('of %j fails the node with %s before any body', (count, code) => {
    const driver = drive(loop('repeat', counted, true), ADD, { n: 1, count });
    expect(driver.begun).toEqual([]);
    expect(outcome(driver)).toMatchObject({ code });
    expect(driver.scenario.run.scopeCount).toBe(1);
  });

  it('without a count fails its scope, like any binding that finds nothing', () => {
    expect(outcome(drive(loop('repeat', counted, true), ADD, { n: 1 }))).toBe('binding.missing');
  });

  it('keeps the count that it has captured, whatever the carry says', () => {
    const driver = drive(loop('repeat', counted), { add: () => output({ n: 0, count: 5 }) }, { n: 1, count: 2 });
    expect(driver.begun).toHaveLength(2);
  });
});

describe('a carry', () => {
  it('that breaks the schema of the state fails its iteration', () => {
    const add = activity('pure', 'end', { input: object({ n: from('scope.input', '/n') }) });
    const state = { state: literal({ n: 1 }), state_schema: 'count/v1', max_iterations: 5 };
    const inner = { start: 'add', nodes: { add, end: complete(object({ n: from('nodes.add.output') })) } };
    const program = workflow({
      loop: { kind: 'repeat', count: literal(2), ...state, body: inner, next: 'end' },
      end: complete(from('workflow.input')),
    });
    const driver = drive(program, { add: () => output('no number') });
    expect(driver.scenario.run.status).toMatchObject({
      kind: 'failed',
      failure: { code: 'schema.invalid', message: expect.stringContaining('nodes.end.output at /n') },
    });
    expect(driver.begun).toEqual(['add']);
  });
});
