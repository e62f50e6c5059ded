import { describe, expect, it } from '@jest/globals';
import { agenda } from '../index.js';
import { chain } from '../testing/chain.js';
import type { Scenario } from '../testing/scenario.js';
import { A1, claimed, error, START_MS, started, success } from '../testing/scenario.js';

/** A leaf that waits for its retry, and when it is due. */
function waiting(): { readonly scenario: Scenario; readonly dueAt: number } {
  const scenario = claimed(chain({ steps: [{ retryErrors: ['busy'] }] }));
  scenario.entropy = 7;
  scenario.report(error('busy'));
  const { status } = scenario.leaf();
  if (status.kind !== 'retry_wait') throw new Error(`the leaf is ${status.kind}`);
  return { scenario, dueAt: status.dueAt };
}

describe('timer of a retry', () => {
  it('makes the leaf ready when it is due', () => {
    const { scenario, dueAt } = waiting();
    scenario.now = dueAt;
    expect(scenario.timer(A1, dueAt)).toEqual({ kind: 'accepted' });
    expect(scenario.recorded).toEqual([{ kind: 'retry_due', activation: 'a1' }]);
    expect(scenario.leaf()).toMatchObject({ status: { kind: 'ready', generation: 2 }, since: dueAt });
  });

  it('is stale before its time', () => {
    const { scenario, dueAt } = waiting();
    scenario.now = dueAt - 1;
    expect(scenario.timer(A1, dueAt).kind).toBe('stale');
  });

  it('is stale when the leaf waits for another time, or no more', () => {
    const { scenario, dueAt } = waiting();
    scenario.now = dueAt + 5;
    expect(scenario.timer(A1, dueAt + 1).kind).toBe('stale');
    scenario.timer(A1, dueAt);
    expect(scenario.timer(A1, dueAt).kind).toBe('stale');
  });

  it('is refused for an activation that the run does not have', () => {
    const { scenario } = waiting();
    expect(scenario.timer('a9', START_MS)).toMatchObject({ rejection: { code: 'NotFound' } });
  });
});

describe('timer of the run', () => {
  const program = chain({ steps: [{ effects: 'external' }], runTimeoutMs: 60_000 });
  const TIMEOUT = { code: 'run.timeout', message: 'the run did not end within 60000 ms of its start' };

  it('ends a run that waits as cancelled with run.timeout', () => {
    const scenario = started(program);
    scenario.now = START_MS + 60_000;
    expect(scenario.timer('run', START_MS + 60_000)).toEqual({ kind: 'accepted' });
    expect(scenario.run.status).toEqual({ kind: 'cancelled', failure: TIMEOUT, compensation: null });
  });

  it('waits for external work under way', () => {
    const scenario = claimed(program);
    scenario.now = START_MS + 60_000;
    scenario.timer('run', START_MS + 60_000);
    expect(scenario.run.status).toEqual({ kind: 'stopping', intent: 'timeout', failure: TIMEOUT });
    scenario.report(success(2));
    expect(scenario.run.status).toEqual({ kind: 'cancelled', failure: TIMEOUT, compensation: null });
  });

  it('is disarmed by an earlier intent', () => {
    const scenario = claimed(program);
    scenario.cancel();
    expect(agenda(scenario.run).timers).toEqual([]);
    scenario.now = START_MS + 60_000;
    expect(scenario.timer('run', START_MS + 60_000).kind).toBe('stale');
    expect(scenario.run.status).toMatchObject({ kind: 'stopping', intent: 'cancel' });
  });

  it('is stale at any other time than the recorded one', () => {
    const scenario = started(program);
    scenario.now = START_MS + 70_000;
    expect(scenario.timer('run', START_MS + 70_000).kind).toBe('stale');
    expect(started(chain({ steps: [{}] })).timer('run', START_MS).kind).toBe('stale');
  });

  it('is stale after the end', () => {
    const scenario = claimed(program);
    scenario.report(success(2));
    scenario.now = START_MS + 60_000;
    expect(scenario.timer('run', START_MS + 60_000)).toEqual({ kind: 'stale', reason: 'the run has succeeded' });
  });
});
