import { describe, expect, it } from '@jest/globals';
import { chain } from './testing/chain.js';
import { drive } from './testing/driver.js';
import type { Scenario } from './testing/scenario.js';
import { claimed, error, START_MS, started, success } from './testing/scenario.js';
import { activity, body, complete, effect, from, irreversible, literal, workflow } from './testing/workflow.js';
import { describeEvent, describeRun, explain, type Leaf } from './index.js';

const program = chain({ steps: [{ effects: 'external', recovery: 'Manual', timeoutMs: 5_000 }] });

function view(scenario: Scenario) {
  return describeRun(scenario.run, explain(scenario.run, { now: scenario.now, workersFor: () => null }));
}

describe('the view of a run', () => {
  it('of a run under way has its activities, and why it waits', () => {
    const scenario = claimed(program);
    const { explain: reasons, digest, run, ...rest } = view(scenario);
    expect([run, digest]).toEqual([scenario.run.id, program.digest]);
    expect(reasons).toMatchObject([{ code: 'running', since: START_MS, due_at: START_MS + 5_000 }]);
    expect(rest).toEqual({
      workflow_id: 'deadbeef000000000000000000000000',
      workflow: 'chain',
      version: 1,
      status: 'active',
      ordinal: 1,
      namespace: 'default',
      start_key: null,
      seq: 4,
      started_at: START_MS,
      ended_at: null,
      deadline: null,
      input: { n: 1 },
      scopes: [{ scope: 's1', role: 'root', path: '', status: 'open' }],
      containers: [],
      activities: [
        {
          activation: 'a1',
          role: 'forward',
          scope: 's1',
          node: 'step1',
          path: 'nodes.step1',
          activity: 'work.step1',
          version: 1,
          status: 'claimed',
          since: START_MS,
          attempts: 1,
          max_attempts: 3,
          input: { n: 1 },
          deadline: START_MS + 5_000,
          session: 'worker-1',
        },
      ],
      waits: [],
      obligations: [],
      buffered_signals: 0,
    });
  });

  it('of a run that succeeded has its output and no error', () => {
    const scenario = claimed(program);
    scenario.report(success(2));
    expect(view(scenario)).toMatchObject({ status: 'succeeded', output: { n: 2 }, ended_at: START_MS });
    expect(view(scenario)).not.toHaveProperty('error');
  });

  it('of a run that stops has the error it will end with', () => {
    const scenario = claimed(program);
    scenario.cancel('wrong customer');
    expect(view(scenario)).toMatchObject({
      status: 'stopping',
      stopping: 'cancel',
      error: { code: 'run.cancelled', message: 'wrong customer' },
    });
  });

  it.each<[Leaf['status'], object]>([
    [
      { kind: 'retry_wait', dueAt: 5, generation: 2, last: { code: 'busy', message: 'm' } },
      { status: 'retry_wait', due_at: 5, error: { code: 'busy', message: 'm' } },
    ],
    [
      { kind: 'failed', failure: { code: 'busy', message: 'm' } },
      { status: 'failed', error: { code: 'busy', message: 'm' } },
    ],
    [{ kind: 'cancelled' }, { status: 'cancelled' }],
  ])('of an activity in state %j', (status, expected) => {
    const scenario = started(program);
    scenario.leaf().status = status;
    expect(view(scenario).activities).toMatchObject([expected]);
  });
});

describe('the view of what a run is made of', () => {
  it('shows scopes by role and path, containers by how far they are, waits and buffered signals', () => {
    const inner = body({ pause: { kind: 'delay', duration: '10s', next: 'end' }, end: complete() });
    const each = { kind: 'foreach', items: literal([1, 2, 3]), item_schema: 'value/v1', max_items: 3, next: 'end' };
    const flow = workflow(
      { each: { ...each, max_concurrency: 2, body: inner }, end: complete(from('workflow.input')) },
      { signals: { go: { schema: 'value/v1' } } },
    );
    const scenario = started(flow);
    scenario.signal('go', 1);
    expect(view(scenario)).toMatchObject({
      scopes: [
        { scope: 's1', role: 'root', path: '', status: 'open' },
        { scope: 's2', role: 'item', path: 'nodes.each[0]', status: 'open' },
        { scope: 's3', role: 'item', path: 'nodes.each[1]', status: 'open' },
      ],
      containers: [
        {
          activation: 'a1',
          scope: 's1',
          path: 'nodes.each',
          kind: 'foreach',
          status: 'open',
          done: 0,
          total: 3,
          active: 2,
        },
      ],
      waits: [
        {
          wait: 'w1',
          scope: 's2',
          node: 'pause',
          path: 'nodes.each[0].nodes.pause',
          status: 'pending',
          deadline: START_MS + 10_000,
          since: START_MS,
        },
        { wait: 'w2', scope: 's3', path: 'nodes.each[1].nodes.pause' },
      ],
      buffered_signals: 1,
    });
  });

  it('shows what a saga owes, in order, and what the outcome says of it', () => {
    const send = activity('safe', 'fails', { compensation: irreversible('it is sent') });
    const nodes = { pay: effect('send'), send, fails: effect('end'), end: complete() };
    const saga = { kind: 'saga', input: from('workflow.input'), body: body(nodes), next: 'end' };
    const flow = workflow({ saga, end: complete(from('workflow.input')) });
    const { scenario } = drive(flow, { fails: () => error('broken'), undo: () => 'held' });
    expect(view(scenario)).toMatchObject({
      activities: [
        { activation: 'a2' },
        { activation: 'a3' },
        { activation: 'a4', status: 'failed' },
        { activation: 'a2c', role: 'compensation', activity: 'undo', max_attempts: 10 },
      ],
      obligations: [
        { activation: 'a2', node: 'pay', handler: 'undo', status: 'compensating', order: 1 },
        { activation: 'a3', node: 'send', handler: null, status: 'irreversible', order: 2 },
      ],
    });
    scenario.report(success(1), 'a2c');
    expect(view(scenario)).toMatchObject({
      status: 'failed',
      compensation: { complete: false, irreversible: [{ activation: 'a3' }], unresolved: [] },
    });
  });

  it('shows who has paused it', () => {
    const scenario = started(program);
    scenario.pause();
    expect(view(scenario)).toMatchObject({ paused: { since: START_MS, reason: 'hold on', by: 'operator' } });
  });
});

describe('the view of an event', () => {
  it('is flat and in snake_case, with cause and principal', () => {
    const scenario = started(program);
    expect(describeEvent(scenario.history[0] ?? never())).toEqual({
      seq: 1,
      at: START_MS,
      kind: 'run_admitted',
      v: 1,
      command: 'start-1',
      by: 'tester',
      run: scenario.run.id,
      workflow_id: 'deadbeef000000000000000000000000',
      ordinal: 1,
      namespace: 'default',
      workflow: 'chain',
      version: 1,
      digest: program.digest,
      start_key: null,
      input: { n: 1 },
      policy: { terminal_history_ms: 30 * 86_400_000, tombstone_ms: 90 * 86_400_000 },
      deadline: null,
    });
  });

  it('leaves the keys of values alone', () => {
    const scenario = claimed(program);
    scenario.report({ kind: 'success', output: { n: 2, camelCase: { innerKey: 1 } } });
    expect(describeEvent(scenario.history[4] ?? never())).toMatchObject({
      kind: 'activity_succeeded',
      internal: 'report',
      output: { n: 2, camelCase: { innerKey: 1 } },
    });
  });
});

function never(): never {
  throw new Error('the history is shorter than the test expects');
}
