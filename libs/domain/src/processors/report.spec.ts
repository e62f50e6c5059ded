import { describe, expect, it } from '@jest/globals';
import { LATE_RESULTS_PER_ACTIVATION } from '../behaviours/late-result.js';
import { chain } from '../testing/chain.js';
import {
  A1,
  A2,
  claimed,
  error,
  OTHER_WORKER,
  returned,
  START_MS,
  started,
  success,
  unhandled,
} from '../testing/scenario.js';

const pure = chain({ steps: [{ effects: 'pure' }] });
const external = chain({ steps: [{ effects: 'external' }] });
const manual = chain({ steps: [{ effects: 'external', recovery: 'Manual' }] });
const ACCEPTED = { kind: 'accepted' };
const REPEATED = { kind: 'accepted', repeated: true };

describe('report of the attempt under way', () => {
  it('is the one result of the activity, and the chain goes on', () => {
    const scenario = claimed(chain({ steps: [{}, {}] }));
    expect(scenario.report(success(2))).toEqual(ACCEPTED);
    expect(scenario.kinds).toEqual(['activity_succeeded', 'activity_activated']);
    expect(scenario.leaf(A2).input.value).toEqual({ n: 2 });
    scenario.claim(A2);
    scenario.report(success(3), A2);
    expect(scenario.kinds).toEqual(['activity_succeeded', 'scope_completed', 'run_succeeded']);
    expect(scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: { n: 3 } } });
  });

  it('counts when it arrived at the deadline, however late it is applied', () => {
    const scenario = claimed(external);
    scenario.now = START_MS + 99_000;
    expect(scenario.report(success(2), A1, { arrivedAt: START_MS + 10_000 })).toEqual(ACCEPTED);
    expect(scenario.kinds).toEqual(['activity_succeeded', 'scope_completed', 'run_succeeded']);
  });

  it('that arrived after the deadline settles an outcome that has become unknown', () => {
    const scenario = claimed(external);
    scenario.now = START_MS + 10_001;
    expect(scenario.report(success(2))).toEqual(ACCEPTED);
    expect(scenario.kinds).toEqual(['attempt_lost', 'activity_succeeded', 'scope_completed', 'run_succeeded']);
    expect(scenario.recorded[0]).toMatchObject({ reason: 'timeout' });
  });

  it('that arrived after the deadline and knows nothing is a timeout', () => {
    const scenario = claimed(manual);
    scenario.now = START_MS + 10_001;
    scenario.report(unhandled());
    expect(scenario.kinds).toEqual(['attempt_lost', 'intervention_required']);
    expect(scenario.leaf().status).toMatchObject({ kind: 'blocked', reason: { code: 'activity.timeout' } });
  });

  it('that arrived after the deadline as a hand-back was still never started', () => {
    const scenario = claimed(manual);
    scenario.now = START_MS + 10_001;
    scenario.report(returned());
    expect(scenario.recorded).toMatchObject([
      { kind: 'attempt_lost', reason: 'returned' },
      { kind: 'retry_scheduled' },
    ]);
  });

  it('of another session or generation is refused and kept as evidence', () => {
    const scenario = claimed(external);
    expect(scenario.report(success(9), A1, { session: OTHER_WORKER }).kind).toBe('stale');
    expect(scenario.recorded).toEqual([
      { kind: 'late_result_observed', activation: 'a1', generation: 1, session: 'worker-2', outcome: 'success' },
    ]);
    expect(scenario.report(error('busy'), A1, { generation: 7 }).kind).toBe('stale');
    expect(scenario.recorded).toMatchObject([{ generation: 7, outcome: 'error' }]);
    expect(scenario.leaf().status.kind).toBe('claimed');
  });

  it('of an activation that the run does not have is refused', () => {
    expect(started(pure).report(success(1), 'a9')).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'NotFound' },
    });
  });

  it('with a message over 1 KiB keeps what fits', () => {
    const scenario = claimed(pure);
    scenario.report(error('broken', 'ä'.repeat(1_000)));
    const failure = scenario.run.status.kind === 'failed' ? scenario.run.status.failure : null;
    expect(failure).toEqual({ code: 'broken', message: `${'ä'.repeat(510)}…` });
  });
});

