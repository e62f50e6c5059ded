import { describe, expect, it } from '@jest/globals';
import type { ActivationId } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, ROOT, runAfter } from '../testing/history.js';
import { A1, START_MS } from '../testing/scenario.js';
import { nextTransition } from '../transitions.js';

const program = chain({ steps: [{}, {}] });
const failure = { code: 'broken', message: 'it broke' };
const succeeded = { kind: 'activity_succeeded', activation: A1, generation: 1, output: { n: 2 } } as const;

describe('appliers of activities', () => {
  it('activity_activated adds an open leaf that waits for its first attempt', () => {
    const run = runAfter(program, activated('a1'));
    expect(run.leaves.get(A1)).toEqual({
      id: 'a1',
      scope: 's1',
      node: 'step1',
      pointer: '/root/nodes/step1',
      input: { value: { n: 1 }, seq: 3, at: '/input' },
      since: START_MS + 3,
      attempts: 0,
      returned: 0,
      extended: 0,
      forgiven: 0,
      losses: [],
      last: null,
      reported: null,
      late: 0,
      status: { kind: 'ready', generation: 1 },
    });
    expect([...run.open]).toEqual(['a1']);
    expect(run.scopes.get(ROOT)).toMatchObject({ next: null, current: { activation: 'a1' } });
    expect([...(run.scopes.get(ROOT)?.activations ?? [])]).toEqual(['a1']);
  });

  it('activity_succeeded settles the leaf and lets its scope enter the next node', () => {
    const run = runAfter(program, activated('a1'), granted('a1'), succeeded);
    expect(run.leaves.get(A1)?.status).toEqual({
      kind: 'succeeded',
      output: { value: { n: 2 }, seq: 5, at: '/output' },
      generation: 1,
    });
    expect(run.open.size).toBe(0);
    expect(run.scopes.get(ROOT)).toMatchObject({ next: 'step2', current: null });
    expect(run.scopes.get(ROOT)?.outputs.get('step1')).toEqual({ value: { n: 2 }, seq: 5, at: '/output' });
  });

  it('activity_succeeded in a scope that settles starts nothing', () => {
    const run = runAfter(
      program,
      activated('a1'),
      granted('a1'),
      { kind: 'run_stop_intended', intent: 'cancel', failure },
      succeeded,
    );
    expect(run.scopes.get(ROOT)?.next).toBe('step2');
    expect(nextTransition(run)?.kind).toBe('end');
  });

  it('activity_failed and activity_cancelled settle the leaf', () => {
    const failed = runAfter(program, activated('a1'), { kind: 'activity_failed', activation: A1, failure });
    expect(failed.leaves.get(A1)?.status).toEqual({ kind: 'failed', failure });
    const cancelled = runAfter(program, activated('a1'), { kind: 'activity_cancelled', activation: A1 });
    expect(cancelled.leaves.get(A1)?.status).toEqual({ kind: 'cancelled' });
    expect([failed.open.size, cancelled.open.size]).toEqual([0, 0]);
  });

  it('a leaf that is settled never changes again', () => {
    expect(() => runAfter(program, activated('a1'), granted('a1'), succeeded, granted('a1', 2))).toThrow(
      'event 6 changes a1, which has succeeded already',
    );
  });

  it('an event of a leaf that was never activated is a damaged history', () => {
    expect(() => runAfter(program, granted('a9'))).toThrow('event 3 speaks of a9, which was never activated');
  });

  it('a success of another attempt than the last is a damaged history', () => {
    const foreign = { ...succeeded, generation: 3, activation: 'a1' as ActivationId };
    expect(() => runAfter(program, activated('a1'), granted('a1'), foreign)).toThrow('ends attempt 3 of a1');
  });
});
