import { describe, expect, it } from '@jest/globals';
import { agenda, assignmentOf, effectKey, execute, type ActivationId, type ReportOutcome } from '../index.js';
import { applied, drive, notApplied, unknown, type Driver, type Handlers } from '../testing/driver.js';
import { activated, granted, runAfter } from '../testing/history.js';
import { checkHistory } from '../testing/rules.js';
import type { OTHER_WORKER } from '../testing/scenario.js';
import { error, returned, START_MS, success, unhandled } from '../testing/scenario.js';
import { activity, body, complete, effect, from, undo, workflow, type Part } from '../testing/workflow.js';

const TIMEOUT_MS = 60_000;
/** The deadline of the attempt, and the time a worker has to notice that it was cancelled. */
const CONCLUSIVE = START_MS + TIMEOUT_MS + 5_000;
const ASKED: Handlers = { asked: () => 'held', ask: () => 'held' };

function program(fields: Part = {}) {
  return workflow({
    pay: activity('asked', 'end', { timeout: '60s', retry: { max_attempts: 2 }, ...fields }),
    end: complete({ object: { paid: from('nodes.pay.output') } }),
  });
}

/** The attempt is lost two seconds after its grant. */
function lost(fields: Part = {}): Driver {
  const driver = drive(program(fields), ASKED);
  driver.scenario.now += 2_000;
  driver.scenario.expire('worker_lost', 'a1');
  return driver;
}

/** The next question is asked and its probe claimed. */
function ask(driver: Driver): Driver {
  const [timer] = agenda(driver.scenario.run).timers;
  if (timer === undefined) throw new Error('no probe is due');
  driver.fire(timer.name, timer.dueAt);
  return driver.settle();
}

function answer(driver: Driver, outcome: ReportOutcome): Driver {
  driver.scenario.report(outcome, 'a1r');
  return driver;
}

describe('a lost external attempt with a reconciler', () => {
  it('is asked about after its deadline and the cancellation grace, not at once', () => {
    const driver = lost();
    expect(driver.scenario.recorded.at(-1)).toEqual({
      kind: 'reconciliation_requested',
      activation: 'a1',
      reason: { code: 'activity.lost', message: 'session worker-1 is gone since attempt 1 was granted' },
      dueAt: CONCLUSIVE,
    });
    expect(driver.scenario.run.status).toEqual({ kind: 'active' });
    expect(agenda(driver.scenario.run)).toMatchObject({ ready: [], timers: [{ name: 'a1', dueAt: CONCLUSIVE }] });
  });

  it('is asked about by the reconciler in its own role, for the effect key of the attempt, within 30 s', () => {
    const driver = ask(lost());
    const { scenario } = driver;
    const probe = scenario.leaf('a1r');
    expect(assignmentOf(scenario.run, probe)).toEqual({
      role: 'reconciliation',
      handler: { name: 'ask', version: 1 },
      effect: { name: 'asked', version: 1 },
      timeoutMs: 30_000,
    });
    expect(probe).toMatchObject({ input: { value: { n: 1 } }, status: { claim: { deadline: CONCLUSIVE + 30_000 } } });
    const id = scenario.run.id;
    expect(effectKey(id, 'a1r' as ActivationId)).toBe(effectKey(id, 'a1' as ActivationId));
  });

  it('has succeeded when its effect was applied', () => {
    const driver = answer(ask(lost()), applied({ n: 9 }));
    expect(driver.scenario.recorded.slice(0, 2)).toEqual([
      { kind: 'probe_answered', activation: 'a1', answer: 'applied', nextAt: null },
      { kind: 'activity_succeeded', activation: 'a1', generation: 1, output: { n: 9 } },
    ]);
    expect(driver.scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: { paid: { n: 9 } } } });
  });

  it('is tried again within its budget when nothing was applied, and fails beyond it', () => {
    const driver = answer(ask(lost()), notApplied);
    expect(driver.scenario.leaf()).toMatchObject({ status: { kind: 'ready', generation: 2 }, losses: [] });
    driver.settle();
    driver.scenario.expire('worker_lost', 'a1');
    answer(ask(driver), notApplied);
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'activity.lost' } });
    checkHistory(driver.scenario.program, driver.scenario.history);
  });

  it('has nothing left to ask about, once it is certain that nothing was applied', () => {
    const driver = answer(ask(lost()), notApplied);
    driver.scenario.cancel();
    expect(driver.scenario.run.status.kind).toBe('cancelled');
  });

  it('waits for a person after three questions, 30 s apart, that brought no answer', () => {
    const driver = lost();
    const times: number[] = [];
    for (let question = 0; question < 3; question++) {
      expect(driver.scenario.run.status.kind).toBe('active');
      answer(ask(driver), unknown);
      times.push(driver.scenario.now - CONCLUSIVE);
    }
    expect(times).toEqual([0, 30_000, 60_000]);
    expect(driver.scenario.kinds).toEqual(['probe_answered', 'intervention_required']);
    expect(driver.scenario.leaf().status).toMatchObject({ kind: 'blocked', reason: { code: 'activity.lost' } });
    expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
  });

  it.each<[string, ReportOutcome]>([
    ['an output that breaks the contract', applied({ n: 'nine' })],
    ['applied without an output', { kind: 'probed', answer: 'applied' }],
    ['an error', error('broken')],
    ['something thrown', unhandled()],
    ['a result as if it were the activity', success(1)],
  ])('takes %s for no answer', (_what, outcome) => {
    const driver = answer(ask(lost()), outcome);
    expect(driver.scenario.recorded).toEqual([
      { kind: 'probe_answered', activation: 'a1', answer: 'unknown', nextAt: CONCLUSIVE + 30_000 },
    ]);
  });

  it('takes a lost probe for no answer, and counts it', () => {
    const driver = ask(lost());
    for (let question = 0; question < 3; question++) {
      driver.scenario.expire('worker_lost', 'a1r');
      if (question < 2) ask(driver);
    }
    expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
  });

  it('does not believe an early "not applied": the attempt may still be at work', () => {
    const early = runAfter(
      program(),
      activated('a1', 'pay'),
      granted('a1'),
      { kind: 'attempt_lost', activation: 'a1' as ActivationId, generation: 1, reason: 'lease', message: 'gone' },
      {
        kind: 'reconciliation_requested',
        activation: 'a1' as ActivationId,
        reason: { code: 'activity.lost', message: 'gone' },
        dueAt: START_MS,
      },
      { kind: 'probe_started', activation: 'a1' as ActivationId },
      granted('a1r'),
    );
    const session = 'worker-1' as typeof OTHER_WORKER;
    const { events } = execute(
      early,
      { kind: 'report', activation: 'a1r' as ActivationId, generation: 1, session, lax: false, outcome: notApplied },
      { now: START_MS + 14_999, arrivedAt: START_MS + 14_999, entropy: 0, by: session },
    );
    expect(events.map(({ event }) => event.body)).toEqual([
      { kind: 'probe_answered', activation: 'a1', answer: 'unknown', nextAt: START_MS + 44_999 },
    ]);
  });
});

