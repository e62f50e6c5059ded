import { describe, expect, it } from '@jest/globals';
import { agenda, type Resolution } from '../index.js';
import { drive, output, type Driver, type Handlers } from '../testing/driver.js';
import { error, START_MS, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  literal,
  onError,
  undo,
  workflow,
  type Part,
} from '../testing/workflow.js';

const LOST: Handlers = { manual: () => 'lost' };
const FAILURE = { code: 'declined', message: 'the bank says no' };

/** One activity that is lost, in a workflow whose output is the activity's. */
function lost(fields: Part = {}, name = 'manual'): Driver {
  const program = workflow({
    pay: activity(name, 'end', fields),
    end: complete({ object: { paid: from('nodes.pay.output') } }),
    ...('on_error' in fields ? { caught: complete(from('nodes.pay.error')) } : {}),
  });
  const driver = drive(program, { ...LOST, safe: () => 'lost' });
  expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
  return driver;
}

const refusal = (decision: unknown): unknown => (decision as { readonly rejection?: unknown }).rejection;

describe('resolve of a forward activity', () => {
  it('applied settles it with the output that was observed', () => {
    const { scenario } = lost();
    expect(scenario.resolve('a1', { kind: 'applied', output: 7 })).toEqual({ kind: 'accepted' });
    expect(scenario.recorded.slice(0, 2)).toEqual([
      {
        kind: 'intervention_resolved',
        activation: 'a1',
        resolution: { kind: 'applied', output: 7 },
        reason: 'I looked',
      },
      { kind: 'activity_succeeded', activation: 'a1', generation: 1, output: 7 },
    ]);
    expect(scenario.history.at(-1)?.by).toBe('operator');
    expect(scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: { paid: 7 } } });
  });

  it('applied with an output that breaks the contract is refused', () => {
    const program = workflow({
      pay: activity('asked', 'end', { input: literal({ n: 1 }) }),
      end: complete({ object: { paid: from('nodes.pay.output') } }),
    });
    const { scenario } = drive(program, { asked: () => 'lost' });
    expect(refusal(scenario.resolve('a1', { kind: 'applied', output: { n: 'x' } }))).toMatchObject({
      code: 'InvalidArgument',
      message: expect.stringContaining('the output at /n does not fit the contract'),
    });
    expect(scenario.recorded).toEqual([]);
  });

  it('not_applied lets it be tried again within its budget', () => {
    const { scenario } = lost({ retry: { max_attempts: 2 } });
    scenario.resolve('a1', { kind: 'not_applied' });
    expect(scenario.run.status).toEqual({ kind: 'active' });
    expect(scenario.leaf()).toMatchObject({ status: { kind: 'ready', generation: 2 }, losses: [] });
  });

  it('not_applied beyond its budget is the failure of the activity', () => {
    const { scenario } = lost({ retry: { max_attempts: 1 } });
    scenario.resolve('a1', { kind: 'not_applied' });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'activity.lost' } });
  });

  it('not_applied is certain: a run that stops before the next attempt has nothing to ask about', () => {
    const { scenario } = lost({ retry: { max_attempts: 2 } });
    scenario.resolve('a1', { kind: 'not_applied' });
    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended', 'activity_cancelled', 'scope_cancelled', 'run_cancelled']);
  });

  it('retry adds attempts with the same effect key, ten in all', () => {
    const { scenario } = lost({ retry: { max_attempts: 1 } });
    expect(scenario.resolve('a1', { kind: 'retry', attempts: 2 })).toEqual({ kind: 'accepted' });
    expect(scenario.leaf()).toMatchObject({
      status: { kind: 'ready', generation: 2 },
      extended: 2,
      losses: [{ code: 'activity.lost' }],
    });
    scenario.claim();
    scenario.expire('worker_lost');
    expect(refusal(scenario.resolve('a1', { kind: 'retry', attempts: 9 }))).toEqual({
      code: 'InvalidArgument',
      message: 'at most 8 more attempts may be added to a1; this asks for 9',
    });
    expect(scenario.resolve('a1', { kind: 'retry', attempts: 8 })).toEqual({ kind: 'accepted' });
    for (const attempts of [0, -1, 1.5]) {
      expect(refusal(lost().scenario.resolve('a1', { kind: 'retry', attempts }))).toMatchObject({
        code: 'InvalidArgument',
      });
    }
  });

  it('retry does not say what happened: a run that stops before the next attempt asks again', () => {
    const { scenario } = lost();
    scenario.resolve('a1', { kind: 'retry', attempts: 1 });
    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended', 'intervention_required']);
  });

  it('retry is refused once its scope is closed, where nothing is repeated to find out', () => {
    const { scenario } = lost();
    scenario.cancel();
    expect(refusal(scenario.resolve('a1', { kind: 'retry', attempts: 1 }))).toEqual({
      code: 'FailedPrecondition',
      message: 'a1 may not be repeated: its scope is stopping and starts nothing more; say what happened instead',
    });
    scenario.resolve('a1', { kind: 'not_applied' });
    expect(scenario.run.status.kind).toBe('cancelled');
  });

  it('fail gives it the failure that the operator says, which its error routes may take', () => {
    const failed = lost();
    failed.scenario.resolve('a1', { kind: 'fail', failure: FAILURE });
    expect(failed.scenario.run.status).toMatchObject({ kind: 'failed', failure: FAILURE });
    const caught = lost(onError('caught', ['declined']));
    caught.scenario.resolve('a1', { kind: 'fail', failure: FAILURE });
    expect(caught.scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: FAILURE } });
  });

  it('makes a late report of the attempt late for good', () => {
    const { scenario } = lost({ retry: { max_attempts: 2 } });
    scenario.resolve('a1', { kind: 'not_applied' });
    scenario.claim();
    expect(scenario.report(success(1), 'a1', { generation: 1 }).kind).toBe('stale');
    expect(scenario.kinds).toEqual(['late_result_observed']);
  });

  it.each<Resolution>([
    { kind: 'applied', output: 1 },
    { kind: 'not_applied' },
    { kind: 'retry', attempts: 1 },
    { kind: 'fail', failure: FAILURE },
    { kind: 'input', input: 1 },
  ])('$kind is refused for what is not blocked, and for what is not there', (resolution) => {
    const { scenario } = drive(workflow({ do: activity('safe', 'end'), end: complete() }), { do: () => 'held' });
    for (const id of ['a1', 'a9']) {
      expect(refusal(scenario.resolve(id, resolution))).toMatchObject({ code: 'FailedPrecondition' });
    }
  });

  it('decided on an older state of the run is refused, and so is one after the end', () => {
    const { scenario } = lost();
    const { seq } = scenario.run;
    scenario.cancel();
    expect(refusal(scenario.resolve('a1', { kind: 'not_applied' }, seq))).toMatchObject({
      code: 'FailedPrecondition',
      message: expect.stringContaining(`is at event ${seq + 1}, not at ${seq}`),
    });
    scenario.resolve('a1', { kind: 'not_applied' }, seq + 1);
    expect(refusal(scenario.resolve('a1', { kind: 'not_applied' }))).toMatchObject({ code: 'FailedPrecondition' });
  });
});

