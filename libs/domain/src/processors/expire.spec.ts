import { describe, expect, it } from '@jest/globals';
import { chain } from '../testing/chain.js';
import type { Scenario } from '../testing/scenario.js';
import { A1, claimed, START_MS, started } from '../testing/scenario.js';

const retrySafe = chain({ steps: [{ effects: 'external' }] });

describe('expire', () => {
  it('by a lost worker or lease offers RetrySafe work again at once, the first time', () => {
    for (const reason of ['worker_lost', 'lease'] as const) {
      const scenario = claimed(retrySafe);
      scenario.entropy = 7;
      expect(scenario.expire(reason)).toEqual({ kind: 'accepted' });
      expect(scenario.recorded).toMatchObject([
        { kind: 'attempt_lost', reason, generation: 1 },
        { kind: 'retry_scheduled', delayMs: 0 },
      ]);
      expect(scenario.leaf().status).toEqual({ kind: 'ready', generation: 2 });
    }
  });

  it('by a second lost worker in a row waits', () => {
    const scenario = claimed(retrySafe);
    scenario.entropy = 7;
    scenario.expire('worker_lost');
    scenario.claim();
    scenario.expire('worker_lost');
    expect(scenario.leaf().status.kind).toBe('retry_wait');
  });

  it('by the deadline waits, also the first time', () => {
    const scenario = claimed(retrySafe);
    scenario.entropy = 7;
    scenario.now = START_MS + 10_000;
    scenario.expire('timeout');
    expect(scenario.leaf().status).toMatchObject({ kind: 'retry_wait', last: { code: 'activity.timeout' } });
  });

  it('is stale before the deadline', () => {
    const scenario = claimed(retrySafe);
    scenario.now = START_MS + 9_999;
    expect(scenario.expire('timeout').kind).toBe('stale');
    expect(scenario.leaf().status.kind).toBe('claimed');
  });

  it('is stale for an attempt that is not running', () => {
    expect(started(retrySafe).expire('lease', A1, 1).kind).toBe('stale');
    const scenario = claimed(retrySafe);
    expect(scenario.expire('lease', A1, 2)).toEqual({ kind: 'stale', reason: 'generation 2 of a1 is not running' });
  });

  it('is refused for an activation that the run does not have', () => {
    expect(started(retrySafe).expire('lease', 'a9')).toMatchObject({ rejection: { code: 'NotFound' } });
  });

  it.each([
    [
      'pure work fails with what was lost',
      'pure',
      'worker_lost',
      { kind: 'failed', failure: { code: 'activity.lost' } },
    ],
    ['pure work fails with its timeout', 'pure', 'timeout', { kind: 'failed', failure: { code: 'activity.timeout' } }],
    ['external work blocks for intervention', 'external', 'timeout', { kind: 'blocked', stop: null }],
  ] as const)('exhausts the budget: %s', (_what, effects, reason, status) => {
    const scenario = started(chain({ steps: [{ effects, maxAttempts: 2, initialMs: 1, maxMs: 1 }] }));
    exhaust(scenario, reason, 2);
    expect(scenario.run.status).toMatchObject(status);
    expect(scenario.leaf().attempts).toBe(2);
  });

  it('repeats pure work though its recovery says Manual', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'pure', recovery: 'Manual' }] }));
    scenario.expire('worker_lost');
    expect(scenario.leaf().status).toEqual({ kind: 'ready', generation: 2 });
  });

  it('never repeats Manual external work', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'external', recovery: 'Manual' }] }));
    scenario.expire('worker_lost');
    expect(scenario.kinds).toEqual(['attempt_lost', 'intervention_required']);
    expect(scenario.run.status).toEqual({ kind: 'blocked', stop: null });
  });
});

function exhaust(scenario: Scenario, reason: 'worker_lost' | 'timeout', attempts: number): void {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { status } = scenario.leaf();
    if (status.kind === 'retry_wait') {
      scenario.now = status.dueAt;
      scenario.timer(A1, status.dueAt);
    }
    scenario.claim();
    scenario.now += 10_000;
    scenario.expire(reason);
  }
}
