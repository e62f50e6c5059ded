import { describe, expect, it } from '@jest/globals';
import type { EventBody, SignalEventId, WaitId } from '../index.js';
import { ROOT, runAfter } from '../testing/history.js';
import { START_MS } from '../testing/scenario.js';
import { complete, literal, workflow } from '../testing/workflow.js';

const W1 = 'w1' as WaitId;
const SIG = 'sig-1' as SignalEventId;
const program = workflow(
  {
    wait: {
      kind: 'wait_signal',
      signal: 'go',
      key: literal('k'),
      timeout: '5s',
      next: 'end',
      on_timeout: 'late',
    },
    late: { kind: 'delay', duration: '1s', next: 'end' },
    end: complete(),
  },
  { signals: { go: { schema: 'value/v1' } } },
);

const OPENED: EventBody = {
  kind: 'wait_opened',
  wait: W1,
  scope: ROOT,
  node: 'wait',
  signal: 'go',
  key: 'k',
  dueAt: START_MS + 5_000,
  buffered: true,
};
const ACCEPTED: EventBody = {
  kind: 'signal_accepted',
  event: SIG,
  signal: 'go',
  key: 'k',
  payload: { paid: true },
  arrivedAt: START_MS,
  expiresAt: START_MS + 9,
};

describe('appliers of waits', () => {
  it('wait_opened takes its place in its scope and is pending', () => {
    const run = runAfter(program, OPENED);
    expect(run.scopes.get(ROOT)).toMatchObject({ next: null, current: { wait: 'w1' } });
    expect(run.waits.get(W1)).toEqual({
      id: 'w1',
      scope: 's1',
      node: 'wait',
      for: { kind: 'signal', signal: 'go', key: 'k', after: 0 },
      dueAt: START_MS + 5_000,
      openedAt: START_MS + 3,
      status: { kind: 'pending' },
    });
    expect([[...run.pending], run.waitCount]).toEqual([['w1'], 1]);
  });

  it('wait_opened after its activation remembers from which event on signals count', () => {
    const { kind, ...fields } = OPENED;
    const run = runAfter(program, { kind, ...fields, buffered: false });
    expect(run.waits.get(W1)?.for).toMatchObject({ after: 3 });
  });

  it('wait_satisfied takes the signal out of the inbox, as the output of the node', () => {
    const run = runAfter(program, OPENED, ACCEPTED, { kind: 'wait_satisfied', wait: W1, event: SIG });
    expect(run.scopes.get(ROOT)).toMatchObject({ next: 'end', current: null });
    expect(run.scopes.get(ROOT)?.outputs.get('wait')).toEqual({ value: { paid: true }, seq: 4, at: '/payload' });
    expect([run.inbox.size, run.pending.size]).toEqual([0, 0]);
  });

  it('wait_timed_out takes the other edge, timer_fired the only one', () => {
    const late = runAfter(program, OPENED, { kind: 'wait_timed_out', wait: W1 });
    expect(late.scopes.get(ROOT)).toMatchObject({ next: 'late', current: null });
    const set: EventBody = { kind: 'timer_set', wait: W1, scope: ROOT, node: 'late', dueAt: START_MS };
    expect(runAfter(program, set, { kind: 'timer_fired', wait: W1 }).scopes.get(ROOT)).toMatchObject({ next: 'end' });
  });

  it('what does not follow is a damaged history', () => {
    const satisfied: EventBody = { kind: 'wait_satisfied', wait: W1, event: SIG };
    expect(() => runAfter(program, satisfied)).toThrow('event 3 speaks of w1, which was never opened');
    expect(() => runAfter(program, OPENED, satisfied)).toThrow('gives w1 the signal sig-1, which is not in the inbox');
    expect(() => runAfter(program, OPENED, ACCEPTED, satisfied, satisfied)).toThrow(
      'changes w1, which is satisfied already',
    );
  });
});
