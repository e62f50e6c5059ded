import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { agenda, describeRun, explain, type RunId } from '../index.js';
import { around, CONTAINERS, ROUNDS, type ContainerKind } from '../testing/containers.js';
import { drive, output, type Driver, type Handlers } from '../testing/driver.js';
import { checkHistory } from '../testing/rules.js';
import { error, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  fail,
  from,
  irreversible,
  literal,
  object,
  onError,
  workflow,
  type Nodes,
  type Part,
} from '../testing/workflow.js';

/** Fails the first `times` calls for good. */
function failing(times: number): Handlers[string] {
  return ({ calls, input }) => (calls < times ? error('broken') : output(input));
}

function view({ scenario }: Driver) {
  return describeRun(scenario.run, explain(scenario.run, { now: scenario.now, workersFor: () => null }));
}

function outcome({ scenario }: Driver): Json {
  const { status } = scenario.run;
  if (status.kind !== 'succeeded') throw new Error(`the run is ${status.kind}`);
  return status.output.value;
}

function refusal(driver: Driver, ...args: Parameters<Driver['scenario']['reopen']>): string {
  const decision = driver.scenario.reopen(...args);
  if (decision.kind !== 'rejected') throw new Error(`the reopen was ${decision.kind}`);
  expect(decision.rejection.code).toBe('FailedPrecondition');
  return decision.rejection.message;
}

function reopened(driver: Driver, ...args: Parameters<Driver['scenario']['reopen']>): Driver {
  expect(driver.scenario.run.status.kind).toBe('failed');
  expect(driver.scenario.reopen(...args)).toEqual({ kind: 'accepted' });
  return driver;
}

function branch(name: string, nodes: Nodes): Part {
  return { name, input: from('workflow.input'), body: body({ ...nodes, end: complete() }) };
}

function parallel(...branches: readonly Part[]): Part {
  return { kind: 'parallel', branches, next: 'end' };
}

const TWO = workflow({ one: activity('safe', 'two'), two: activity('safe', 'end'), end: complete() });

