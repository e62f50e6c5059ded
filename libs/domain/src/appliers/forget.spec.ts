import { describe, expect, it } from '@jest/globals';
import { drive } from '../testing/driver.js';
import { error, OTHER_WORKER, success } from '../testing/scenario.js';
import { activity, body, complete, effect, from, literal, onError, workflow } from '../testing/workflow.js';
import { REMEMBERED_LEAVES } from './forget.js';

/** So many iterations of one activity, and then another one. */
function iterations(count: number, name = 'safe') {
  const loop = {
    kind: 'repeat',
    count: literal(count),
    state: from('workflow.input'),
    state_schema: 'value/v1',
    max_iterations: 100,
    body: body({ do: activity(name, 'end'), end: complete() }),
    next: 'after',
  };
  const after = activity('safe', 'end', { input: from('workflow.input') });
  return drive(workflow({ loop, after, end: complete(from('workflow.input')) }), { after: () => 'held' });
}

describe('what is forgotten with its scope', () => {
  it('is the leaf, but the repeat of its report is answered as the first was', () => {
    const { scenario } = iterations(3);
    expect([...scenario.run.leaves.keys()]).toEqual(['a5']);
    expect(scenario.run.recent.map(({ id }) => id)).toEqual(['a2', 'a3', 'a4']);
    expect(scenario.report(success(1), 'a3')).toEqual({ kind: 'accepted', repeated: true });
    expect(scenario.report(success(2), 'a3').kind).toBe('stale');
    expect(scenario.kinds).toEqual(['late_result_observed']);
    expect(scenario.run.recent.map(({ late }) => late)).toEqual([0, 1, 0]);
  });

  it('is remembered for 32 leaves; what is older is stale, not unknown', () => {
    const { scenario } = iterations(REMEMBERED_LEAVES + 1);
    expect(scenario.run.recent).toHaveLength(REMEMBERED_LEAVES);
    const reason = `a2 of run ${scenario.run.id} is over, and its scope as well`;
    expect(scenario.report(success(1), 'a2')).toEqual({ kind: 'stale', reason });
    expect(scenario.claim('a2')).toEqual({ kind: 'stale', reason });
    expect(scenario.expire('lease', 'a2', 1)).toEqual({ kind: 'stale', reason });
    expect(scenario.timer('a2', scenario.now)).toEqual({ kind: 'stale', reason });
    expect(scenario.report(success(1), 'a99')).toMatchObject({ rejection: { code: 'NotFound' } });
  });

  it('cannot be claimed by a worker whose offer comes late', () => {
    const { scenario } = iterations(2, 'pure');
    expect(scenario.claim('a2', { session: OTHER_WORKER }).kind).toBe('stale');
    expect(scenario.report(success(1), 'a2', { session: OTHER_WORKER, lax: true }).kind).toBe('stale');
  });

  it('is, once the run has left a failed container by an error route, everything in it', () => {
    const saga = {
      kind: 'saga',
      input: from('workflow.input'),
      body: body({ pay: effect('fails'), fails: effect('end'), end: complete() }),
      next: 'after',
      ...onError('after'),
    };
    const program = workflow({
      saga,
      after: activity('safe', 'end', { input: from('workflow.input') }),
      end: complete(from('workflow.input')),
    });
    const { scenario } = drive(program, { fails: () => error('broken'), after: () => 'held' });
    const { run } = scenario;
    expect([run.scopes.size, run.containers.size, run.obligations.size]).toEqual([1, 0, 0]);
    expect([...run.leaves.keys()]).toEqual(['a4']);
    expect(run.recent.map(({ id }) => id)).toEqual(['a2', 'a3', 'a2c']);
    const undone = run.recent.at(-1)?.status;
    expect(scenario.report({ kind: 'success', output: { undone: { n: 1 } } }, 'a2c')).toEqual(
      undone?.kind === 'succeeded' ? { kind: 'accepted', repeated: true } : null,
    );
  });
});
