import { describe, expect, it } from '@jest/globals';
import { chain } from '../testing/chain.js';
import type { Scenario } from '../testing/scenario.js';
import { A1, claimed, error, returned, started, success } from '../testing/scenario.js';

const pure = chain({ steps: [{ effects: 'pure' }] });
const external = chain({ steps: [{ effects: 'external' }] });
const CANCELLED = { code: 'run.cancelled', message: 'no longer wanted' };

describe('cancel', () => {
  it('withdraws a leaf that was never granted and ends the run in the same commit', () => {
    const scenario = started(external);
    expect(scenario.cancel()).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(['run_stop_intended', 'activity_cancelled', 'scope_cancelled', 'run_cancelled']);
    expect(scenario.run.status).toEqual({ kind: 'cancelled', failure: CANCELLED, compensation: null });
  });

  it('withdraws pure work that runs, and ignores its late result', () => {
    const scenario = claimed(pure);
    scenario.cancel();
    expect(scenario.run.status.kind).toBe('cancelled');
    expect(scenario.report(success(2))).toMatchObject({ kind: 'stale' });
    expect(scenario.kinds).toEqual([]);
  });

  it('waits for external work that runs; its result stands but starts nothing', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'external' }, {}] }));
    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended']);
    expect(scenario.run.status).toEqual({ kind: 'stopping', intent: 'cancel', failure: CANCELLED });
    expect(scenario.report(success(2))).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(['activity_succeeded', 'scope_cancelled', 'run_cancelled']);
  });

  it('takes a known failure of external work as settled, without a retry', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'external', retryErrors: ['busy'] }] }));
    scenario.cancel();
    scenario.report(error('busy'));
    expect(scenario.kinds).toEqual(['attempt_failed', 'activity_failed', 'scope_cancelled', 'run_cancelled']);
  });

  it('takes an attempt handed back unstarted as settled', () => {
    const scenario = claimed(external);
    scenario.cancel();
    scenario.report(returned());
    expect(scenario.kinds).toEqual(['attempt_lost', 'activity_cancelled', 'scope_cancelled', 'run_cancelled']);
  });

  it('never retries a lost external attempt while stopping, though its contract is RetrySafe', () => {
    const scenario = claimed(external);
    scenario.cancel();
    scenario.expire('worker_lost');
    expect(scenario.kinds).toEqual(['attempt_lost', 'intervention_required']);
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: { intent: 'cancel', failure: CANCELLED } });
  });

  it('asks a person about external work that waits for a retry after a lost attempt: it may have happened', () => {
    const scenario = claimed(external);
    scenario.expire('worker_lost');
    expect(scenario.leaf().status).toEqual({ kind: 'ready', generation: 2 });
    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended', 'intervention_required']);
    expect(scenario.run.status.kind).toBe('blocked');
    scenario.report(success(2), A1, { generation: 1 });
    expect(scenario.kinds).toEqual(['activity_succeeded', 'scope_cancelled', 'run_cancelled']);
  });

  it('asks a person about a handed-back attempt, too, when an earlier one was lost', () => {
    const scenario = claimed(external);
    scenario.expire('worker_lost');
    scenario.claim();
    scenario.cancel();
    scenario.report(returned());
    expect(scenario.kinds).toEqual(['attempt_lost', 'intervention_required']);
    expect(scenario.recorded[1]).toMatchObject({
      reason: {
        code: 'activity.lost',
        message: 'session worker-1 is gone since attempt 1 was granted',
      },
    });
  });

  it('withdraws external work that waits for a retry after a known failure', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'external', retryErrors: ['busy'] }] }));
    scenario.entropy = 7;
    scenario.report(error('busy'));
    expect(scenario.leaf().status.kind).toBe('retry_wait');
    scenario.cancel();
    expect(scenario.run.status.kind).toBe('cancelled');
  });

  it('closes a blocked run without unblocking it, and its late report ends it', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'external', recovery: 'Manual' }] }));
    scenario.expire('lease');
    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended']);
    expect(scenario.run.status).toMatchObject({ kind: 'blocked', stop: { intent: 'cancel' } });
    scenario.report(success(2));
    expect(scenario.run.status).toEqual({ kind: 'cancelled', failure: CANCELLED, compensation: null });
  });

  it('is acknowledged again while the run stops, and recorded once', () => {
    const scenario = claimed(external);
    scenario.cancel();
    expect(scenario.cancel('really')).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(['run_stop_repeated']);
    expect(scenario.cancel('really')).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual([]);
    expect(scenario.run.status).toMatchObject({ kind: 'stopping', failure: CANCELLED });
  });

  it.each([
    ['succeeded', (s: Scenario) => s.report(success(2)), 'it succeeded'],
    ['failed', (s: Scenario) => s.report(error('broken')), 'it failed (broken)'],
    ['cancelled', (s: Scenario) => s.cancel(), 'it cancelled (run.cancelled)'],
  ])('refuses a run that has %s, saying how it ended', (_status, end, how) => {
    const scenario = claimed(pure);
    end(scenario);
    const before = scenario.history.length;
    expect(scenario.cancel()).toEqual({
      kind: 'rejected',
      rejection: {
        code: 'FailedPrecondition',
        message: `run ${scenario.run.id} has ended already: ${how}; there is nothing to cancel`,
      },
    });
    expect(scenario.history).toHaveLength(before);
  });
});