describe('reopen', () => {
  it('goes on at the failed activation, with the results that were accepted', () => {
    const driver = drive(TWO, { two: failing(1) });
    reopened(driver);
    expect(driver.scenario.recorded[0]).toEqual({
      kind: 'run_reopened',
      reason: 'it is repaired',
      activations: ['a2'],
      restarted: [],
      deadline: null,
    });
    driver.finish();
    expect(outcome(driver)).toEqual({ n: 1 });
    expect(driver.begun).toEqual(['one', 'two', 'two']);
    checkHistory(TWO, driver.scenario.history);
  });

  it('gives the activation its whole budget again, and generations that were never offered', () => {
    const program = workflow({
      one: activity('safe', 'end', { retry: { errors: ['busy'], max_attempts: 2 } }),
      end: complete(),
    });
    const driver = drive(program, { one: ({ calls }) => (calls < 3 ? error('busy') : success(1)) }).finish();
    const before = driver.scenario.leaf('a1');
    expect([before.attempts, before.last?.generation]).toEqual([2, 2]);
    reopened(driver);
    expect(driver.scenario.leaf('a1')).toMatchObject({
      attempts: 2,
      forgiven: 2,
      status: { kind: 'ready', generation: 3 },
    });
    expect(view(driver).activities[0]).toMatchObject({ activation: 'a1', attempts: 2, max_attempts: 4 });
    driver.finish();
    expect(driver.scenario.run.status.kind).toBe('succeeded');
    expect(driver.begun).toHaveLength(4);
    checkHistory(program, driver.scenario.history);
  });

  it('takes no report of an attempt from before for one of the attempts after it', () => {
    const program = workflow({
      both: parallel(
        branch('fails', { fails: activity('safe', 'end') }),
        branch('pure', { slow: activity('pure', 'end') }),
      ),
      end: complete(),
    });
    const driver = drive(program, { safe: () => 'held', slow: () => 'held' });
    driver.scenario.report(error('broken'), 'a2');
    reopened(driver);
    driver.scenario.claim('a3');
    expect(driver.scenario.report(success(7), 'a3', { generation: 1 }).kind).toBe('stale');
    expect(driver.scenario.kinds).toEqual(['late_result_observed']);
  });

  it('opens cancelled siblings with it: work, work that was never offered, waits and timers', () => {
    const program = workflow(
      {
        both: parallel(
          branch('fails', { fails: activity('safe', 'end') }),
          branch('work', { work: activity('pure', 'end') }),
          branch('timer', { timer: { kind: 'delay', duration: '1h', next: 'end' } }),
          branch('wait', {
            wait: {
              kind: 'wait_signal',
              signal: 'go',
              key: literal('k'),
              timeout: '2h',
              on_timeout: 'end',
              next: 'end',
            },
          }),
          branch('nested', { each: around('foreach', body({ item: activity('pure', 'end'), end: complete() })) }),
        ),
        end: complete(),
      },
      { signals: { go: { schema: 'value/v1' } } },
    );
    const driver = drive(program, { fails: failing(1), pure: () => 'held' });
    const { scenario } = driver;
    scenario.now += 60_000;
    reopened(driver);
    const { timers, ready } = agenda(scenario.run);
    expect(timers).toEqual([
      { name: 'w3', dueAt: scenario.now + 3_600_000 },
      { name: 'w4', dueAt: scenario.now + 7_200_000 },
    ]);
    expect(ready.map(({ leaf, generation }) => [leaf.node, generation])).toEqual([
      ['fails', 2],
      ['work', 2],
      ['item', 2],
      ['item', 2],
    ]);
    scenario.signal('go', 'there');
    expect(scenario.kinds).toContain('wait_satisfied');
    checkHistory(program, scenario.history);
  });

  it('goes on where a sibling stood between two nodes', () => {
    const program = workflow({
      both: parallel(
        branch('fails', { fails: activity('safe', 'end') }),
        branch('goes', { one: activity('safe', 'two'), two: activity('safe', 'end') }),
      ),
      end: complete(),
    });
    const driver = drive(program, { fails: () => 'held', one: () => 'held' });
    driver.scenario.report(error('broken'), 'a2');
    driver.scenario.report(success(1), 'a3');
    reopened(driver);
    expect(agenda(driver.scenario.run).ready.map(({ leaf }) => leaf.node)).toEqual(['fails', 'two']);
  });

  it.each(CONTAINERS)('goes on inside a %s, and opens it no second time', (kind) => {
    const inner = body({ one: activity('pure', 'two'), two: activity('pure', 'end'), end: complete() });
    const program = workflow({ it: around(kind, inner), end: complete(object({ it: from('nodes.it.output') })) });
    const expected = outcome(drive(program));
    const driver = drive(program, { two: failing(1) });
    reopened(driver).finish();
    expect(outcome(driver)).toEqual(expected);
    expect(driver.scenario.history.filter(({ body: { kind: each } }) => each.endsWith('_entered'))).toHaveLength(1);
    expect(driver.begun.filter((node) => node === 'one')).toHaveLength(ROUNDS[kind]);
    checkHistory(program, driver.scenario.history);
  });

  it.each(CONTAINERS.flatMap((outer) => CONTAINERS.map((inner) => [outer, inner] as const)))(
    'goes on inside a %s around a %s',
    (outer: ContainerKind, inner: ContainerKind) => {
      const work = body({ do: activity('pure', 'end'), end: complete() });
      const content = body({ inner: around(inner, work), end: complete() });
      const program = workflow({ it: around(outer, content), end: complete(object({ it: from('nodes.it.output') })) });
      const expected = outcome(drive(program));
      const driver = drive(program, {
        do: ({ calls, input }) => (calls === 1 || calls === 0 ? error('broken') : output(input)),
      });
      for (let times = 0; driver.scenario.run.status.kind === 'failed' && times < 5; times++) reopened(driver).finish();
      expect(outcome(driver)).toEqual(expected);
      checkHistory(program, driver.scenario.history);
    },
  );

  it('keeps an error route that was taken', () => {
    const program = workflow({
      one: activity('safe', 'end', onError('other')),
      other: activity('safe', 'end'),
      end: complete(),
    });
    const driver = drive(program, { one: failing(9), other: failing(1) });
    reopened(driver).finish();
    expect(driver.begun).toEqual(['one', 'other', 'other']);
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('may be done again when the run fails again', () => {
    const driver = drive(TWO, { two: failing(3) });
    for (let times = 0; times < 3; times++) reopened(driver).finish();
    expect(driver.scenario.run.status.kind).toBe('succeeded');
    expect(driver.scenario.leaf('a2')).toMatchObject({ attempts: 4 });
    checkHistory(TWO, driver.scenario.history);
  });

  it('enters a node again that could not be entered, and may fail there again at once', () => {
    const program = workflow({
      one: activity('counted', 'end', { input: object({ n: from('workflow.input', '/missing') }) }),
      end: complete(),
    });
    const driver = drive(program);
    reopened(driver);
    expect(driver.scenario.kinds.at(-1)).toBe('run_failed');
  });
});

describe('reopen of sagas', () => {
  const saga = (nodes: Nodes, next = 'end'): Part => ({
    kind: 'saga',
    input: from('scope.input'),
    body: body({ ...nodes, end: complete() }),
    next,
  });

  it('keeps the results of one that owes nothing', () => {
    const program = workflow({ it: saga({ one: activity('pure', 'two'), two: effect('end') }), end: complete() });
    const driver = drive(program, { two: failing(1) });
    reopened(driver).finish();
    expect(driver.begun).toEqual(['one', 'two', 'two']);
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('starts the body anew once its undoing had begun, with other activations and a scope of its own', () => {
    const program = workflow({
      before: activity('safe', 'it'),
      it: saga({ one: effect('two'), two: effect('end') }),
      end: complete(),
    });
    const driver = drive(program, { two: failing(1) });
    reopened(driver);
    expect(driver.scenario.recorded[0]).toMatchObject({ kind: 'run_reopened', activations: [], restarted: ['a2'] });
    expect(driver.scenario.kinds).toEqual(['run_reopened', 'body_opened', 'activity_activated']);
    expect(view(driver).obligations).toEqual([]);
    driver.finish();
    expect(driver.begun).toEqual(['before', 'one', 'two', 'one:compensation', 'one', 'two']);
    expect(driver.scenario.run.status.kind).toBe('succeeded');
    checkHistory(program, driver.scenario.history);
  });

  it('undoes the second time only what it did the second time', () => {
    const program = workflow({ it: saga({ one: effect('two'), two: effect('end') }), end: complete() });
    const driver = drive(program, { two: failing(2) });
    reopened(driver).finish();
    expect(driver.scenario.run.status.kind).toBe('failed');
    const undone = driver.scenario.history.flatMap(({ body: each }) =>
      each.kind === 'compensation_completed' ? [each.activation] : [],
    );
    expect(undone).toEqual(['a2', 'a4']);
    checkHistory(program, driver.scenario.history);
  });

  it('drops an inner saga with the body of the outer one, and keeps the outer body where only the inner was undone', () => {
    const inner = (next: string) => saga({ two: effect('three'), three: effect('end') }, next);
    const dropped = workflow({ it: saga({ one: effect('inner'), inner: inner('end') }), end: complete() });
    const first = drive(dropped, { three: failing(1) });
    reopened(first).finish();
    expect(first.begun.slice(-3)).toEqual(['one', 'two', 'three']);
    const kept = workflow({ it: saga({ one: activity('pure', 'inner'), inner: inner('end') }), end: complete() });
    const second = drive(kept, { three: failing(1) });
    reopened(second).finish();
    expect(second.begun.slice(-3)).toEqual(['two:compensation', 'two', 'three']);
    for (const driver of [first, second]) {
      expect(driver.scenario.run.status.kind).toBe('succeeded');
      checkHistory(driver.scenario.program, driver.scenario.history);
    }
  });

  it('still names what cannot be undone when the run fails again', () => {
    const sent = activity('safe', 'two', { compensation: irreversible('the mail is sent') });
    const program = workflow({ it: saga({ zero: effect('one'), one: sent, two: effect('end') }), end: complete() });
    const driver = drive(program, { two: failing(2) });
    reopened(driver).finish();
    const { compensation } = view(driver);
    expect(compensation).toMatchObject({ complete: false, unresolved: [] });
    expect(compensation?.irreversible.map(({ activation }) => activation)).toEqual(['a3', 'a6']);
  });
});

describe('reopen is refused', () => {
  it('for a run that goes on, has succeeded, was cancelled or terminated', () => {
    const held = drive(TWO, { one: () => 'held' });
    expect(refusal(held)).toContain('is none: it is active');
    held.scenario.terminate();
    expect(refusal(held)).toContain('it has terminated');
    expect(refusal(drive(TWO))).toContain('it has succeeded');
    const cancelled = drive(TWO, { one: () => 'held' });
    cancelled.scenario.cancel();
    cancelled.scenario.report(success(1));
    expect(refusal(cancelled)).toContain('it has cancelled');
  });

  it('on a state of the run that is not there any more, so that one of two wins', () => {
    const driver = drive(TWO, { two: failing(1) });
    const expectedSeq = driver.scenario.run.seq;
    expect(refusal(driver, null, { expectedSeq: expectedSeq - 1 })).toContain('look at it again');
    reopened(driver, null, { expectedSeq });
    expect(refusal(driver, null, { expectedSeq })).toContain('is none: it is active');
  });

  it('while another run of the workflow id lives', () => {
    const driver = drive(TWO, { two: failing(1) });
    expect(refusal(driver, null, { livingRun: 'other' as RunId })).toContain('run other of the same workflow id');
  });

  it('for a fail node and a loop at its limit, which would only fail again', () => {
    const failed = drive(workflow({ no: fail('declined') }));
    expect(refusal(failed)).toContain('at nodes.no (declined), and would be again; give another version');
    const endless = { ...around('while', body({ end: complete() })), max_iterations: 1 };
    const loop = drive(workflow({ it: endless, end: complete() }));
    expect(refusal(loop)).toContain('at nodes.it with LoopLimitExceeded');
  });

  it('for a compensation that was abandoned', () => {
    const program = workflow({
      it: {
        kind: 'saga',
        input: from('scope.input'),
        body: body({ one: effect('two'), two: effect('end'), end: complete() }),
        next: 'end',
      },
      end: complete(),
    });
    const driver = drive(program, { two: failing(1), undo: () => error('broken') });
    driver.scenario.abandon();
    expect(driver.scenario.run.status.kind).toBe('failed');
    expect(refusal(driver)).toContain('the compensation of a2 (one)');
  });

  it('after the run timeout, which counts from the start', () => {
    const program = workflow({ one: activity('safe', 'end'), end: complete() }, { run_timeout: '1h' });
    const driver = drive(program, { one: failing(1) });
    driver.scenario.now += 3_600_000;
    expect(refusal(driver)).toContain('the run timeout');
    const longer = workflow({ one: activity('safe', 'end'), end: complete() }, { run_timeout: '2h', version: 2 });
    reopened(driver, longer);
    expect(agenda(driver.scenario.run).timers).toContainEqual({
      name: 'run',
      dueAt: driver.scenario.run.admittedAt + 7_200_000,
    });
  });
});

describe('reopen with another version', () => {
  const rejecting = workflow({ one: activity('safe', 'no'), no: fail('declined') });

  it('goes on in it, where a fail node has become something else', () => {
    const repaired = workflow(
      {
        one: activity('safe', 'no'),
        no: activity('safe', 'end'),
        end: complete(object({ one: from('nodes.one.output'), no: from('nodes.no.output') })),
      },
      { version: 2 },
    );
    const driver = drive(rejecting, { one: () => success(5) });
    reopened(driver, repaired);
    expect(driver.scenario.recorded[0]).toMatchObject({ definition: { version: 2, digest: repaired.digest } });
    driver.scenario.restart('history');
    driver.finish();
    expect(outcome(driver)).toEqual({ one: { n: 5 }, no: { n: 1 } });
    expect(view(driver)).toMatchObject({ version: 2, digest: repaired.digest });
    driver.scenario.restart('checkpoint');
    expect(driver.scenario.run.program.digest).toBe(repaired.digest);
  });

  it('lets a loop go on that was at its limit', () => {
    const loop = (limit: number) => ({ ...around('while', body({ end: complete() })), max_iterations: limit });
    const driver = drive(workflow({ it: loop(1), end: complete() }));
    reopened(driver, workflow({ it: loop(5), end: complete() }, { version: 2 })).finish();
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('is refused with a list of what does not fit, bounded', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const nodes = (name: string): Nodes =>
      Object.fromEntries(keys.map((key, index) => [key, activity(name, keys[index + 1] ?? 'end')]));
    const driver = drive(workflow({ ...nodes('safe'), end: complete() }), { n11: failing(1) });
    const others = refusal(driver, workflow({ ...nodes('manual'), end: complete() }, { version: 2 }));
    expect(others).toContain(
      'cannot go on with flow version 2: nodes.n0 is the activity manual/v1, not safe/v1; nodes.n1',
    );
    expect(others).toContain('; and 2 more');
    const [first] = keys;
    const short = workflow({ [first ?? '']: activity('safe', 'end'), end: complete() }, { version: 2 });
    expect(refusal(driver, short)).toContain('it has no nodes.n1');
    const kinds = workflow({ n0: { kind: 'delay', duration: '1s', next: 'end' }, end: complete() }, { version: 2 });
    expect(refusal(driver, kinds)).toContain('nodes.n0 is a delay, not a activity');
  });

  it('is refused where it would fail in the same way, has other branches, or is another workflow', () => {
    const driver = drive(rejecting);
    expect(refusal(driver, workflow({ one: activity('safe', 'no'), no: fail('other') }, { version: 2 }))).toContain(
      'nodes.no would fail the run again',
    );
    expect(refusal(driver, workflow({ one: activity('safe', 'end'), end: complete() }, { id: 'another' }))).toContain(
      'it cannot go on with a definition of another',
    );
    const both = (...names: readonly string[]) =>
      workflow({
        both: parallel(...names.map((name) => branch(name, { work: activity('safe', 'end') }))),
        end: complete(),
      });
    const parted = drive(both('a', 'b'), { work: failing(1) });
    expect(refusal(parted, both('a', 'c'))).toContain('nodes.both has no b in its place');
    expect(refusal(parted, both('a', 'b', 'c'))).toContain('nodes.both has other branches');
  });
});
