import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '@graphrun/dsl';
import { chain } from './testing/chain.js';
import { claimed, error, START_MS, started, success } from './testing/scenario.js';
import { drive, output } from './testing/driver.js';
import { activity, body, complete, effect, from, literal, undo, workflow, type Part } from './testing/workflow.js';
import { explain, type ExplainFacts } from './index.js';

const program = chain({ steps: [{ effects: 'external', recovery: 'Manual' }] });

function facts(workers: number | null = null): ExplainFacts {
  return { now: START_MS + 1_000, workersFor: () => workers };
}

describe('explain', () => {
  it('says that a leaf is queued, and for whom', () => {
    const { run } = started(program);
    expect(explain(run, facts(3))).toEqual([
      {
        code: 'queued',
        path: 'nodes.step1',
        message: 'work.step1 version 1 is queued for one of 3 workers as attempt 1',
        action: 'wait, or add workers of this activity if the queue is long',
        since: START_MS,
      },
    ]);
    expect(explain(run, facts(null))[0]?.message).toBe('work.step1 version 1 is queued as attempt 1');
  });

  it('says that no live worker takes the activity, asking for exactly its name, version and role', () => {
    const asked: unknown[][] = [];
    const nobody: ExplainFacts = { now: 0, workersFor: (...key) => (asked.push(key), 0) };
    const [reason] = explain(started(program).run, nobody);
    expect(asked).toEqual([['work.step1', 1, 'forward']]);
    expect(reason).toMatchObject({
      code: 'no_worker',
      action: 'start a worker that handles work.step1 version 1',
    });
  });

  it('says who runs an attempt and until when', () => {
    expect(explain(claimed(program).run, facts())).toMatchObject([
      {
        code: 'running',
        message: 'work.step1 version 1 runs as attempt 1 on worker-1, which has time until 2023-11-14T22:13:30.000Z',
        dueAt: START_MS + 10_000,
      },
    ]);
  });

  it('says that the time of an attempt is over', () => {
    const late: ExplainFacts = { now: START_MS + 10_001, workersFor: () => null };
    expect(explain(claimed(program).run, late)[0]?.message).toContain(
      '(that is over: its timeout is about to be recorded)',
    );
  });

  it('says when a failed attempt is tried again, and why it failed', () => {
    const scenario = claimed(chain({ steps: [{ retryErrors: ['busy'] }] }));
    scenario.entropy = 7;
    scenario.report(error('busy', 'come back later'));
    const [reason] = explain(scenario.run, facts());
    expect(reason).toMatchObject({
      code: 'retry_wait',
      action: 'wait; 1 of 3 attempts of this pure activity are used',
    });
    expect(reason?.message).toContain('after busy: come back later');
    expect(reason?.dueAt).toBeGreaterThan(START_MS);
  });

  it('says what a stopping run still waits for', () => {
    const scenario = claimed(program);
    scenario.cancel();
    const [reason] = explain(scenario.run, facts());
    expect(reason).toMatchObject({ code: 'settling', dueAt: START_MS + 10_000 });
    expect(reason?.message).toContain(
      'the run stops (cancel) once attempt 1 of work.step1 version 1 on worker-1 is settled',
    );
  });

  it('says what a person must find out', () => {
    const scenario = claimed(program);
    scenario.expire('worker_lost');
    const [reason] = explain(scenario.run, facts());
    expect(reason).toMatchObject({ code: 'intervention_required', path: 'nodes.step1' });
    expect(reason?.action).toContain(`effect key gr1:${scenario.run.id}:a1:forward`);
  });

  it('says that the next commit continues', () => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    const each = { kind: 'foreach', items: literal(items), item_schema: 'value/v1', max_items: 20, next: 'end' };
    const many = workflow({
      each: { ...each, max_concurrency: 20, body: body({ do: activity('pure', 'end'), end: complete() }) },
      end: complete(from('workflow.input')),
    });
    expect(explain(started(many).run, facts())).toContainEqual({
      code: 'progress_due',
      path: 'run',
      message: 'the run has more to do by itself than one commit may hold (32 transitions) and goes on in the next',
      action: 'wait a moment; if this stays, the partition that owns the run does not apply commands',
      since: START_MS,
    });
  });

  it('says which signal and key are waited for, and until when', () => {
    const wait = { kind: 'wait_signal', signal: 'paid', key: from('workflow.input', '/id'), next: 'end' };
    const signals = { signals: { paid: { schema: 'value/v1' } } };
    const nodes = { end: complete(from('workflow.input')) };
    const endless = started(workflow({ wait: { ...wait, timeout: null }, ...nodes }, signals), { id: 'o-1' });
    expect(explain(endless.run, facts())).toEqual([
      {
        code: 'signal',
        path: 'nodes.wait',
        message: 'nodes.wait waits for signal "paid" with key "o-1" without a timeout',
        action: `send it: graphrun signal --run ${endless.run.id} --name paid --key o-1`,
        since: START_MS,
      },
    ]);
    const finite = { ...wait, timeout: '10s', on_timeout: 'end' };
    const [reason] = explain(started(workflow({ wait: finite, ...nodes }, signals), { id: 'o-1' }).run, facts());
    expect(reason).toMatchObject({ dueAt: START_MS + 10_000 });
    expect(reason?.message).toContain('until 2023-11-14T22:13:30.000Z');
  });

  it('says how long a delay takes, with its path through the containers', () => {
    const pause = { kind: 'delay', duration: '10s', next: 'end' };
    const each = {
      kind: 'foreach',
      items: literal([1, 2]),
      item_schema: 'value/v1',
      max_items: 2,
      body: body({ pause, end: complete() }),
      next: 'end',
    };
    const { run } = started(workflow({ each, end: complete(from('workflow.input')) }));
    expect(explain(run, facts()).map(({ code, path, message }) => [code, path, message])).toEqual([
      ['timer', 'nodes.each[0].nodes.pause', 'nodes.each[0].nodes.pause waits until 2023-11-14T22:13:30.000Z'],
      ['timer', 'nodes.each[1].nodes.pause', 'nodes.each[1].nodes.pause waits until 2023-11-14T22:13:30.000Z'],
    ]);
  });

  it('says who has paused the run and why', () => {
    const scenario = started(program);
    scenario.pause();
    expect(explain(scenario.run, facts())).toMatchObject([
      { code: 'paused', path: 'run', message: expect.stringContaining('paused by operator (hold on)') },
    ]);
  });

  it('says when a reconciler is asked, and which question it is', () => {
    const pay = activity('asked', 'end', { timeout: '60s' });
    const flow = workflow({ pay, end: complete(from('workflow.input')) });
    const driver = drive(flow, { asked: () => 'lost' });
    const [reason] = explain(driver.scenario.run, facts());
    expect(reason).toMatchObject({ code: 'reconciling', path: 'nodes.pay', dueAt: START_MS + 65_000 });
    expect(reason?.message).toBe(
      'nobody knows whether asked version 1 had its effect (activity.lost); its reconciler is asked at 2023-11-14T22:14:25.000Z, as question 1 of 3',
    );
  });

  it('says which compensation lacks its input or did not succeed, and what to do about it', () => {
    const saga = (pay: Part) => ({
      kind: 'saga',
      input: from('workflow.input'),
      body: body({ pay, fails: effect('end'), end: complete() }),
      next: 'end',
    });
    const nodes = { end: complete(from('workflow.input')) };
    const lacking = activity('safe', 'fails', { compensation: undo('undo_counted') });
    const input = drive(workflow({ saga: saga(lacking), ...nodes }), { pay: () => output('no n') });
    expect(explain(input.scenario.run, facts())).toMatchObject([
      {
        code: 'compensation_blocked',
        path: 'nodes.saga.nodes.pay',
        action: `supply it: graphrun resolve ${input.scenario.run.id} --activation a2 --input input.json`,
      },
    ]);
    const failing = drive(workflow({ saga: saga(effect('fails')), ...nodes }), {
      fails: () => error('broken'),
      undo: () => error('broken', 'no such payment'),
    });
    const [reason, ...others] = explain(failing.scenario.run, facts());
    expect(others).toEqual([]);
    expect(reason).toMatchObject({ code: 'compensation_blocked' });
    expect(reason?.message).toContain('undo version 1 of nodes.saga.nodes.pay did not succeed (broken: no such payment)');
    expect(reason?.action).toContain(`gr1:${failing.scenario.run.id}:a2:compensation`);
  });

  it('says nothing of a wait whose scope is closed', () => {
    const flow = workflow({ pause: { kind: 'delay', duration: '1h', next: 'end' }, end: complete() });
    const scenario = started(flow);
    scenario.pause();
    scenario.cancel();
    expect(explain(scenario.run, facts()).map(({ code }) => code)).toEqual(['paused']);
  });

  it('says how a run ended', () => {
    const succeeded = claimed(program);
    succeeded.report(success(2));
    expect(explain(succeeded.run, facts())).toMatchObject([{ code: 'ended', message: 'the run has succeeded' }]);
    const failed = claimed(program);
    failed.report(error('broken', 'it broke'));
    expect(explain(failed.run, facts())).toMatchObject([{ message: 'the run has failed: broken, it broke' }]);
  });

  it('warns at 80 % of a limit, not before', () => {
    const { run } = started(program);
    run.historyBytes = Math.ceil(LIMITS.historyBytes * 0.8) - 1;
    expect(explain(run, facts())).toHaveLength(1);
    run.historyBytes += 1;
    expect(explain(run, facts())[1]).toMatchObject({ code: 'limit_near', path: 'run' });
  });
});
