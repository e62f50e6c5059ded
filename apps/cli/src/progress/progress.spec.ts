import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@graphrun/domain';
import { Terminal } from '../terminal.js';
import { Progress } from './progress.js';

type Fields = Readonly<Record<string, unknown>>;

/** Lines of a history in which each event comes one millisecond after the one before. */
function linesOf(events: readonly (readonly [EventView['kind'], Fields?])[]): readonly string[] {
  const written: string[] = [];
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  const progress = new Progress(new Terminal({ stdout, stderr: stdout, env: {} }, false));
  events.forEach(([kind, fields], index) =>
    progress.show({ seq: index + 1, at: 1_700_000_000_000 + index, v: 1, by: 'anna', kind, ...fields }),
  );
  return written.join('').trimEnd().split('\n');
}

/** The same without times. */
function stepsOf(events: readonly (readonly [EventView['kind'], Fields?])[]): readonly string[] {
  return linesOf(events).map((line) => line.replace(/^ *\d+\.\d{3}s {2}/, ''));
}

const FAILURE = { code: 'declined', message: 'no money' };
const each = (items: number) =>
  ['foreach_entered', { activation: 'a1', scope: 's1', node: 'each', items: Array<null>(items).fill(null) }] as const;

/** An item of `each` that pays, as its own scope and activation. */
function item(slot: number) {
  const [scope, activation] = [`s${slot + 2}`, `a${slot + 2}`];
  return [
    ['body_opened', { scope, owner: 'a1', slot }],
    ['activity_activated', { activation, scope, node: 'pay', input: null }],
    ['attempt_granted', { activation, attempt: 1 }],
    ['activity_succeeded', { activation, output: slot }],
    ['scope_completed', { scope, output: slot }],
  ] as const;
}

