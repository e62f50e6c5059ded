import { describe, expect, it } from '@jest/globals';
import { LIMITS, POLICIES } from '@graphrun/dsl';
import { agenda, type Decision } from '../index.js';
import { drive, type Handlers } from '../testing/driver.js';
import { START_MS, success } from '../testing/scenario.js';
import { activity, complete, from, literal, workflow } from '../testing/workflow.js';

const HELD: Handlers = { safe: () => 'held', manual: () => 'lost' };
const WEEK = POLICIES.unreservedSignalMs;

/** One activity under way, in a workflow with two signals; `paid` wants a count. */
function running(name = 'safe') {
  const program = workflow(
    { do: activity(name, 'end'), end: complete() },
    { signals: { go: { schema: 'value/v1' }, paid: { schema: 'count/v1' } } },
  );
  return drive(program, HELD).scenario;
}

const refusal = (decision: Decision): unknown => (decision.kind === 'rejected' ? decision.rejection : decision.kind);

describe('a signal that nobody waits for', () => {
  it('is kept with the time of its arrival, its order and its expiry', () => {
    const scenario = running();
    scenario.signal('go', { n: 1 }, { arrivedAt: START_MS - 5 });
    expect(scenario.recorded).toEqual([
      {
        kind: 'signal_accepted',
        event: 'sig-1',
        signal: 'go',
        key: 'k',
        payload: { n: 1 },
        arrivedAt: START_MS - 5,
        expiresAt: START_MS - 5 + WEEK,
      },
    ]);
    expect([...scenario.run.inbox.values()]).toMatchObject([{ id: 'sig-1', order: 5, bytes: 7 }]);
  });

  it('is accepted by a run that is blocked', () => {
    const scenario = running('manual');
    expect(scenario.run.status.kind).toBe('blocked');
    expect(scenario.signal('go', 1)).toEqual({ kind: 'accepted' });
  });

  it('expires after seven days, in one commit with all that have expired by then', () => {
    const scenario = running();
    scenario.signal('go', 1);
    scenario.now += 1_000;
    scenario.signal('go', 2);
    scenario.now += 1_000;
    scenario.signal('go', 3);
    expect(agenda(scenario.run).timers).toEqual([{ name: 'inbox', dueAt: START_MS + WEEK }]);
    scenario.now = START_MS + WEEK - 1;
    expect(scenario.timer('inbox', START_MS + WEEK - 1)).toEqual({ kind: 'stale', reason: 'no signal has expired' });
    scenario.now = START_MS + WEEK + 1_000;
    expect(scenario.timer('inbox', START_MS + WEEK)).toEqual({ kind: 'accepted' });
    expect(scenario.recorded).toEqual([
      { kind: 'signal_expired', event: 'sig-1' },
      { kind: 'signal_expired', event: 'sig-2' },
    ]);
    expect(agenda(scenario.run).timers).toEqual([{ name: 'inbox', dueAt: START_MS + WEEK + 2_000 }]);
  });

  it('is not taken after its expiry, though that was not recorded yet', () => {
    const wait = { kind: 'wait_signal', signal: 'go', key: literal('k'), timeout: null, next: 'end' };
    const program = workflow(
      { do: activity('safe', 'wait'), wait, end: complete(from('nodes.wait.output')) },
      { signals: { go: { schema: 'value/v1' } } },
    );
    const { scenario } = drive(program, HELD);
    scenario.signal('go', 'old');
    scenario.now = START_MS + WEEK;
    scenario.report(success(1), 'a1', { arrivedAt: START_MS });
    expect(scenario.kinds).toEqual(['activity_succeeded', 'wait_opened']);
    scenario.signal('go', 'new');
    expect(scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: 'new' } });
  });
});

describe('a signal is refused', () => {
  it('with a name that the workflow does not declare, naming those it does', () => {
    expect(refusal(running().signal('gone', 1))).toEqual({
      code: 'InvalidArgument',
      message: 'flow version 1 has no signal "gone"; it declares go, paid',
    });
    expect(refusal(running().signal('toString', 1))).toMatchObject({ code: 'InvalidArgument' });
    const none = drive(workflow({ do: activity('safe', 'end'), end: complete() }), HELD).scenario;
    expect(refusal(none.signal('go', 1))).toMatchObject({
      message: 'flow version 1 has no signal "go"; it declares none',
    });
  });

  it('with a payload that breaks its schema, saying where', () => {
    const scenario = running();
    const rejection = refusal(scenario.signal('paid', { n: 'much' })) as { readonly message: string };
    expect(rejection).toMatchObject({ code: 'InvalidArgument' });
    expect(rejection.message).toContain('the payload at /n does not fit signal "paid"');
    expect(scenario.signal('paid', { n: 1 })).toEqual({ kind: 'accepted' });
  });

  it('with a key over 256 bytes', () => {
    expect(refusal(running().signal('go', 1, { key: 'ä'.repeat(129) }))).toEqual({
      code: 'InvalidArgument',
      message: 'the key of a signal has at most 256 bytes; this has 258',
    });
  });

  it('by a run that is stopping, also when it is blocked at the same time', () => {
    const stopping = running();
    stopping.cancel();
    const blocked = running('manual');
    blocked.cancel();
    expect([stopping.run.status.kind, blocked.run.status.kind]).toEqual(['stopping', 'blocked']);
    for (const scenario of [stopping, blocked]) {
      expect(refusal(scenario.signal('go', 1))).toEqual({
        code: 'FailedPrecondition',
        message: `run ${scenario.run.id} is stopping and takes no signals`,
      });
    }
  });

  it('by a run that has ended, before anything else is looked at', () => {
    const scenario = running();
    scenario.report(success(1), 'a1');
    expect(refusal(scenario.signal('gone', 1))).toEqual({
      code: 'FailedPrecondition',
      message: `run ${scenario.run.id} has ended: it is succeeded`,
    });
  });

  it('beyond 100 of one address, while others are still accepted', () => {
    const scenario = running();
    scenario.foldEvery = 50;
    for (let n = 0; n < LIMITS.bufferedSignalsPerAddress; n++) scenario.signal('go', n);
    expect(refusal(scenario.signal('go', 'one more'))).toEqual({
      code: 'ResourceExhausted',
      message: 'signal "go" with this key holds 100 signals that no wait has taken; wait until some are taken',
    });
    expect(scenario.signal('go', 'elsewhere', { key: 'k2' })).toEqual({ kind: 'accepted' });
  });

  it('beyond 1,000 of a run', () => {
    const scenario = running();
    scenario.foldEvery = 500;
    for (let n = 0; n < LIMITS.bufferedSignalsPerRun; n++) scenario.signal('go', n, { key: `k${n % 20}` });
    expect(refusal(scenario.signal('go', 'one more', { key: 'fresh' }))).toMatchObject({
      code: 'ResourceExhausted',
      message: expect.stringContaining(`run ${scenario.run.id} holds 1000 signals`),
    });
  });

  it('beyond 8 MiB of a run', () => {
    const scenario = running();
    scenario.foldEvery = 20;
    const payload = 'x'.repeat(LIMITS.payloadBytes - 2);
    for (let n = 0; n < 32; n++) scenario.signal('go', payload, { key: `k${n}` });
    expect(refusal(scenario.signal('go', 'x', { key: 'fresh' }))).toMatchObject({
      code: 'ResourceExhausted',
      message: expect.stringContaining('holds 8388608 bytes'),
    });
  });
});
