import { describe, expect, it } from '@jest/globals';
import { chain } from './testing/chain.js';
import { claimed, START_MS, started, success } from './testing/scenario.js';
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
