import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '@graphrun/dsl';
import { execute, type ActivationId, type SessionId } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, runAfter } from '../testing/history.js';
import { claimed, START_MS, success } from '../testing/scenario.js';

const context = { now: START_MS + 100_000, arrivedAt: START_MS + 5_000, entropy: 0, by: 'worker-1' };
const twoSteps = chain({ steps: [{}, {}] });
const report = (activation: string) =>
  ({
    kind: 'report',
    activation: activation as ActivationId,
    generation: 1,
    session: 'worker-1' as SessionId,
    lax: false,
    outcome: success(2),
  }) as const;

describe('nodes', () => {
  it('fail ends the run with the error of the definition', () => {
    const failure = { code: 'out_of_stock', message: 'nothing left to ship' };
    const scenario = claimed(chain({ steps: [{}], fail: failure }));
    scenario.report(success(2));
    expect(scenario.kinds).toEqual(['activity_succeeded', 'run_stop_intended', 'scope_failed', 'run_failed']);
    expect(scenario.run.status).toEqual({ kind: 'failed', failure, compensation: null });
  });

  it('an activity beyond the number of activations fails the run; what was under way has settled', () => {
    const before = Array.from({ length: LIMITS.activationsPerRun - 1 }, (_, index) => [
      activated(`a${index + 2}`),
      { kind: 'activity_cancelled', activation: `a${index + 2}` as ActivationId } as const,
    ]).flat();
    const run = runAfter(twoSteps, ...before, activated('a1'), granted('a1'));
    const { events } = execute(run, report('a1'), context);
    expect(events.map(({ event }) => event.body.kind)).toEqual([
      'activity_succeeded',
      'run_stop_intended',
      'scope_failed',
      'run_failed',
    ]);
    expect(run.status).toMatchObject({ kind: 'failed', failure: { code: 'limit.activations' } });
  });

  it('an activity beyond the bytes of history fails the run; the result that came last stands', () => {
    const run = runAfter(twoSteps, activated('a1'), granted('a1'));
    run.historyBytes = LIMITS.historyBytes - 10;
    execute(run, report('a1'), context);
    expect(run.leaves.get('a1' as ActivationId)?.status.kind).toBe('succeeded');
    expect(run.status).toMatchObject({ kind: 'failed', failure: { code: 'limit.history' } });
  });
});