describe('a probe', () => {
  it('that is asked again has other generations: an answer that comes twice answers one question', () => {
    const driver = answer(ask(lost()), unknown);
    ask(driver);
    expect(driver.scenario.leaf('a1r').status).toMatchObject({ kind: 'claimed', claim: { generation: 2 } });
    driver.scenario.report(unknown, 'a1r', { generation: 1 });
    expect(driver.scenario.kinds).toEqual([]);
    expect(driver.scenario.leaf().status.kind).toBe('reconciling');
    expect(answer(driver, applied({ n: 9 })).scenario.run.status.kind).toBe('succeeded');
  });

  it('that has answered gets its receipt again', () => {
    const driver = answer(ask(lost()), unknown);
    expect(driver.scenario.report(unknown, 'a1r')).toEqual({ kind: 'accepted', repeated: true });
    expect(driver.scenario.kinds).toEqual([]);
  });

  it('that was counted as lost has given no answer: what it says then is late', () => {
    const driver = ask(lost());
    driver.scenario.expire('timeout', 'a1r');
    driver.scenario.now += 30_000;
    driver.scenario.expire('timeout', 'a1r');
    expect(driver.scenario.kinds).toEqual(['attempt_lost', 'probe_answered']);
    expect(driver.scenario.report(applied({ n: 9 }), 'a1r').kind).toBe('stale');
    expect(driver.scenario.kinds).toEqual(['late_result_observed']);
  });

  it('that answers after its time, before that was noticed, is believed', () => {
    const driver = ask(lost());
    driver.scenario.now += 40_000;
    expect(driver.scenario.report(applied({ n: 9 }), 'a1r')).toEqual({ kind: 'accepted' });
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('that is handed back is offered again and uses up no question', () => {
    const driver = ask(lost());
    answer(driver, returned());
    expect(driver.scenario.leaf('a1r').status).toEqual({ kind: 'ready', generation: 2 });
    driver.settle();
    answer(driver, unknown);
    expect(driver.scenario.recorded[0]).toMatchObject({ nextAt: CONCLUSIVE + 30_000 });
  });

  it('is withdrawn when a late report settles what it asks about, and the run goes on', () => {
    const driver = ask(lost());
    expect(driver.scenario.report(success(4), 'a1')).toEqual({ kind: 'accepted' });
    expect(driver.scenario.kinds).toEqual([
      'activity_succeeded',
      'activity_cancelled',
      'scope_completed',
      'run_succeeded',
    ]);
    expect(driver.scenario.recorded[1]).toEqual({ kind: 'activity_cancelled', activation: 'a1r' });
  });

  it('is withdrawn before its scope is forgotten', () => {
    const pay = activity('asked', 'end', { compensation: undo() });
    const flow = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: body({ pay, end: complete() }), next: 'after' },
      after: activity('pure', 'end', { input: from('workflow.input') }),
      end: complete(from('workflow.input')),
    });
    const driver = drive(flow, { ...ASKED, after: () => 'held' });
    driver.scenario.expire('worker_lost', 'a2');
    ask(driver);
    expect(driver.scenario.leaf('a2r').status.kind).toBe('claimed');
    driver.scenario.report(success(4), 'a2');
    expect([...driver.scenario.run.leaves.keys()]).toEqual(['a3']);
    expect(driver.scenario.report(applied({ n: 9 }), 'a2r').kind).toBe('stale');
  });

  it('is withdrawn when a person says what happened', () => {
    const driver = ask(lost());
    driver.scenario.resolve('a1', { kind: 'applied', output: { n: 4 } });
    expect(driver.scenario.recorded).toContainEqual({ kind: 'activity_cancelled', activation: 'a1r' });
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('is not begun while the run is paused, and its time is recorded', () => {
    const driver = lost();
    driver.scenario.pause();
    driver.scenario.now = CONCLUSIVE;
    driver.scenario.timer('a1', CONCLUSIVE);
    expect(driver.scenario.kinds).toEqual(['probe_started']);
    expect(agenda(driver.scenario.run).ready).toEqual([]);
    expect(driver.scenario.claim('a1r').kind).toBe('stale');
    driver.scenario.resume();
    expect(agenda(driver.scenario.run).ready.map(({ leaf }) => leaf.id)).toEqual(['a1r']);
  });
});

describe('reconciliation while the scope is closed', () => {
  it('asks about what was lost, and "not applied" ends it without another attempt', () => {
    const driver = drive(program(), ASKED);
    driver.scenario.cancel();
    driver.scenario.expire('worker_lost', 'a1');
    expect(driver.scenario.kinds).toEqual(['attempt_lost', 'reconciliation_requested']);
    answer(ask(driver), notApplied);
    expect(driver.scenario.kinds).toEqual(['probe_answered', 'activity_failed', 'scope_cancelled', 'run_cancelled']);
  });

  it('accepts what was applied, which is owed and undone then', () => {
    const pay = activity('asked', 'end', { compensation: undo() });
    const flow = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: body({ pay, end: complete() }), next: 'end' },
      end: complete(from('workflow.input')),
    });
    const driver = drive(flow, ASKED);
    driver.scenario.cancel();
    driver.scenario.expire('worker_lost', 'a2');
    ask(driver);
    driver.scenario.report(applied({ n: 9 }), 'a2r');
    driver.settle();
    expect(driver.begun).toEqual(['pay', 'pay:reconciliation', 'pay:compensation']);
    expect(driver.scenario.run.status).toMatchObject({ kind: 'cancelled', compensation: { complete: true } });
  });
});

