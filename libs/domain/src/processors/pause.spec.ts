import { describe, expect, it } from '@jest/globals';
import { agenda, explain } from '../index.js';
import { drive, type Handlers } from '../testing/driver.js';
import { error, START_MS, success } from '../testing/scenario.js';
import { activity, body, complete, effect, from, literal, workflow } from '../testing/workflow.js';

const HELD: Handlers = { safe: () => 'held', pure: () => 'held' };

/** Two activities in a row beside a wait for a signal and a delay. */
const program = workflow(
  {
    all: {
      kind: 'parallel',
      branches: [
        branch('work', { one: activity('safe', 'two'), two: activity('pure', 'end') }),
        branch('signal', { wait: wait('then'), then: activity('pure', 'end') }),
        branch('time', { pause: { kind: 'delay', duration: '1s', next: 'then' }, then: activity('pure', 'end') }),
      ],
      next: 'end',
    },
    end: complete(from('workflow.input')),
  },
  { signals: { go: { schema: 'value/v1' } } },
);

function branch(name: string, nodes: Parameters<typeof body>[0]) {
  return { name, input: from('workflow.input'), body: body({ ...nodes, end: complete() }) };
}

function wait(next: string) {
  return { kind: 'wait_signal', signal: 'go', key: literal('k'), timeout: null, next };
}

describe('pause', () => {
  it('refuses every claim and offers nothing, whatever was ready', () => {
    const { scenario } = drive(program, HELD);
    scenario.report(success(1), 'a2');
    expect(agenda(scenario.run).ready.map(({ leaf }) => leaf.node)).toEqual(['two']);
    expect(scenario.pause()).toEqual({ kind: 'accepted' });
    expect(scenario.recorded).toEqual([{ kind: 'run_paused', reason: 'hold on' }]);
    expect(agenda(scenario.run)).toMatchObject({ ready: [], paused: true, progressDue: false });
    const reason = 'the run is paused and starts nothing until it is resumed';
    expect(scenario.claim('a3')).toEqual({ kind: 'stale', reason });
    expect(scenario.report(success(1), 'a3', { lax: true })).toEqual({ kind: 'stale', reason });
    scenario.resume();
    expect(agenda(scenario.run).ready.map(({ leaf }) => leaf.node)).toEqual(['two']);
    expect(scenario.claim('a3').kind).toBe('accepted');
  });

  it('lets running attempts report; what follows begins at resume', () => {
    const { scenario } = drive(program, HELD);
    scenario.pause();
    expect(scenario.report(success(1), 'a2')).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(['activity_succeeded']);
    scenario.resume();
    expect(scenario.kinds).toEqual(['run_resumed', 'activity_activated']);
  });

  it('records signals and timers, and goes no further', () => {
    const { scenario } = drive(program, HELD);
    scenario.pause();
    scenario.signal('go', 7);
    expect(scenario.kinds).toEqual(['signal_accepted', 'wait_satisfied']);
    scenario.now = START_MS + 1_000;
    const [timer] = agenda(scenario.run).timers;
    scenario.timer(timer?.name ?? '', timer?.dueAt ?? 0);
    expect(scenario.kinds).toEqual(['timer_fired']);
    expect(agenda(scenario.run)).toMatchObject({ progressDue: false, paused: true });
    scenario.resume();
    expect(scenario.kinds).toEqual(['run_resumed', 'activity_activated', 'activity_activated']);
  });

  it('holds the retry of a failed attempt', () => {
    const retried = workflow({
      try: activity('pure', 'end', { retry: { errors: ['busy'], max_attempts: 2 } }),
      end: complete(),
    });
    const { scenario } = drive(retried, HELD);
    scenario.pause();
    scenario.report(error('busy'), 'a1');
    expect(scenario.leaf().status).toEqual({ kind: 'ready', generation: 2 });
    expect(agenda(scenario.run).ready).toEqual([]);
    expect(scenario.claim('a1').kind).toBe('stale');
  });

  it('accepts stop intents; cleanup begins at resume, and explain says so', () => {
    const { scenario } = drive(program, HELD);
    scenario.report(success(1), 'a2');
    scenario.pause();
    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended']);
    expect([...scenario.run.open, ...scenario.run.pending]).toEqual(['a3', 'w1', 'w2']);
    const reasons = explain(scenario.run, { now: scenario.now, workersFor: () => null });
    expect(reasons.map(({ code }) => code)).toEqual(['paused', 'children']);
    expect(reasons[0]?.message).toContain('cleanup begins at resume');
    scenario.resume();
    expect(scenario.run.status.kind).toBe('cancelled');
  });

  it('lets no compensation begin, and accepts the report of one under way', () => {
    const saga = body({ one: effect('two'), two: effect('three'), three: effect('end'), end: complete() });
    const undoing = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: saga, next: 'end' },
      end: complete(literal(1)),
    });
    const driver = drive(undoing, { three: () => error('broken'), undo: () => 'held' });
    const { scenario } = driver;
    expect(driver.begun.at(-1)).toBe('two:compensation');
    scenario.pause();
    expect(scenario.report(success(1), 'a3c')).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(['compensation_completed']);
    scenario.resume();
    expect(scenario.kinds).toEqual(['run_resumed', 'compensation_started']);
    scenario.pause();
    expect(scenario.claim('a2c').kind).toBe('stale');
  });

  it('and resume are idempotent, and refused after the end', () => {
    const { scenario } = drive(workflow({ try: activity('pure', 'end'), end: complete() }), HELD);
    expect(scenario.resume()).toEqual({ kind: 'accepted', repeated: true });
    scenario.pause();
    expect(scenario.pause()).toEqual({ kind: 'accepted', repeated: true });
    expect(scenario.run.paused).toEqual({ since: START_MS, reason: 'hold on', by: 'operator' });
    scenario.resume();
    scenario.report(success(1), 'a1');
    for (const decision of [scenario.pause(), scenario.resume()]) {
      expect(decision).toMatchObject({ kind: 'rejected', rejection: { code: 'FailedPrecondition' } });
    }
  });

  it('decided on an older state of the run is refused', () => {
    const { scenario } = drive(program, HELD);
    const { seq } = scenario.run;
    scenario.report(success(1), 'a2');
    expect(scenario.pause(seq)).toMatchObject({ kind: 'rejected', rejection: { code: 'FailedPrecondition' } });
    expect(scenario.run.paused).toBeNull();
    expect(scenario.pause(scenario.run.seq)).toEqual({ kind: 'accepted' });
  });
});
