import { describe, expect, it } from '@jest/globals';
import type { ActivationId, EventBody } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, ROOT, runAfter } from '../testing/history.js';
import { A1, A2 } from '../testing/scenario.js';

const program = chain({ steps: [{ effects: 'external' }, { effects: 'external' }] });
const reason = { code: 'activity.lost', message: 'gone' };
const blocked = (activation: ActivationId): EventBody => ({ kind: 'intervention_required', activation, reason });
const cancelled = (activation: ActivationId): EventBody => ({ kind: 'activity_cancelled', activation });

describe('appliers of intervention', () => {
  it('intervention_required blocks the leaf and the run, which goes no further', () => {
    const run = runAfter(program, activated('a1'), granted('a1'), blocked(A1));
    expect(run.leaves.get(A1)?.status).toMatchObject({ kind: 'blocked', claim: { generation: 1 }, reason });
    expect(run.status).toEqual({ kind: 'blocked', stop: null });
    expect(run.progressDue).toBe(false);
  });

  it('the run goes on when its last blocked leaf is settled, not before', () => {
    const both = [activated('a1'), granted('a1'), activated('a2', 'step2'), granted('a2'), blocked(A1), blocked(A2)];
    expect(runAfter(program, ...both, cancelled(A1)).status).toEqual({ kind: 'blocked', stop: null });
    expect(runAfter(program, ...both, cancelled(A1), cancelled(A2)).status).toEqual({ kind: 'active' });
  });

  it('a blocked run goes no further, though another leaf succeeds', () => {
    const run = runAfter(
      program,
      activated('a1', 'step2'),
      granted('a1'),
      activated('a2'),
      granted('a2'),
      blocked(A1),
      { kind: 'activity_succeeded', activation: A2, generation: 1, output: { n: 2 } },
    );
    expect(run.scopes.get(ROOT)?.next).toBe('step2');
    expect(run.progressDue).toBe(false);
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