describe('progress', () => {
  it('has the time since the first event before each line', () => {
    expect(
      linesOf([
        ['run_admitted', { run: 'r-1', workflow: 'order', version: 2 }],
        ['scope_opened', { scope: 's1', role: 'root' }],
        ['run_succeeded', { output: null }],
      ]),
    ).toEqual(['   0.000s  run r-1 of order version 2 is admitted', '   0.002s  the run succeeded']);
  });

  it('says where something happens', () => {
    expect(
      stepsOf([
        ['choose_entered', { activation: 'a1', scope: 's1', node: 'pick', chosen: 1 }],
        ['body_opened', { scope: 's2', owner: 'a1', slot: 1 }],
        ['parallel_entered', { activation: 'a2', scope: 's2', node: 'both', inputs: [1, 2] }],
        ['body_opened', { scope: 's3', owner: 'a2', slot: 1 }],
        ['saga_entered', { activation: 'a3', scope: 's3', node: 'order' }],
        ['body_opened', { scope: 's4', owner: 'a3', slot: 0 }],
        ['activity_activated', { activation: 'a4', scope: 's4', node: 'pay' }],
        ['activity_failed', { activation: 'a4', failure: FAILURE }],
        ['error_routed', { scope: 's2', node: 'both', failure: FAILURE, to: 'sorry' }],
      ]),
    ).toEqual([
      'pick takes case 2',
      'pick.both begins: 2 branches',
      'pick.both[1].order begins',
      'pick.both[1].order.pay is ready',
      'pick.both[1].order.pay failed: declined: no money',
      'pick.both failed with declined: no money; it goes on at sorry',
    ]);
  });

  it('tells of waits and signals', () => {
    expect(
      stepsOf([
        ['timer_set', { wait: 'w1', scope: 's1', node: 'rest', due_at: 1_700_000_000_000 }],
        ['timer_fired', { wait: 'w1' }],
        ['wait_opened', { wait: 'w2', scope: 's1', node: 'paid', signal: 'paid', key: 'o-1', due_at: null }],
        ['signal_accepted', { event: 'e-1', signal: 'paid', key: 'o-1' }],
        ['wait_satisfied', { wait: 'w2', event: 'e-1' }],
      ]),
    ).toEqual([
      'rest waits until 2023-11-14T22:13:20.000Z',
      'rest has waited',
      'paid waits for signal paid with key "o-1"',
      'signal paid with key "o-1" is accepted',
      'paid has its signal',
    ]);
  });

  it('tells how a saga is undone, by the names of what it undoes', () => {
    expect(
      stepsOf([
        ['saga_entered', { activation: 'a1', scope: 's1', node: 'order' }],
        ['body_opened', { scope: 's2', owner: 'a1', slot: 0 }],
        ['activity_activated', { activation: 'a2', scope: 's2', node: 'pay' }],
        ['obligation_registered', { activation: 'a2', handler: { name: 'refund', version: 1 } }],
        ['saga_abort_started', { saga: 'a1' }],
        ['compensation_started', { activation: 'a2', handler: 'refund' }],
        ['attempt_granted', { activation: 'a2c', attempt: 1 }],
        ['compensation_blocked', { activation: 'a2', reason: FAILURE }],
        ['reconciliation_requested', { activation: 'a2c', reason: FAILURE, due_at: 0 }],
        ['attempt_granted', { activation: 'a2cr', attempt: 1 }],
        ['probe_answered', { activation: 'a2c', answer: 'not_applied' }],
        ['intervention_resolved', { activation: 'a2c', resolution: { kind: 'applied' }, reason: 'I saw it' }],
        ['compensation_completed', { activation: 'a2', output: null }],
        ['obligation_abandoned', { activation: 'a2', reason: 'too late' }],
      ]),
    ).toEqual([
      'order begins',
      'order.pay is ready',
      'order is undone, the latest effect first',
      'order.pay is to be undone by refund',
      'the compensation of order.pay runs, attempt 1',
      'the compensation of order.pay needs a person: declined: no money',
      'nobody knows what became of the compensation of order.pay (declined: no money); its reconciler will be asked',
      'the reconciler of order.pay runs, attempt 1',
      'the reconciler of the compensation of order.pay answers not applied',
      'anna says of the compensation of order.pay: applied (I saw it)',
      'order.pay is undone',
      'order.pay is not undone: anna gives up (too late)',
    ]);
  });

  it('tells who holds a run, and how else it ends', () => {
    expect(
      stepsOf([
        ['run_paused', { reason: 'audit' }],
        ['run_resumed', { reason: 'done' }],
        ['run_terminated', { failure: { code: 'run.cancelled', message: 'no time' }, unresolved: [] }],
        ['run_continued', { successor: 'r-2' }],
      ]),
    ).toEqual([
      'the run is paused by anna: audit',
      'the run is resumed by anna: done',
      'the run is terminated: run.cancelled: no time',
      'the run continues as r-2',
    ]);
  });

  it('counts the items of a foreach instead of showing each', () => {
    const steps = stepsOf([each(1000), ...Array.from({ length: 1000 }, (_, slot) => item(slot)).flat()]);
    expect(steps.slice(0, 6)).toEqual([
      'each begins: 1000 items',
      'each[0].pay is ready',
      'each[0].pay runs, attempt 1',
      'each[0].pay succeeded 0',
      'each: 1 of 1000 items done',
      'each[1].pay is ready',
    ]);
    expect(steps.filter((step) => step.includes('pay'))).toHaveLength(9);
    expect(steps.slice(-11)).toEqual(
      [90, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000].map((done) => `each: ${done} of 1000 items done`),
    );
    expect(steps).toHaveLength(1 + 9 + 28);
  });

  it('tells the end of a foreach of any size, and the first failures in it', () => {
    const steps = stepsOf([each(13), ...Array.from({ length: 13 }, (_, slot) => item(slot)).flat()]);
    expect(steps.at(-1)).toBe('each: 13 of 13 items done');
    const failures = Array.from({ length: 30 }, (_, slot) => [
      ...item(slot).slice(0, 2),
      ['activity_failed', { activation: `a${slot + 2}`, failure: FAILURE }] as const,
    ]).flat();
    expect(stepsOf([each(30), ...failures]).filter((step) => step.includes('failed'))).toHaveLength(10);
  });

  it('counts what is repeated inside of what is repeated with the outer loop', () => {
    const inner = (slot: number) =>
      [
        ['body_opened', { scope: `s${slot + 2}`, owner: 'a1', slot }],
        ['loop_entered', { activation: `a${slot + 2}`, scope: `s${slot + 2}`, node: 'again', count: 1 }],
        ['body_opened', { scope: `t${slot}`, owner: `a${slot + 2}`, slot: 0 }],
        ['scope_completed', { scope: `t${slot}` }],
        ['scope_completed', { scope: `s${slot + 2}` }],
      ] as const;
    const steps = stepsOf([each(50), ...Array.from({ length: 50 }, (_, slot) => inner(slot)).flat()]);
    expect(steps.filter((step) => step.startsWith('each[')).slice(0, 2)).toEqual([
      'each[0].again begins: 1 iteration',
      'each[0].again: 1 of 1 iterations done',
    ]);
    expect(steps.filter((step) => step.startsWith('each['))).toHaveLength(6);
    expect(steps.filter((step) => step.startsWith('each:'))).toHaveLength(10 + 4);
  });
});
