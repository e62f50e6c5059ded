import { describe, expect, it } from '@jest/globals';
import type { ActivationId, EventBody } from '../index.js';
import { activated, granted, opened, ROOT, runAfter } from '../testing/history.js';
import { START_MS } from '../testing/scenario.js';
import { body, complete, effect, from, workflow } from '../testing/workflow.js';

const SAGA = 'a1' as ActivationId;
const PAY = 'a2' as ActivationId;
const handler = { name: 'undo', version: 1 };
const reason = { code: 'busy', message: 'try later' };

const program = workflow({
  saga: {
    kind: 'saga',
    input: from('workflow.input'),
    body: body({ pay: effect('ship'), ship: effect('end'), end: complete() }),
    next: 'end',
  },
  end: complete(from('workflow.input')),
});

/** The payment has succeeded. */
const PAID: readonly EventBody[] = [
  { kind: 'saga_entered', activation: SAGA, scope: ROOT, node: 'saga', input: 1 },
  opened('s2', 'a1', 0),
  activated('a2', 'pay', 's2'),
  granted('a2'),
  { kind: 'activity_succeeded', activation: PAY, generation: 1, output: 5 },
];
const REGISTERED: EventBody = { kind: 'obligation_registered', activation: PAY, handler, input: { undone: 5 } };
const STARTED: EventBody = { kind: 'compensation_started', activation: PAY, handler: 'undo' };
const BLOCKED: EventBody = { kind: 'compensation_blocked', activation: PAY, reason };

describe('appliers of sagas', () => {
  it('obligation_registered keeps what is owed with its saga, where it stands in the history', () => {
    const run = runAfter(program, ...PAID, REGISTERED);
    expect(run.obligations.get(PAY)).toEqual({
      forward: 'a2',
      scope: 's2',
      pointer: '/root/nodes/saga/body/nodes/pay',
      node: 'pay',
      handler,
      input: { value: { undone: 5 }, seq: 8, at: '/input' },
      saga: 'a1',
      since: START_MS + 8,
      status: { kind: 'open' },
    });
    expect(run.containers.get(SAGA)?.work).toMatchObject({ obligations: ['a2'], aborting: false });
  });

  it('compensation_started makes a leaf of its own, with its own attempts', () => {
    const run = runAfter(program, ...PAID, REGISTERED, STARTED);
    expect(run.leaves.get('a2c' as ActivationId)).toMatchObject({
      node: 'pay',
      input: { value: { undone: 5 }, seq: 8 },
      attempts: 0,
      status: { kind: 'ready', generation: 1 },
    });
    expect(run.obligations.get(PAY)?.status).toEqual({ kind: 'compensating' });
    expect([...run.open]).toEqual(['a2c']);
  });

  it('compensation_blocked blocks leaf, obligation and run; a retry frees all three', () => {
    const blocked = [...PAID, REGISTERED, STARTED, granted('a2c'), BLOCKED];
    const run = runAfter(program, ...blocked);
    expect(run.status).toEqual({ kind: 'blocked', stop: null });
    expect(run.obligations.get(PAY)?.status).toEqual({ kind: 'blocked_execution', reason });
    const retried = runAfter(program, ...blocked, {
      kind: 'retry_scheduled',
      activation: 'a2c' as ActivationId,
      delayMs: 0,
      dueAt: START_MS,
    });
    expect(retried.status).toEqual({ kind: 'active' });
    expect(retried.obligations.get(PAY)?.status).toEqual({ kind: 'compensating' });
  });

  it('an obligation is paid once', () => {
    const paid: EventBody = { kind: 'compensation_completed', activation: PAY, generation: 1, output: null };
    const done = [...PAID, REGISTERED, STARTED, granted('a2c'), paid];
    expect(runAfter(program, ...done).obligations.get(PAY)?.status).toEqual({ kind: 'compensated' });
    expect(() => runAfter(program, ...done, STARTED)).toThrow('changes the obligation of a2, which is paid');
    expect(() => runAfter(program, ...done, paid)).toThrow('changes a2c, which has succeeded already');
  });

  it('what does not follow is a damaged history', () => {
    expect(() => runAfter(program, REGISTERED)).toThrow('registers an obligation of a2, which is in no saga');
    expect(() => runAfter(program, ...PAID, STARTED)).toThrow(
      'speaks of the obligation of a2, which was never registered',
    );
    const blocked: EventBody = { kind: 'obligation_blocked', activation: PAY, handler, reason };
    expect(() => runAfter(program, ...PAID, blocked, STARTED)).toThrow(
      'compensates a2, whose compensation has no input',
    );
    expect(() => runAfter(program, ...PAID, REGISTERED, STARTED, BLOCKED)).toThrow('blocks a2c, which had no attempt');
  });
});
