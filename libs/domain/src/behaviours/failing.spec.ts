import { describe, expect, it } from '@jest/globals';
import type { EventBody } from '../index.js';
import { drive, type Driver, type Handlers } from '../testing/driver.js';
import { checkHistory } from '../testing/rules.js';
import { error, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  fail,
  from,
  literal,
  onError,
  workflow,
  type Nodes,
  type Part,
} from '../testing/workflow.js';

/** Branches by name; each begins at its first node and ends in `end`. */
function parallel(branches: { readonly [name: string]: Nodes }, fields: Part = {}) {
  return {
    kind: 'parallel',
    branches: Object.entries(branches).map(([name, nodes]) => ({
      name,
      input: from('scope.input'),
      body: body({ ...nodes, end: complete() }),
    })),
    next: 'end',
    ...fields,
  };
}

const HELD: Handlers = { safe: () => 'held', manual: () => 'held', pure: () => 'held', asked: () => 'held' };
const kindsOf = (bodies: readonly EventBody[]): string[] =>
  bodies.map((each) => ('activation' in each ? `${each.kind} ${each.activation}` : each.kind));
const recorded = ({ scenario }: Driver): string[] => kindsOf(scenario.recorded);

describe('a failure in a body', () => {
  const siblings = workflow({
    all: parallel({
      fails: { fails: activity('safe', 'end') },
      other: { other: activity('safe', 'end') },
      pure: { pure: activity('pure', 'more'), more: activity('pure', 'end') },
      external: { external: activity('safe', 'more'), more: activity('safe', 'end') },
      waits: { waits: { kind: 'delay', duration: '1h', next: 'end' } },
    }),
    end: complete(from('workflow.input')),
  });

  /** a2, a3 and a5 are external, a4 is pure, and all are under way; the last branch waits for time. */
  const underWay = (): Driver => drive(siblings, HELD);

  it('stops its siblings in the same commit: nothing of them begins any more, and only external work is waited for', () => {
    const driver = underWay();
    driver.scenario.report(error('broken'), 'a2');
    expect(recorded(driver)).toEqual([
      'attempt_failed a2',
      'activity_failed a2',
      'scope_failing',
      'activity_cancelled a4',
      'wait_cancelled',
      'scope_failed',
      'scope_cancelled',
      'scope_cancelled',
    ]);
    expect(driver.scenario.run.status).toEqual({ kind: 'active' });
    expect([...driver.scenario.run.open]).toEqual(['a3', 'a5']);
  });

  it('goes up when all is settled, under its own code; a later failure of a sibling stands in the history', () => {
    const driver = underWay();
    driver.scenario.report(error('broken', 'first'), 'a2');
    driver.scenario.report(error('busy', 'second'), 'a3');
    expect(recorded(driver)).toEqual(['attempt_failed a3', 'activity_failed a3', 'scope_cancelled']);
    driver.scenario.report(success(1), 'a5');
    expect(recorded(driver)).toEqual([
      'activity_succeeded a5',
      'scope_cancelled',
      'container_failed a1',
      'run_stop_intended',
      'scope_failed',
      'run_failed',
    ]);
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'broken', message: 'first' } });
    expect(driver.scenario.leaf('a3').status).toEqual({ kind: 'failed', failure: { code: 'busy', message: 'second' } });
    expect(driver.scenario.leaf('a5').status).toMatchObject({ kind: 'succeeded' });
    checkHistory(siblings, driver.scenario.history);
  });

  it('withdraws what was never granted', () => {
    const offered = workflow({
      all: parallel({ fails: { fails: activity('pure', 'end') }, offered: { offered: activity('safe', 'end') } }),
      end: complete(from('workflow.input')),
    });
    const { scenario } = drive(offered, { fails: () => error('broken'), offered: () => 'held' });
    expect(scenario.run.status.kind).toBe('failed');
    expect(kindsOf(scenario.recorded)).toContain('activity_cancelled a3');
    expect(scenario.leaf('a3')).toMatchObject({ attempts: 0, status: { kind: 'cancelled' } });
  });

  it('leaves the late result of withdrawn pure work without effect', () => {
    const driver = underWay();
    driver.scenario.report(error('broken'), 'a2');
    expect(driver.scenario.report(success(1), 'a4').kind).toBe('stale');
    expect(driver.scenario.kinds).toEqual(['late_result_observed']);
  });

  it('blocks the run when external work beside it is lost, and still ends with its own code', () => {
    const driver = underWay();
    driver.scenario.report(error('broken'), 'a2');
    driver.scenario.expire('worker_lost', 'a3');
    expect(recorded(driver)).toEqual(['attempt_lost a3', 'intervention_required a3']);
    expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    driver.scenario.report(success(1), 'a5');
    driver.scenario.resolve('a3', { kind: 'not_applied' });
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'broken' } });
  });

  it('stops what is nested in its siblings, down to the leaves', () => {
    const deep = workflow({
      all: parallel({
        fails: { fails: activity('safe', 'end') },
        deep: {
          each: {
            kind: 'foreach',
            items: literal([1, 2, 3]),
            item_schema: 'value/v1',
            max_items: 3,
            max_concurrency: 2,
            body: body({ do: activity('safe', 'end'), end: complete() }),
            next: 'end',
          },
        },
      }),
      end: complete(from('workflow.input')),
    });
    const driver = drive(deep, HELD);
    const [first = '', second = '', third = ''] = [...driver.scenario.run.open];
    driver.scenario.report(error('broken'), first);
    expect(driver.scenario.run.status.kind).toBe('active');
    driver.scenario.report(success(1), second);
    driver.scenario.report(success(1), third);
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'broken' } });
    // The third item was never opened.
    expect(driver.scenario.history.filter(({ body: { kind } }) => kind === 'body_opened')).toHaveLength(4);
    checkHistory(deep, driver.scenario.history);
  });

  it('by its own fail node has the error of the definition', () => {
    const program = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: body({ end: fail('no_stock') }), next: 'end' },
      end: complete(from('nodes.saga.output')),
    });
    const { scenario } = drive(program);
    expect(scenario.run.status).toEqual({
      kind: 'failed',
      failure: { code: 'no_stock', message: 'no_stock as written' },
      compensation: null,
    });
  });
});

