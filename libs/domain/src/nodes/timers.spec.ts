import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { agenda } from '../index.js';
import { drive } from '../testing/driver.js';
import { START_MS } from '../testing/scenario.js';
import { complete, from, workflow } from '../testing/workflow.js';

const delay = (duration: unknown) =>
  workflow({ pause: { kind: 'delay', duration, next: 'end' }, end: complete(from('workflow.input')) });
const until = workflow({
  pause: { kind: 'wait_until', at: from('workflow.input', '/at'), next: 'end' },
  end: complete(from('workflow.input')),
});

describe('delay', () => {
  it('chooses its moment once and records it', () => {
    const { scenario } = drive(delay('10s'));
    expect(scenario.recorded.at(-1)).toEqual({
      kind: 'timer_set',
      wait: 'w1',
      scope: 's1',
      node: 'pause',
      dueAt: START_MS + 10_000,
    });
    scenario.now += 7_000;
    scenario.restart('history');
    expect(agenda(scenario.run)).toMatchObject({ timers: [{ name: 'w1', dueAt: START_MS + 10_000 }], waiting: 0 });
  });

  it('is over at its moment, not before, and only once', () => {
    const { scenario } = drive(delay('10s'));
    scenario.now = START_MS + 9_999;
    expect(scenario.timer('w1', START_MS + 10_000).kind).toBe('stale');
    scenario.now = START_MS + 99_999;
    expect(scenario.timer('w1', START_MS + 10_000)).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(['timer_fired', 'scope_completed', 'run_succeeded']);
    expect(scenario.timer('w1', START_MS + 10_000)).toEqual({ kind: 'stale', reason: 'the run has succeeded' });
  });

  it('of a bound duration is so many milliseconds', () => {
    const { scenario } = drive(delay(from('workflow.input', '/ms')), {}, { ms: 1 });
    expect(agenda(scenario.run).timers).toEqual([{ name: 'w1', dueAt: START_MS + 1 }]);
  });

  it.each<[Json, string]>([
    [0, 'binding.range'],
    [-5, 'binding.range'],
    [365 * 86_400_000 + 1, 'binding.range'],
    [1.5, 'binding.kind'],
    ['10s', 'binding.kind'],
  ])('of %j fails its scope with %s', (ms, code) => {
    const { scenario } = drive(delay(from('workflow.input', '/ms')), {}, { ms });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code } });
  });
});

describe('wait_until', () => {
  it('waits for a moment in the future', () => {
    const { scenario } = drive(until, {}, { at: START_MS + 5 });
    expect(agenda(scenario.run).timers).toEqual([{ name: 'w1', dueAt: START_MS + 5 }]);
  });

  it.each([0, START_MS - 1, START_MS])('until %i is over at once, in the same commit', (at) => {
    const { scenario } = drive(until, {}, { at });
    expect(scenario.kinds).toEqual([
      'run_admitted',
      'scope_opened',
      'timer_set',
      'timer_fired',
      'scope_completed',
      'run_succeeded',
    ]);
  });

  it.each<[Json, string]>([
    [-1, 'binding.range'],
    [2 ** 53, 'binding.kind'],
    ['2024-01-01T00:00:00Z', 'binding.kind'],
    [null, 'binding.kind'],
  ])('until %j fails its scope with %s', (at, code) => {
    expect(drive(until, {}, { at }).scenario.run.status).toMatchObject({ kind: 'failed', failure: { code } });
  });
});