describe('resolve of one blocker', () => {
  it('never clears another', () => {
    const branch = (name: string) => ({
      name,
      input: from('workflow.input'),
      body: body({ do: activity('manual', 'end'), end: complete() }),
    });
    const program = workflow({
      both: { kind: 'parallel', branches: [branch('left'), branch('right')], next: 'end' },
      end: complete(from('workflow.input')),
    });
    const { scenario } = drive(program, LOST);
    scenario.resolve('a2', { kind: 'applied', output: 1 });
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    scenario.resolve('a3', { kind: 'applied', output: 1 });
    expect(scenario.run.status.kind).toBe('succeeded');
  });
});

describe('resolve of a compensation', () => {
  function blocked(compensation: Part = undo()): Driver {
    const pay = activity('safe', 'fails', { compensation });
    const nodes = { pay, fails: effect('end'), end: complete() };
    const program = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: body(nodes), next: 'end' },
      end: complete(from('workflow.input')),
    });
    return drive(program, {
      fails: () => error('broken'),
      'pay:compensation': ({ calls }) => (calls === 0 ? error('broken') : output(1)),
      undo_manual: () => 'lost',
    });
  }

  it('applied says that it is undone', () => {
    const { scenario } = blocked();
    scenario.resolve('a2c', { kind: 'applied', output: 1 });
    expect(scenario.kinds.slice(0, 2)).toEqual(['intervention_resolved', 'compensation_completed']);
    expect(scenario.run.status).toMatchObject({ kind: 'failed', compensation: { complete: true } });
  });

  it('retry lets it run again, and the run is no longer blocked by it', () => {
    const driver = blocked();
    driver.scenario.resolve('a2c', { kind: 'retry', attempts: 1 });
    expect(driver.scenario.run.status).toEqual({ kind: 'active' });
    expect([...driver.scenario.run.obligations.values()]).toMatchObject([{ status: { kind: 'compensating' } }]);
    expect(driver.settle().scenario.run.status).toMatchObject({ kind: 'failed', compensation: { complete: true } });
  });

  it('not_applied beyond its budget leaves it blocked, for the reason that it had', () => {
    const { scenario } = blocked(undo('undo_counted', { retry: { max_attempts: 1 } }));
    scenario.resolve('a2c', { kind: 'not_applied' });
    expect(scenario.leaf('a2c').status).toMatchObject({ kind: 'blocked', reason: { code: 'broken' } });
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: null });
  });

  it('fail is refused: nothing is skipped', () => {
    const { scenario } = blocked();
    expect(refusal(scenario.resolve('a2c', { kind: 'fail', failure: FAILURE }))).toEqual({
      code: 'FailedPrecondition',
      message: 'a2c is a compensation, and nothing is skipped: repeat it, say that it happened, or abandon',
    });
  });
});

