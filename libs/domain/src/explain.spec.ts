import { describe, expect, it } from '@jest/globals';
import { LIMITS, type Json } from '@graphrun/dsl';
import { chain } from './testing/chain.js';
import { drive, output } from './testing/driver.js';
import { claimed, error, START_MS, started, success, type Scenario } from './testing/scenario.js';
import { activity, body, complete, effect, from, literal, undo, workflow, type Part } from './testing/workflow.js';
import { explain, type ActivationId, type ExplainFacts, type Run, type SignalEventId } from './index.js';

const program = chain({ steps: [{ effects: 'external', recovery: 'Manual' }] });

function facts(workers: number | null = null): ExplainFacts {
  return {
    now: START_MS + 1_000,
    workersFor: () => (workers === null ? null : { able: workers, otherContract: 0 }),
  };
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
    const asked: unknown[] = [];
    const workersFor: ExplainFacts['workersFor'] = (work) => (asked.push(work), { able: 0, otherContract: 0 });
    const [reason] = explain(started(program).run, { now: 0, workersFor });
    const contractDigest = program.contractDigest({ name: 'work.step1', version: 1 });
    expect(asked).toEqual([{ activity: 'work.step1', version: 1, role: 'forward', contractDigest }]);
    expect(reason).toMatchObject({
      code: 'no_worker',
      action: 'start a worker that handles work.step1 version 1',
    });
  });

  it('says that the live workers of the activity hand it back, because they know another contract', () => {
    const workersFor: ExplainFacts['workersFor'] = () => ({ able: 0, otherContract: 2 });
    const [reason] = explain(started(program).run, { now: 0, workersFor });
    const digest = program.contractDigest({ name: 'work.step1', version: 1 });
    expect(reason).toMatchObject({
      code: 'unknown_contract',
      message: `work.step1 version 1 is queued, and every live worker of it (2) hands it back: unknown contract ${digest.slice(0, 12)}`,
    });
    const mixed = explain(started(program).run, { now: 0, workersFor: () => ({ able: 1, otherContract: 2 }) });
    expect(mixed[0]).toMatchObject({ code: 'queued', message: expect.stringContaining('for one of 1 workers') });
  });

  it('says what an attempt under way last said of itself, and not what an earlier one did', () => {
    const scenario = claimed(program);
    const id = [...scenario.run.leaves.keys()][0] ?? ('' as ActivationId);
    const said = (generation: number, details: Json): string | undefined => {
      const heartbeats = new Map([[id, { generation, at: START_MS - 11_000, details }]]);
      return explain(scenario.run, { ...facts(), heartbeats })[0]?.message;
    };
    expect(said(1, { done: 3 })).toMatch(/13:30\.000Z; its last heartbeat was 12 s ago: \{"done":3\}$/);
    expect(said(1, null)).toMatch(/; its last heartbeat was 12 s ago$/);
    expect(said(1, 'x'.repeat(1_000))?.length).toBeLessThan(400);
    expect(said(2, { done: 3 })).not.toContain('heartbeat');
    scenario.cancel();
    expect(said(1, { done: 3 })).toMatch(/must be known; its last heartbeat was 12 s ago: \{"done":3\}$/);
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
      ['children', 'nodes.each', 'nodes.each waits for 2 bodies that are under way; 0 of 2 items are done'],
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
      { code: 'children', path: 'nodes.saga' },
    ]);
    const failing = drive(workflow({ saga: saga(effect('fails')), ...nodes }), {
      fails: () => error('broken'),
      undo: () => error('broken', 'no such payment'),
    });
    const [reason, ...others] = explain(failing.scenario.run, facts());
    expect(others).toEqual([]);
    expect(reason).toMatchObject({ code: 'compensation_blocked' });
    expect(reason?.message).toContain(
      'undo version 1 of nodes.saga.nodes.pay did not succeed (broken: no such payment)',
    );
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

  it('says which container waits for its bodies, and leaves those inside it to the paths of what waits there', () => {
    const each = (inner: Part): Part => ({
      kind: 'foreach',
      items: literal([1]),
      item_schema: 'value/v1',
      max_items: 1,
      body: body({ inner, end: complete() }),
      next: 'end',
    });
    const end = complete(from('workflow.input'));
    const { scenario } = drive(workflow({ outer: each(each(activity('manual', 'end'))), end }), {
      manual: () => 'held',
    });
    const said = () => explain(scenario.run, facts()).map(({ code, path }) => [code, path]);
    const inside = 'nodes.outer[0].nodes.inner[0].nodes.inner';
    expect(said()).toEqual([
      ['running', inside],
      ['children', 'nodes.outer'],
    ]);
    scenario.cancel();
    expect(said()).toEqual([
      ['settling', inside],
      ['children', 'nodes.outer'],
    ]);
    expect(explain(scenario.run, facts())[1]?.message).toBe(
      'nodes.outer stops, and settles 1 body that is under way; 0 of 1 items are done',
    );
  });

  it('says that a restored cluster is held', () => {
    const [held, queued] = explain(started(program).run, { ...facts(), hold: { since: 5 } });
    expect(held).toMatchObject({ code: 'recovery_hold', path: 'run', since: 5 });
    expect(queued?.code).toBe('queued');
  });

  describe('warns at 80 % of a limit, not before:', () => {
    const near = (run: Run) => explain(run, facts()).filter(({ code }) => code === 'limit_near');

    it.each<[string, (run: Run, used: number) => void, number]>([
      ['bytes of history', (run, used) => void (run.historyBytes = used), LIMITS.historyBytes],
      ['activations', (run, used) => void (run.activationCount = used), LIMITS.activationsPerRun],
      ['scopes', (run, used) => void (run.scopeCount = used), LIMITS.scopesPerRun],
    ])('%s', (what, use, limit) => {
      const { run } = started(program);
      use(run, Math.ceil(limit * 0.8) - 1);
      expect(near(run)).toEqual([]);
      use(run, Math.ceil(limit * 0.8));
      expect(near(run)).toMatchObject([
        { message: `the run has used ${Math.ceil(limit * 0.8)} of ${limit} ${what}; at the limit its scope fails` },
      ]);
    });

    it('buffered signals of an address, of the run, and their bytes', () => {
      const pause = { kind: 'delay', duration: '1h', next: 'end' };
      const flow = workflow({ pause, end: complete() }, { signals: { go: { schema: 'value/v1' } } });
      /** A run with signals like one that it has accepted. */
      const keeping = (count: number, key: (n: number) => string, bytes = 1): readonly string[] => {
        const { run } = after(started(flow), (scenario) => scenario.signal('go', 1));
        const [accepted] = run.inbox.values();
        if (accepted === undefined) throw new Error('the signal was not accepted');
        run.inbox.clear();
        for (let n = 0; n < count; n++) {
          const id = `e${n}` as SignalEventId;
          run.inbox.set(id, { ...accepted, id, key: key(n), bytes });
        }
        return near(run).map(({ message }) => message);
      };
      const refused = 'that no wait has taken; at the limit further ones are refused';
      expect(keeping(158, (n) => `k${n % 2}`)).toEqual([]);
      expect(keeping(159, (n) => `k${n % 2}`)).toEqual([
        `the run keeps 80 of 100 buffered signals "go" with key "k0" ${refused}`,
      ]);
      expect(keeping(799, (n) => `k${n % 20}`)).toEqual([]);
      expect(keeping(800, (n) => `k${n % 20}`)).toEqual([`the run keeps 800 of 1000 buffered signals ${refused}`]);
      expect(keeping(32, () => 'k', 209_715)).toEqual([]);
      expect(keeping(32, () => 'k', 209_716)).toEqual([
        `the run keeps 6710912 of 8388608 bytes of buffered signals ${refused}`,
      ]);
    });
  });
});

function after(scenario: Scenario, act: (scenario: Scenario) => void): Scenario {
  act(scenario);
  return scenario;
}
