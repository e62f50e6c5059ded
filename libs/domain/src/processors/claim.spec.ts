import { describe, expect, it } from '@jest/globals';
import { chain } from '../testing/chain.js';
import { A1, claimed, OTHER_WORKER, START_MS, started, success } from '../testing/scenario.js';

const program = chain({ steps: [{ effects: 'external', timeoutMs: 5_000 }] });
const GRANT = { activation: 'a1', attempt: 1, generation: 1, deadline: START_MS + 5_000 };

describe('claim', () => {
  it('grants the attempt with a deadline fixed at grant time plus timeout', () => {
    const scenario = started(program);
    expect(scenario.claim()).toEqual({ kind: 'accepted', grant: GRANT });
    expect(scenario.recorded).toEqual([{ kind: 'attempt_granted', ...GRANT, session: 'worker-1' }]);
    expect(scenario.history.at(-1)?.cause).toEqual({ internal: 'claim' });
  });

  it('gives the same grant again to the session that holds it', () => {
    const scenario = claimed(program);
    scenario.now += 1_000;
    expect(scenario.claim()).toEqual({ kind: 'accepted', grant: GRANT, repeated: true });
    expect(scenario.kinds).toEqual([]);
  });

  it('is stale for another session while the attempt runs', () => {
    const scenario = claimed(program);
    expect(scenario.claim(A1, { session: OTHER_WORKER }).kind).toBe('stale');
  });

  it.each([0, 2])('is stale for generation %i when 1 is offered', (generation) => {
    expect(started(program).claim(A1, { generation })).toEqual({
      kind: 'stale',
      reason: `a1 is offered as generation 1, not ${generation}`,
    });
  });

  it('is stale once the leaf is decided', () => {
    const scenario = claimed(program);
    scenario.report(success(2));
    expect(scenario.claim()).toEqual({ kind: 'stale', reason: 'the run has succeeded' });
  });

  it('is refused for an activation that the run does not have', () => {
    expect(started(program).claim('a9')).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'NotFound' },
    });
  });

  it('grants with the next generation and attempt number after a loss', () => {
    const scenario = claimed(program);
    scenario.expire('worker_lost');
    scenario.now += 10;
    expect(scenario.claim()).toEqual({
      kind: 'accepted',
      grant: { activation: 'a1', attempt: 2, generation: 2, deadline: START_MS + 5_010 },
    });
  });
});