describe('repeated report', () => {
  it('of a success is answered as the first was', () => {
    const scenario = claimed(chain({ steps: [{}, {}] }));
    scenario.report(success(2));
    expect(scenario.report(success(2))).toEqual(REPEATED);
    expect(scenario.kinds).toEqual([]);
  });

  it('after the end of the run is answered as the first was', () => {
    const scenario = claimed(pure);
    scenario.report(success(2));
    expect(scenario.report(success(2))).toEqual(REPEATED);
  });

  it('with another output is refused as late', () => {
    const scenario = claimed(chain({ steps: [{}, {}] }));
    scenario.report(success(2));
    expect(scenario.report(success(3)).kind).toBe('stale');
    expect(scenario.kinds).toEqual(['late_result_observed']);
    expect(scenario.leaf(A2).input.value).toEqual({ n: 2 });
  });

  it('of a failure is answered as the first was, while the next attempt is claimed', () => {
    const scenario = claimed(chain({ steps: [{ retryErrors: ['busy'] }] }));
    scenario.report(error('busy'));
    expect(scenario.leaf().status.kind).toBe('ready');
    expect(scenario.report(error('busy'), A1, { generation: 1 })).toEqual(REPEATED);
    scenario.claim();
    expect(scenario.report(error('busy'), A1, { generation: 1 })).toEqual(REPEATED);
    expect(scenario.report(success(2), A1, { generation: 1 }).kind).toBe('stale');
  });

  it('of a hand-back is answered as the first was', () => {
    const scenario = claimed(external);
    scenario.report(returned());
    expect(scenario.report(returned(), A1, { generation: 1 })).toEqual(REPEATED);
    expect(scenario.report(success(2), A1, { generation: 1 }).kind).toBe('stale');
  });
});

describe('report while the outcome is unknown', () => {
  it('settles a blocked activity, and the run goes on', () => {
    const scenario = claimed(manual);
    scenario.expire('lease');
    expect(scenario.run.status.kind).toBe('blocked');
    expect(scenario.report(success(2))).toEqual(ACCEPTED);
    expect(scenario.run.status.kind).toBe('succeeded');
  });

  it('settles an activity that is offered again, until a newer attempt is granted', () => {
    const offered = claimed(external);
    offered.expire('worker_lost');
    expect(offered.report(success(2), A1, { generation: 1 })).toEqual(ACCEPTED);
    expect(offered.run.status.kind).toBe('succeeded');

    const granted = claimed(external);
    granted.expire('worker_lost');
    granted.claim(A1, { session: OTHER_WORKER });
    expect(granted.report(success(2), A1, { generation: 1 }).kind).toBe('stale');
    expect(granted.kinds).toEqual(['late_result_observed']);
  });

  it('settles an activity that waits for its retry, and the timer is void', () => {
    const scenario = claimed(external);
    scenario.entropy = 7;
    scenario.now = START_MS + 10_000;
    scenario.expire('timeout');
    const { status } = scenario.leaf();
    if (status.kind !== 'retry_wait') throw new Error(`the leaf is ${status.kind}`);
    scenario.report(success(2), A1, { generation: 1 });
    scenario.now = status.dueAt;
    expect(scenario.timer(A1, status.dueAt).kind).toBe('stale');
  });

  it('may make a blocked activity fail for a known reason', () => {
    const scenario = claimed(manual);
    scenario.expire('lease');
    scenario.report(error('broken'));
    expect(scenario.run.status).toMatchObject({
      kind: 'failed',
      failure: { code: 'broken', message: 'broken it was' },
    });
  });

  it('that knows nothing either changes nothing', () => {
    const scenario = claimed(manual);
    scenario.expire('lease');
    expect(scenario.report(unhandled()).kind).toBe('stale');
    expect(scenario.kinds).toEqual(['late_result_observed']);
    expect(scenario.run.status.kind).toBe('blocked');
  });

  it('that says the attempt never started makes a blocked activity ready again', () => {
    const scenario = claimed(manual);
    scenario.expire('lease');
    expect(scenario.report(returned())).toEqual(ACCEPTED);
    expect(scenario.run.status).toEqual({ kind: 'active' });
    expect(scenario.leaf()).toMatchObject({ status: { kind: 'ready', generation: 2 }, losses: [], returned: 1 });
  });

  it('of another session changes nothing', () => {
    const scenario = claimed(manual);
    scenario.expire('lease');
    expect(scenario.report(success(2), A1, { session: OTHER_WORKER }).kind).toBe('stale');
    expect(scenario.run.status.kind).toBe('blocked');
  });
});