describe('on_error', () => {
  const routes = {
    on_error: [
      { codes: ['busy'], next: 'when_busy' },
      { codes: ['broken', 'odd'], next: 'when_broken' },
      { codes: 'any', next: 'otherwise' },
    ],
  };
  const ends = {
    end: complete(literal('went well')),
    when_busy: complete(literal('was busy')),
    when_broken: complete(from('nodes.try.error')),
    otherwise: complete(from('nodes.try.error')),
  };
  const program = workflow({ try: activity('pure', 'end', routes), ...ends });

  it.each([
    ['busy', 'was busy'],
    ['broken', { code: 'broken', message: 'broken it was' }],
    ['odd', { code: 'odd', message: 'odd it was' }],
    ['surprise', { code: 'surprise', message: 'surprise it was' }],
  ])('takes a failure with code %s to the first route that has it', (code, result) => {
    const { scenario } = drive(program, { try: () => error(code) });
    expect(scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: result } });
    expect(scenario.history.filter(({ body: { kind } }) => kind === 'error_routed')).toHaveLength(1);
  });

  it('is not taken when the node succeeds', () => {
    expect(drive(program).scenario.run.status).toMatchObject({ output: { value: 'went well' } });
  });

  it('without a route for the code lets the scope fail', () => {
    const busy = workflow({
      try: activity('pure', 'end', onError('caught', ['busy'])),
      end: complete(),
      caught: complete(literal('caught')),
    });
    const { scenario } = drive(busy, { try: () => error('broken') });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'broken' } });
  });

  it('comes after the retries of an activity, not instead of them', () => {
    const patient = workflow({
      try: activity('pure', 'end', { retry: { errors: ['busy'], max_attempts: 3 }, ...onError('caught') }),
      end: complete(),
      caught: complete(literal('caught')),
    });
    const driver = drive(patient, { try: () => error('busy') }).finish();
    expect(driver.begun).toEqual(['try', 'try', 'try']);
    expect(driver.scenario.run.status).toMatchObject({ output: { value: 'caught' } });
  });

  it('takes over only when everything in the container is settled', () => {
    const caught = workflow({
      all: parallel(
        { fails: { fails: activity('safe', 'end') }, slow: { slow: activity('safe', 'end') } },
        onError('caught'),
      ),
      end: complete(from('workflow.input')),
      caught: complete(from('nodes.all.error')),
    });
    const driver = drive(caught, HELD);
    driver.scenario.report(error('broken'), 'a2');
    expect(driver.scenario.kinds).not.toContain('error_routed');
    driver.scenario.report(success(1), 'a3');
    expect(recorded(driver).slice(-4)).toEqual([
      'container_failed a1',
      'error_routed',
      'scope_completed',
      'run_succeeded',
    ]);
    expect(driver.scenario.run.status).toMatchObject({
      output: { value: { code: 'broken', message: 'broken it was' } },
    });
    expect([...driver.scenario.run.containers.keys()]).toEqual([]);
  });

  it('of the innermost node that has one takes the failure, and those around it never see it', () => {
    const inner = body({
      try: activity('pure', 'end', onError('caught')),
      end: complete(),
      caught: complete(literal('inner')),
    });
    const nested = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: inner, next: 'end', ...onError('outer') },
      end: complete(from('nodes.saga.output')),
      outer: complete(literal('outer')),
    });
    expect(drive(nested, { try: () => error('broken') }).scenario.run.status).toMatchObject({
      output: { value: 'inner' },
    });
  });

  it('of an outer container takes what no inner one takes', () => {
    const inner = body({
      try: activity('pure', 'end', onError('caught', ['busy'])),
      end: complete(),
      caught: complete(),
    });
    const nested = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: inner, next: 'end', ...onError('outer') },
      end: complete(from('nodes.saga.output')),
      outer: complete(from('nodes.saga.error', '/code')),
    });
    expect(drive(nested, { try: () => error('broken') }).scenario.run.status).toMatchObject({
      output: { value: 'broken' },
    });
  });

  it('is not taken once the run stops', () => {
    const caught = workflow({ try: activity('safe', 'end', onError('caught')), end: complete(), caught: complete() });
    const driver = drive(caught, HELD);
    driver.scenario.cancel();
    driver.scenario.report(error('broken'), 'a1');
    expect(recorded(driver)).toEqual(['attempt_failed a1', 'activity_failed a1', 'scope_cancelled', 'run_cancelled']);
  });
});
