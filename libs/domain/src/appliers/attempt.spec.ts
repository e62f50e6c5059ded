import { describe, expect, it } from '@jest/globals';
import type { ActivationId, EventBody, LossReason, SessionId } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, runAfter } from '../testing/history.js';
import { A1, START_MS } from '../testing/scenario.js';

const program = chain({ steps: [{ effects: 'external' }] });
const CLAIM = { attempt: 1, generation: 1, session: 'worker-1', deadline: START_MS + 10_000 };
const lost = (reason: LossReason, generation = 1): EventBody => ({
  kind: 'attempt_lost',
  activation: A1,
  generation,
  reason,
  message: 'gone',
});
const retried: EventBody = { kind: 'retry_scheduled', activation: A1, delayMs: 0, dueAt: START_MS };

describe('appliers of attempts', () => {
  it('attempt_granted claims the leaf and counts the attempt', () => {
    const leaf = runAfter(program, activated('a1'), granted('a1')).leaves.get(A1);
    expect(leaf).toMatchObject({ status: { kind: 'claimed', claim: CLAIM }, last: CLAIM, attempts: 1 });
  });

  it.each<[LossReason, string]>([
    ['timeout', 'activity.timeout'],
    ['lease', 'activity.lost'],
    ['worker_lost', 'activity.lost'],
    ['unhandled', 'activity.unhandled'],
    ['bad_output', 'activity.bad_output'],
    ['result_too_large', 'worker.result_too_large'],
  ])('attempt_lost by %s leaves an unknown outcome called %s', (reason, code) => {
    const leaf = runAfter(program, activated('a1'), granted('a1'), lost(reason)).leaves.get(A1);
    expect(leaf).toMatchObject({
      status: { kind: 'ended', claim: CLAIM, failure: { code, message: 'gone' } },
      losses: [{ code, message: 'gone' }],
      returned: 0,
      reported: null,
    });
  });

  it('attempt_lost by a hand-back leaves nothing unknown', () => {
    const leaf = runAfter(program, activated('a1'), granted('a1'), lost('returned')).leaves.get(A1);
    expect(leaf).toMatchObject({ losses: [], returned: 1, attempts: 1, reported: { outcome: { kind: 'returned' } } });
  });

  it('attempt_lost by a hand-back does not make an earlier loss known', () => {
    const leaf = runAfter(
      program,
      activated('a1'),
      granted('a1'),
      lost('lease'),
      retried,
      granted('a1', 2),
      lost('returned', 2),
    );
    expect(leaf.leaves.get(A1)).toMatchObject({
      losses: [{ code: 'activity.lost', message: 'gone' }],
      returned: 1,
      attempts: 2,
    });
  });

  it('attempt_lost by a hand-back after it was counted as lost takes that loss back', () => {
    const leaf = runAfter(program, activated('a1'), granted('a1'), lost('lease'), retried, lost('returned')).leaves.get(
      A1,
    );
    expect(leaf).toMatchObject({ losses: [], returned: 1 });
  });

  it('attempt_failed is a known outcome and ends a row of losses', () => {
    const failure = { code: 'busy', message: 'try later' };
    const failed: EventBody = { kind: 'attempt_failed', activation: A1, generation: 2, failure };
    const leaf = runAfter(
      program,
      activated('a1'),
      granted('a1'),
      lost('lease'),
      retried,
      granted('a1', 2),
      failed,
    ).leaves.get(A1);
    expect(leaf).toMatchObject({
      status: { kind: 'ended', failure },
      losses: [],
      reported: { generation: 2, session: 'worker-1', outcome: { kind: 'error', failure } },
    });
  });

  it('late_result_observed only counts, on a settled leaf too', () => {
    const observed: EventBody = {
      kind: 'late_result_observed',
      activation: A1,
      generation: 1,
      session: 'worker-2' as SessionId,
      outcome: 'success',
    };
    const run = runAfter(program, activated('a1'), { kind: 'activity_cancelled', activation: A1 }, observed);
    expect(run.leaves.get(A1)).toMatchObject({ status: { kind: 'cancelled' }, late: 1 });
    expect(() => runAfter(program, { ...observed, activation: 'a9' as ActivationId })).toThrow('never activated');
  });
});