describe('a lost compensation with a reconciler', () => {
  function undoing(): Driver {
    const pay = activity('safe', 'fails', { compensation: undo('undo_asked', { retry: { max_attempts: 2 } }) });
    const flow = workflow({
      saga: {
        kind: 'saga',
        input: from('workflow.input'),
        body: body({ pay, fails: effect('end'), end: complete() }),
        next: 'end',
      },
      end: complete(from('workflow.input')),
    });
    return ask(drive(flow, { fails: () => error('broken'), 'pay:compensation': () => 'lost', ask_undo: () => 'held' }));
  }

  it('is asked about as a compensation', () => {
    const { scenario, begun } = undoing();
    expect(begun).toEqual(['pay', 'fails', 'pay:compensation', 'pay:reconciliation']);
    expect(assignmentOf(scenario.run, scenario.leaf('a2cr'))).toMatchObject({
      handler: { name: 'ask_undo', version: 1 },
      effect: { name: 'undo_asked', version: 1 },
    });
  });

  it('is undone when it was applied', () => {
    const { scenario } = undoing();
    scenario.report(applied(null), 'a2cr');
    expect(scenario.kinds.slice(0, 2)).toEqual(['probe_answered', 'compensation_completed']);
    expect(scenario.run.status).toMatchObject({ kind: 'failed', compensation: { complete: true } });
  });

  it('is tried again when nothing was applied, though everything stops', () => {
    const { scenario } = undoing();
    scenario.report(notApplied, 'a2cr');
    expect(scenario.leaf('a2c').status).toEqual({ kind: 'ready', generation: 2 });
  });

  it('blocks its obligation after three questions', () => {
    const driver = undoing();
    for (let question = 0; question < 3; question++) {
      driver.scenario.report(unknown, 'a2cr');
      if (question < 2) ask(driver);
    }
    expect(driver.scenario.kinds).toEqual(['probe_answered', 'compensation_blocked']);
    expect([...driver.scenario.run.obligations.values()]).toMatchObject([{ status: { kind: 'blocked_execution' } }]);
  });
});
