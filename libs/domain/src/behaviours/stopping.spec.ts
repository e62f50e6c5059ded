import { describe, expect, it } from '@jest/globals';
import { agenda } from '../index.js';
import { drive, type Driver, type Handlers } from '../testing/driver.js';
import { error, START_MS, success } from '../testing/scenario.js';
import { activity, body, complete, effect, from, literal, onError, workflow, type Part } from '../testing/workflow.js';

const HELD: Handlers = { safe: () => 'held' };
const TIMEOUT = { code: 'run.timeout', message: 'the run did not end within 60000 ms of its start' };
const CANCELLED = { code: 'run.cancelled', message: 'no longer wanted' };

/** Two external activities side by side, in a run with a timeout. */
function pair(fields: Part = {}) {
  const branch = (name: string) => ({
    name,
    input: from('workflow.input'),
    body: body({ do: activity('safe', 'end'), end: complete() }),
  });
  return workflow(
    {
      both: { kind: 'parallel', branches: [branch('left'), branch('right')], next: 'end', ...fields },
      end: complete(from('workflow.input')),
      ...('on_error' in fields ? { caught: complete(literal('caught')) } : {}),
    },
    { run_timeout: '1m' },
  );
}

const settle = ({ scenario }: Driver): void => {
  for (const { leaf } of agenda(scenario.run).claims) scenario.report(success(1), leaf.id);
};

describe('a failure inside a child', () => {
  it('is no intent of the run yet: a cancel that comes while it settles wins', () => {
    const driver = drive(pair(), HELD);
    driver.scenario.report(error('broken'), 'a2');
    expect(driver.scenario.run.status).toEqual({ kind: 'active' });
    driver.scenario.cancel();
    expect(driver.scenario.run.status).toMatchObject({ kind: 'stopping', intent: 'cancel' });
    settle(driver);
    expect(driver.scenario.run.status).toEqual({ kind: 'cancelled', failure: CANCELLED, compensation: null });
    expect(driver.scenario.recorded).toContainEqual({
      kind: 'container_failed',
      activation: 'a1',
      failure: { code: 'broken', message: 'broken it was' },
    });
  });

  it('is no longer caught by an error route once the run is cancelled', () => {
    const driver = drive(pair(onError('caught')), HELD);
    driver.scenario.report(error('broken'), 'a2');
    driver.scenario.cancel();
    settle(driver);
    expect(driver.scenario.run.status.kind).toBe('cancelled');
    expect(driver.scenario.kinds).not.toContain('error_routed');
  });
});

describe('the first stop intent', () => {
  it('fixes how the run ends; later ones are acknowledged and recorded once for each kind', () => {
    const driver = drive(pair(), HELD);
    const { scenario } = driver;
    scenario.now = START_MS + 60_000;
    expect(scenario.timer('run', START_MS + 60_000)).toEqual({ kind: 'accepted' });
    expect(scenario.cancel()).toEqual({ kind: 'accepted' });
    expect(scenario.recorded).toEqual([{ kind: 'run_stop_repeated', intent: 'cancel', failure: CANCELLED }]);
    scenario.cancel('again');
    expect(scenario.recorded).toEqual([]);
    settle(driver);
    expect(scenario.run.status).toEqual({ kind: 'cancelled', failure: TIMEOUT, compensation: null });
  });

  it('disarms the deadline of the run', () => {
    const driver = drive(pair(), HELD);
    driver.scenario.cancel();
    expect(agenda(driver.scenario.run).timers).toEqual([]);
    driver.scenario.now = START_MS + 60_000;
    expect(driver.scenario.timer('run', START_MS + 60_000)).toEqual({
      kind: 'stale',
      reason: 'the run is stopping already',
    });
  });

  it('by the deadline counts from admission, through a pause', () => {
    const { scenario } = drive(pair(), HELD);
    scenario.pause();
    scenario.now = START_MS + 60_000;
    expect(agenda(scenario.run).timers).toEqual([{ name: 'run', dueAt: START_MS + 60_000 }]);
    expect(scenario.timer('run', START_MS + 60_000)).toEqual({ kind: 'accepted' });
    expect(scenario.run.status).toEqual({ kind: 'stopping', intent: 'timeout', failure: TIMEOUT });
  });

  it('by the deadline stops a run that waits for a person, which stays blocked', () => {
    const { scenario } = drive(workflow({ do: activity('manual', 'end'), end: complete() }, { run_timeout: '1m' }), {
      do: () => 'lost',
    });
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    scenario.now = START_MS + 60_000;
    scenario.timer('run', START_MS + 60_000);
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: { intent: 'timeout', failure: TIMEOUT } });
    scenario.resolve('a1', { kind: 'applied', output: 1 });
    expect(scenario.run.status).toEqual({ kind: 'cancelled', failure: TIMEOUT, compensation: null });
  });

  it('is not interrupted by another: compensation goes on', () => {
    const saga = body({ pay: effect('ship'), ship: effect('end'), end: complete() });
    const program = workflow(
      { saga: { kind: 'saga', input: from('workflow.input'), body: saga, next: 'end' }, end: complete(literal(1)) },
      { run_timeout: '1m' },
    );
    const driver = drive(program, { ship: () => error('broken'), undo: () => 'held' });
    expect(driver.begun).toEqual(['pay', 'ship', 'pay:compensation']);
    driver.scenario.cancel();
    expect(driver.scenario.run.status).toMatchObject({ kind: 'stopping', intent: 'cancel' });
    driver.scenario.report(success(1), 'a2c');
    expect(driver.scenario.run.status).toEqual({
      kind: 'cancelled',
      failure: CANCELLED,
      compensation: { complete: true, irreversible: [], unresolved: [] },
    });
  });
});

describe('cancel', () => {
  it('closes everything down to the leaves in its own commit', () => {
    const driver = drive(pair(), { safe: ({ calls }) => (calls === 0 ? 'held' : { kind: 'success', output: 1 }) });
    driver.scenario.cancel();
    const { run } = driver.scenario;
    expect([...run.scopes.values()].map(({ status }) => status.kind)).toEqual(['settling', 'settling']);
    expect([...run.containers.values()].map(({ status }) => status)).toEqual([{ kind: 'settling', failure: null }]);
    expect(agenda(run)).toMatchObject({ ready: [], claims: [{ leaf: { id: 'a2' } }] });
  });

  it('proves nothing about the effect of an attempt: its success is accepted and stands', () => {
    const driver = drive(pair(), HELD);
    driver.scenario.cancel();
    expect(driver.scenario.report(success(5), 'a2')).toEqual({ kind: 'accepted' });
    expect(driver.scenario.leaf('a2').status).toMatchObject({ kind: 'succeeded', output: { value: { n: 5 } } });
  });
});
