import { describe, expect, it } from '@jest/globals';
import { chain } from './testing/chain.js';
import { drive } from './testing/driver.js';
import { claimed, START_MS, started, success } from './testing/scenario.js';
import { activity, body, complete, from, literal, workflow } from './testing/workflow.js';
import { agenda } from './index.js';

const program = chain({ steps: [{ effects: 'external', recovery: 'Manual' }], runTimeoutMs: 60_000 });
const RUN_TIMER = { name: 'run', dueAt: START_MS + 60_000 };

describe('agenda', () => {
  it('of a queued leaf offers it with the numbers of its next grant', () => {
    const scenario = started(program);
    expect(agenda(scenario.run)).toEqual({
      ready: [{ leaf: scenario.leaf(), generation: 1, attempt: 1 }],
      claims: [],
      timers: [RUN_TIMER],
      progressDue: false,
      waiting: 0,
      blocked: false,
      paused: false,
      terminal: false,
    });
  });

  it('of a claimed leaf watches its claim', () => {
    const scenario = claimed(program);
    const { ready, claims, timers } = agenda(scenario.run);
    expect(ready).toEqual([]);
    expect(claims).toEqual([{ leaf: scenario.leaf(), claim: scenario.leaf().last }]);
    expect(timers).toEqual([RUN_TIMER]);
  });

  it('of a leaf that waits for its retry has its timer', () => {
    const scenario = claimed(chain({ steps: [{}] }));
    scenario.entropy = 7;
    scenario.now += 10_000;
    scenario.expire('timeout');
    const { status } = scenario.leaf();
    expect(agenda(scenario.run).timers).toEqual([
      { name: 'a1', dueAt: status.kind === 'retry_wait' ? status.dueAt : null },
    ]);
  });

  it('of a blocked run says so', () => {
    const scenario = claimed(program);
    scenario.expire('lease');
    expect(agenda(scenario.run)).toMatchObject({ blocked: true, claims: [], ready: [], timers: [RUN_TIMER] });
  });

  it('of a stopping run has only what is still to settle', () => {
    const scenario = claimed(program);
    scenario.cancel();
    expect(agenda(scenario.run)).toMatchObject({ ready: [], claims: [{ claim: { generation: 1 } }], timers: [] });
  });

  it('of a run that waits for a signal has nobody to call but somebody outside, and the deadline', () => {
    const wait = {
      kind: 'wait_signal',
      signal: 'go',
      key: literal('k'),
      timeout: '5s',
      next: 'end',
      on_timeout: 'end',
    };
    const { run } = drive(
      workflow({ wait, end: complete(from('workflow.input')) }, { signals: { go: { schema: 'value/v1' } } }),
    ).scenario;
    expect(agenda(run)).toMatchObject({ waiting: 1, ready: [], timers: [{ name: 'w1', dueAt: START_MS + 5_000 }] });
  });

  it('of a run that is paused offers nothing and keeps its timers', () => {
    const branch = (name: string, node: object) => ({
      name,
      input: from('workflow.input'),
      body: body({ node: { ...node, next: 'end' }, end: complete() }),
    });
    const branches = [branch('work', activity('safe', 'end')), branch('time', { kind: 'delay', duration: '5s' })];
    const both = workflow({ both: { kind: 'parallel', branches, next: 'end' }, end: complete(from('workflow.input')) });
    const scenario = started(both);
    expect(agenda(scenario.run)).toMatchObject({ paused: false, ready: [{ attempt: 1 }] });
    scenario.pause();
    expect(agenda(scenario.run)).toMatchObject({
      paused: true,
      ready: [],
      progressDue: false,
      timers: [{ name: 'w1', dueAt: START_MS + 5_000 }],
    });
  });

  it('of a run that has ended is empty', () => {
    const scenario = claimed(program);
    scenario.report(success(2));
    expect(agenda(scenario.run)).toEqual({
      ready: [],
      claims: [],
      timers: [],
      progressDue: false,
      waiting: 0,
      blocked: false,
      paused: false,
      terminal: true,
    });
  });
});
