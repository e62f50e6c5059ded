import { describe, expect, it } from '@jest/globals';
import { isProgressDue } from '../advance.js';
import type { ActivationId, EventBody, ScopeId } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, BOTH_CLAIMED, branches, granted, runAfter } from '../testing/history.js';
import { A1, A2 } from '../testing/scenario.js';

const A3 = 'a3' as ActivationId;
const program = chain({ steps: [{ effects: 'external' }] });
const parallel = branches();
const reason = { code: 'activity.lost', message: 'gone' };
const blocked = (activation: ActivationId): EventBody => ({ kind: 'intervention_required', activation, reason });
const cancelled = (activation: ActivationId): EventBody => ({ kind: 'activity_cancelled', activation });

describe('appliers of intervention', () => {
  it('intervention_required blocks the leaf and the run, which goes no further', () => {
    const run = runAfter(program, activated('a1'), granted('a1'), blocked(A1));
    expect(run.leaves.get(A1)?.status).toMatchObject({ kind: 'blocked', claim: { generation: 1 }, reason });
    expect(run.status).toEqual({ kind: 'blocked', stop: null });
    expect(isProgressDue(run)).toBe(false);
  });

  it('the run goes on when its last blocked leaf is settled, not before', () => {
    const both = [...BOTH_CLAIMED, blocked(A2), blocked(A3)];
    expect(runAfter(parallel, ...both, cancelled(A2)).status).toEqual({ kind: 'blocked', stop: null });
    expect(runAfter(parallel, ...both, cancelled(A2), cancelled(A3)).status).toEqual({ kind: 'active' });
  });

  it('a blocked run goes no further, though another leaf succeeds', () => {
    const succeeded: EventBody = { kind: 'activity_succeeded', activation: A3, generation: 1, output: { n: 2 } };
    const run = runAfter(parallel, ...BOTH_CLAIMED, blocked(A2), succeeded);
    expect(run.scopes.get('s3' as ScopeId)?.next).toBe('two');
    expect(isProgressDue(run)).toBe(false);
  });

  it('a stopping run goes on stopping', () => {
    const stop: EventBody = { kind: 'run_stop_intended', intent: 'cancel', failure: reason };
    const run = runAfter(program, activated('a1'), granted('a1'), blocked(A1), stop, cancelled(A1));
    expect(run.status).toEqual({ kind: 'stopping', intent: 'cancel', failure: reason });
  });

  it('without an attempt there is nothing to ask about', () => {
    expect(() => runAfter(program, activated('a1'), blocked(A1))).toThrow('blocks a1, which had no attempt');
  });
});
