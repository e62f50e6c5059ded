import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@graphrun/domain';
import { brokenEffects } from './effect-rules.js';
import { brokenHistory } from './history-rules.js';
import type { RecordedRun } from './recorded-run.js';

type Told = Partial<EventView> & { readonly kind: EventView['kind'] };

function recorded(events: readonly Told[], status = 'failed'): RecordedRun {
  const history = events.map((event, index) => ({ seq: index + 1, at: 0, v: 1, by: 'engine', ...event }));
  return { run: 'r1', workflow: 'saga', status, startKey: null, events: history, wakes: null };
}

const step = (activation: string): readonly Told[] => [
  { kind: 'activity_activated', activation, scope: 's2' },
  { kind: 'attempt_granted', activation, generation: 1 },
];
const done = (activation: string): readonly Told[] => [
  { kind: 'activity_succeeded', activation, generation: 1 },
  { kind: 'obligation_registered', activation },
];
const undone = (activation: string): readonly Told[] => [
  { kind: 'compensation_started', activation },
  { kind: 'attempt_granted', activation: `${activation}c`, generation: 1 },
  { kind: 'compensation_completed', activation, generation: 1 },
];
const saga: readonly Told[] = [
  { kind: 'run_admitted' },
  { kind: 'saga_entered', activation: 'a1', scope: 's1' },
  { kind: 'body_opened', scope: 's2', owner: 'a1' },
];
const failed: readonly Told[] = [{ kind: 'container_failed', activation: 'a1' }, { kind: 'run_failed' }];
const taken = [...step('a2'), ...done('a2'), ...step('a3'), ...done('a3')];

describe('the rules of histories', () => {
  it('find nothing in a saga that undid its steps, last first', () => {
    expect(brokenHistory(recorded([...saga, ...taken, ...undone('a3'), ...undone('a2'), ...failed]))).toEqual([]);
  });

  it('find an undo out of order, one too early, one too many, and one that is missing', () => {
    const early = recorded([...saga, ...taken, ...undone('a2'), ...undone('a3'), ...failed]);
    expect(brokenHistory(early)).toEqual(['run r1: a2 is undone before a3']);
    const racing = recorded([...saga, ...step('a2'), ...done('a2'), ...step('a3'), ...undone('a2'), ...failed]);
    expect(brokenHistory(racing)).toEqual(['run r1: a2 is undone while a3 may still happen']);
    const twice = recorded([...saga, ...taken, ...undone('a3'), ...undone('a2'), ...undone('a2'), ...failed]);
    expect(brokenHistory(twice)).toContain('run r1: activation a2c has 2 accepted results');
    const missing = recorded([...saga, ...taken, ...undone('a3'), ...failed]);
    expect(brokenHistory(missing)).toEqual(['run r1: saga a1 has ended and still owes a2']);
  });

  it('let a run that was opened again end again, and no other', () => {
    const again: readonly Told[] = [{ kind: 'run_admitted' }, { kind: 'run_failed' }, { kind: 'run_reopened' }];
    expect(brokenHistory(recorded([...again, { kind: 'run_succeeded' }], 'succeeded'))).toEqual([]);
    const twice = recorded([{ kind: 'run_admitted' }, { kind: 'run_failed' }, { kind: 'run_failed' }]);
    expect(brokenHistory(twice)).toEqual(['run r1: it ended more than once']);
  });
});

describe('the rules of effects', () => {
  const run = recorded([...saga, ...step('a2'), ...done('a2'), ...undone('a2'), ...failed]);
  const key = (role: string): string => `gr1:r1:a2:${role}`;

  it('ask for each undo as for each step, and not for probes', () => {
    const probe: Told = { kind: 'attempt_granted', activation: 'a2r', generation: 1 };
    const probed = { ...run, events: [...run.events, { seq: 0, at: 0, v: 1, by: 'engine', ...probe }] };
    const called = new Map([
      [key('forward'), 1],
      [key('compensation'), 1],
    ]);
    expect(brokenEffects([probed], called)).toEqual([]);
    expect(brokenEffects([run], new Map([[key('forward'), 2]]))).toEqual([
      `effect ${key('forward')}: 2 calls, 1 attempts were granted`,
      `effect ${key('compensation')}: it was accepted and never happened`,
    ]);
  });
});
