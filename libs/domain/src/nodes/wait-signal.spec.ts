import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { agenda } from '../index.js';
import { drive, type Driver, type Handlers } from '../testing/driver.js';
import { checkHistory } from '../testing/rules.js';
import { error, START_MS, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  from,
  literal,
  object,
  onError,
  workflow,
  type Nodes,
  type Part,
} from '../testing/workflow.js';

const SIGNALS = { signals: { go: { schema: 'value/v1' }, other: { schema: 'value/v1' } } };
const HELD: Handlers = { safe: () => 'held' };

function wait(next: string, fields: Part = {}) {
  return { kind: 'wait_signal', signal: 'go', key: literal('k'), timeout: null, next, ...fields };
}

const FINITE = { timeout: '10s', on_timeout: 'late' };
const DUE = START_MS + 10_000;

/** Some work, then a wait whose payload is the result. */
function afterWork(fields: Part = {}) {
  return workflow(
    {
      first: activity('safe', 'wait'),
      wait: wait('end', fields),
      end: complete(from('nodes.wait.output')),
      ...('on_timeout' in fields ? { late: complete(literal('late')) } : {}),
    },
    SIGNALS,
  );
}

function sideBySide(branches: { readonly [name: string]: Nodes }, fields: Part = {}) {
  return workflow(
    {
      all: {
        kind: 'parallel',
        branches: Object.entries(branches).map(([name, nodes]) => ({
          name,
          input: from('workflow.input'),
          body: body({ ...nodes, end: complete() }),
        })),
        next: 'end',
        ...fields,
      },
      end: complete(object({ all: from('nodes.all.output') })),
      ...('on_error' in fields ? { caught: complete(from('nodes.all.error', '/code')) } : {}),
    },
    SIGNALS,
  );
}

function outcome({ scenario }: Driver): Json {
  const { status } = scenario.run;
  if (status.kind === 'succeeded') return status.output.value;
  return status.kind === 'failed' ? status.failure.code : status.kind;
}

describe('a wait for a signal', () => {
  it('takes the signal that comes while it is open, in one commit, and its scope goes on', () => {
    const driver = drive(afterWork());
    expect(agenda(driver.scenario.run)).toMatchObject({ waiting: 1, ready: [], timers: [] });
    expect(driver.scenario.signal('go', { paid: true })).toEqual({ kind: 'accepted' });
    expect(driver.scenario.kinds).toEqual(['signal_accepted', 'wait_satisfied', 'scope_completed', 'run_succeeded']);
    expect(outcome(driver)).toEqual({ paid: true });
    expect(driver.scenario.run.inbox.size).toBe(0);
  });

  it('takes the earliest of the signals that were buffered before it', () => {
    const driver = drive(afterWork(), HELD);
    for (const payload of ['first', 'second', 'third']) driver.scenario.signal('go', payload);
    driver.scenario.signal('go', 'for somebody else', { key: 'x' });
    driver.scenario.signal('other', 'something else');
    expect(driver.scenario.run.inbox.size).toBe(5);
    driver.scenario.report(success(1), 'a1');
    expect(driver.scenario.kinds.slice(0, 3)).toEqual(['activity_succeeded', 'wait_opened', 'wait_satisfied']);
    expect(outcome(driver)).toBe('first');
    expect([...driver.scenario.run.inbox.values()].map(({ payload }) => payload.value)).toEqual([
      'second',
      'third',
      'for somebody else',
      'something else',
    ]);
  });

  it('takes them one after the other, in the order of acceptance', () => {
    const loop = {
      kind: 'repeat',
      count: literal(3),
      state: literal('none'),
      state_schema: 'value/v1',
      max_iterations: 3,
      body: body({ wait: wait('end'), end: complete(from('nodes.wait.output')) }),
      next: 'end',
    };
    const program = workflow(
      { first: activity('safe', 'loop'), loop, end: complete(from('nodes.loop.output')) },
      SIGNALS,
    );
    const driver = drive(program, HELD);
    for (const payload of ['a', 'b', 'c', 'd']) driver.scenario.signal('go', payload);
    driver.scenario.report(success(1), 'a1');
    driver.settle();
    expect(outcome(driver)).toBe('c');
    checkHistory(program, driver.scenario.history);
  });

  it('after activation ignores what was accepted before it opened', () => {
    const driver = drive(afterWork({ consume_from: 'after_activation' }), HELD);
    driver.scenario.signal('go', 'early');
    driver.scenario.report(success(1), 'a1');
    expect(driver.scenario.run.pending.size).toBe(1);
    driver.scenario.signal('go', 'in time');
    expect(outcome(driver)).toBe('in time');
    expect([...driver.scenario.run.inbox.values()].map(({ payload }) => payload.value)).toEqual(['early']);
  });

  it('needs a key that is a string and not too long', () => {
    const keyed = workflow(
      { wait: wait('end', { key: from('workflow.input', '/key') }), end: complete(from('nodes.wait.output')) },
      SIGNALS,
    );
    expect(outcome(drive(keyed, {}, { key: 7 }))).toBe('binding.kind');
    expect(outcome(drive(keyed, {}, {}))).toBe('binding.missing');
    expect(outcome(drive(keyed, {}, { key: 'x'.repeat(257) }))).toBe('limit.value');
    const driver = drive(keyed, {}, { key: 'x'.repeat(256) });
    driver.scenario.signal('go', 1, { key: 'x'.repeat(256) });
    expect(outcome(driver)).toBe(1);
  });
});