describe('resolve with the input of a compensation', () => {
  function withoutInput(): Driver {
    const pay = activity('safe', 'ship', { compensation: undo('undo_counted') });
    const nodes = { pay, ship: effect('end'), end: complete() };
    const program = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: body(nodes), next: 'end' },
      end: complete(from('workflow.input')),
    });
    return drive(program, { pay: () => output('no n'), ship: () => error('broken'), 'pay:compensation': () => 'held' });
  }

  it('lets the run go on, keeps where it came from, and is what the compensation is given', () => {
    const driver = withoutInput();
    const { scenario } = driver;
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    scenario.now += 50;
    expect(scenario.resolve('a2', { kind: 'input', input: { n: 7 } })).toEqual({ kind: 'accepted' });
    expect(scenario.recorded[0]).toEqual({
      kind: 'intervention_resolved',
      activation: 'a2',
      resolution: { kind: 'input', input: { n: 7 } },
      reason: 'I looked',
    });
    expect([...scenario.run.obligations.values()]).toMatchObject([
      { status: { kind: 'open' }, input: { value: { n: 7 }, at: '/resolution/input' }, since: START_MS + 50 },
    ]);
    driver.settle();
    expect(agenda(scenario.run).claims.map(({ leaf }) => [leaf.id, leaf.input.value])).toEqual([['a2c', { n: 7 }]]);
  });

  it('is refused when it breaks the schema of the compensation', () => {
    const { scenario } = withoutInput();
    expect(refusal(scenario.resolve('a2', { kind: 'input', input: {} }))).toMatchObject({
      code: 'InvalidArgument',
      message: expect.stringContaining('does not fit undo_counted'),
    });
  });

  it('is refused where an input is there already', () => {
    const { scenario } = withoutInput();
    scenario.resolve('a2', { kind: 'input', input: { n: 7 } });
    expect(refusal(scenario.resolve('a2', { kind: 'input', input: { n: 8 } }))).toMatchObject({
      code: 'FailedPrecondition',
    });
  });

  it('comes in its turn when the saga aborts while it is missing', () => {
    const driver = withoutInput();
    driver.scenario.cancel();
    expect(driver.scenario.run.status).toMatchObject({ kind: 'blocked', stop: { intent: 'cancel' } });
    driver.scenario.resolve('a2', { kind: 'input', input: { n: 7 } });
    expect(driver.scenario.kinds).toEqual(['intervention_resolved', 'saga_abort_started', 'compensation_started']);
  });
});