describe('lax report', () => {
  it('claims and reports pure work in one commit', () => {
    const scenario = started(pure);
    expect(scenario.report(success(2), A1, { lax: true })).toEqual(ACCEPTED);
    expect(scenario.kinds).toEqual(['attempt_granted', 'activity_succeeded', 'scope_completed', 'run_succeeded']);
    expect(scenario.recorded[0]).toMatchObject({ attempt: 1, generation: 1, deadline: START_MS + 10_000 });
  });

  it('uses up an attempt when it failed', () => {
    const scenario = started(chain({ steps: [{ retryErrors: ['busy'], maxAttempts: 2 }] }));
    scenario.report(error('busy'), A1, { lax: true });
    expect(scenario.kinds).toEqual(['attempt_granted', 'attempt_failed', 'retry_scheduled']);
    scenario.report(error('busy'), A1, { lax: true });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'busy' } });
  });

  it('is refused for external work, which may not start before its grant', () => {
    const scenario = started(external);
    expect(scenario.report(success(2), A1, { lax: true })).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'FailedPrecondition' },
    });
    expect(scenario.leaf().status.kind).toBe('ready');
  });

  it('is needed where nothing was claimed', () => {
    const scenario = started(pure);
    expect(scenario.report(success(2)).kind).toBe('stale');
    expect(scenario.leaf().status.kind).toBe('ready');
  });

  it('of a leaf that another session has claimed is refused', () => {
    const scenario = claimed(pure);
    expect(scenario.report(success(2), A1, { lax: true, session: OTHER_WORKER }).kind).toBe('stale');
  });

  it('is repeated like any other', () => {
    const scenario = started(pure);
    scenario.report(success(2), A1, { lax: true });
    expect(scenario.report(success(2), A1, { lax: true, generation: 1 })).toEqual(REPEATED);
  });
});

describe('offer handed back', () => {
  it('before it was claimed changes nothing', () => {
    const scenario = started(external);
    expect(scenario.report(returned())).toEqual(ACCEPTED);
    expect(scenario.kinds).toEqual([]);
  });

  it('after it was claimed is offered again at once and costs no budget', () => {
    const scenario = started(chain({ steps: [{ effects: 'external', recovery: 'Manual', maxAttempts: 1 }] }));
    scenario.claim();
    scenario.report(returned());
    expect(scenario.recorded).toEqual([
      { kind: 'attempt_lost', activation: 'a1', generation: 1, reason: 'returned', message: 'draining' },
      { kind: 'retry_scheduled', activation: 'a1', delayMs: 0, dueAt: START_MS },
    ]);
    scenario.claim();
    scenario.report(success(2));
    expect(scenario.run.status.kind).toBe('succeeded');
  });

  it('leaves the whole budget to the attempts that follow', () => {
    const scenario = started(chain({ steps: [{ effects: 'external', maxAttempts: 2 }] }));
    scenario.claim();
    scenario.report(returned());
    scenario.claim();
    scenario.expire('worker_lost');
    expect(scenario.leaf().status).toEqual({ kind: 'ready', generation: 3 });
    scenario.claim();
    scenario.expire('worker_lost');
    expect(scenario.leaf().status.kind).toBe('blocked');
  });

  it('again and again waits longer each time, so that it cannot fill the history', () => {
    const scenario = started(chain({ steps: [{ effects: 'external' }] }));
    scenario.entropy = 7;
    const delays = [0, 1, 2].map(() => {
      const { status } = scenario.leaf();
      if (status.kind === 'retry_wait') {
        scenario.now = status.dueAt;
        scenario.timer(A1, status.dueAt);
      }
      scenario.claim();
      scenario.report(returned());
      const scheduled = scenario.recorded.find((body) => body.kind === 'retry_scheduled');
      return scheduled?.kind === 'retry_scheduled' ? scheduled.delayMs : -1;
    });
    expect(delays[0]).toBe(0);
    expect(delays[1]).toBeGreaterThan(0);
    expect(delays[2]).toBeGreaterThan(delays[1] ?? 0);
  });
});

describe('late evidence', () => {
  it('is bounded for each activation', () => {
    const scenario = claimed(external);
    for (let i = 0; i < LATE_RESULTS_PER_ACTIVATION + 4; i++)
      scenario.report(success(i), A1, { session: OTHER_WORKER });
    const evidence = scenario.history.filter((event) => event.body.kind === 'late_result_observed');
    expect(evidence).toHaveLength(16);
  });
});