describe('an address', () => {
  it('belongs to one wait: a second one fails its region with WaitKeyConflict', () => {
    const driver = drive(sideBySide({ one: { wait: wait('end') }, two: { wait: wait('end') } }, onError('caught')));
    expect(outcome(driver)).toBe('WaitKeyConflict');
    expect(driver.scenario.kinds).toContain('wait_cancelled');
  });

  it('with another key, or of another signal, is another address', () => {
    const other = { key: literal('k2') };
    const driver = drive(
      sideBySide({
        one: { wait: wait('end') },
        two: { wait: wait('end', other) },
        three: { wait: wait('end', { signal: 'other' }) },
      }),
    );
    expect(agenda(driver.scenario.run).waiting).toBe(3);
    driver.scenario.signal('other', 3);
    driver.scenario.signal('go', 2, { key: 'k2' });
    driver.scenario.signal('go', 1);
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('is free again once its wait is over', () => {
    const driver = drive(sideBySide({ one: { wait: wait('again'), again: wait('end') } }));
    driver.scenario.signal('go', 1);
    expect(agenda(driver.scenario.run).waiting).toBe(1);
    driver.scenario.signal('go', 2);
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('is free at once when the scope of its wait is closed, though its cancelling waits for a resume', () => {
    const inner = {
      kind: 'parallel',
      branches: [
        { name: 'waits', input: from('scope.input'), body: body({ wait: wait('end'), end: complete() }) },
        { name: 'fails', input: from('scope.input'), body: body({ try: activity('safe', 'end'), end: complete() }) },
      ],
      next: 'end',
      ...onError('end'),
    };
    const driver = drive(
      sideBySide({ closes: { inner }, later: { work: activity('safe', 'wait'), wait: wait('end') } }),
      HELD,
    );
    const { scenario } = driver;
    scenario.pause();
    scenario.report(error('broken'), [...scenario.run.leaves.values()].find(({ node }) => node === 'try')?.id);
    expect(scenario.kinds).toEqual(['attempt_failed', 'activity_failed', 'scope_failing']);
    expect(scenario.run.pending.size).toBe(1);
    // A signal that comes now is kept: nobody in a closed scope takes it away from the wait that comes after.
    scenario.signal('go', 'for the later one');
    expect(scenario.kinds).toEqual(['signal_accepted']);
    scenario.report(success(1), [...scenario.run.leaves.values()].find(({ node }) => node === 'work')?.id);
    scenario.resume();
    expect(scenario.kinds).toContain('wait_satisfied');
    expect(scenario.run.status.kind).toBe('succeeded');
  });
});

describe('the timeout of a wait', () => {
  it('is a moment that is chosen once, when the wait opens, and stays through a pause and a restart', () => {
    const driver = drive(afterWork(FINITE));
    const timers = [{ name: 'w1', dueAt: DUE }];
    driver.scenario.pause();
    driver.scenario.now += 5_000;
    driver.scenario.resume();
    driver.scenario.restart('checkpoint');
    expect(agenda(driver.scenario.run).timers).toEqual(timers);
  });

  it('takes the other edge, on which there is no payload', () => {
    const driver = drive(afterWork(FINITE));
    driver.scenario.now = DUE - 1;
    expect(driver.scenario.timer('w1', DUE).kind).toBe('stale');
    driver.scenario.now = DUE;
    expect(driver.scenario.timer('w1', DUE)).toEqual({ kind: 'accepted' });
    expect(driver.scenario.kinds).toEqual(['wait_timed_out', 'scope_completed', 'run_succeeded']);
    expect(outcome(driver)).toBe('late');
    expect(driver.scenario.timer('w1', DUE).kind).toBe('stale');
  });

  it('does not beat a signal that arrived in time, however late it is applied', () => {
    const driver = drive(afterWork(FINITE));
    driver.scenario.now = DUE + 60_000;
    driver.scenario.signal('go', 'in time', { arrivedAt: DUE - 1 });
    expect(driver.scenario.kinds.slice(0, 2)).toEqual(['signal_accepted', 'wait_satisfied']);
    expect(outcome(driver)).toBe('in time');
  });

  it('is not revived by a signal that arrived at the deadline or later: that one is kept', () => {
    const driver = drive(afterWork(FINITE));
    driver.scenario.now = DUE;
    driver.scenario.signal('go', 'too late', { arrivedAt: DUE });
    expect(driver.scenario.kinds).toEqual(['signal_accepted']);
    driver.scenario.timer('w1', DUE);
    expect(outcome(driver)).toBe('late');
    expect(driver.scenario.run.inbox.size).toBe(1);
  });

  it('counts only for the wait that has this moment now', () => {
    const driver = drive(afterWork(FINITE));
    driver.scenario.now = DUE + 5;
    expect(driver.scenario.timer('w1', DUE + 5).kind).toBe('stale');
    expect(driver.scenario.timer('w9', DUE).kind).toBe('stale');
  });
});

describe('a wait in a scope that closes', () => {
  it('is cancelled, and signals that nobody took keep their order and expiry', () => {
    const driver = drive(sideBySide({ one: { wait: wait('end', FINITE), late: complete() } }), {});
    driver.scenario.signal('other', 'kept');
    const before = [...driver.scenario.run.inbox.values()];
    driver.scenario.cancel();
    expect(driver.scenario.kinds).toEqual([
      'run_stop_intended',
      'wait_cancelled',
      'scope_cancelled',
      'container_cancelled',
      'scope_cancelled',
      'run_cancelled',
    ]);
    expect([...driver.scenario.run.inbox.values()]).toEqual(before);
    expect(agenda(driver.scenario.run).timers).toEqual([]);
  });

  it('does not fire any more', () => {
    const driver = drive(afterWork(FINITE));
    driver.scenario.pause();
    driver.scenario.cancel();
    driver.scenario.now = DUE;
    expect(agenda(driver.scenario.run).timers).toEqual([]);
    expect(driver.scenario.timer('w1', DUE)).toEqual({ kind: 'stale', reason: 'w1 is being cancelled' });
  });
});
