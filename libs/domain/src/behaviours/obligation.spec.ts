import { describe, expect, it } from '@jest/globals';
import { drive, output, type Driver, type Handlers } from '../testing/driver.js';
import { checkHistory } from '../testing/rules.js';
import { error, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  irreversible,
  literal,
  onError,
  undo,
  workflow,
  type Nodes,
  type Part,
} from '../testing/workflow.js';

const HELD: Handlers = { safe: () => 'held' };

function saga(nodes: Nodes, fields: Part = {}): Part {
  return {
    kind: 'saga',
    input: from('scope.input'),
    body: body({ ...nodes, end: complete() }),
    next: 'end',
    ...fields,
  };
}

/** A workflow that is one saga with these nodes. */
function inSaga(nodes: Nodes, fields: Part = {}) {
  return workflow({ saga: saga(nodes, fields), end: complete(from('workflow.input')), ...caught(fields) });
}

function caught(fields: Part): Nodes {
  return 'on_error' in fields ? { caught: complete(literal('caught')) } : {};
}

const obligations = ({ scenario }: Driver) =>
  [...scenario.run.obligations.values()].map(({ forward, status, saga: owner }) => [forward, status.kind, owner]);

describe('a success inside a saga', () => {
  it('registers its obligation in its own commit, with the input that was built from it', () => {
    const driver = drive(inSaga({ pay: effect('ship'), ship: effect('end') }), HELD);
    driver.scenario.report(success(7), 'a2');
    expect(driver.scenario.recorded).toEqual([
      { kind: 'activity_succeeded', activation: 'a2', generation: 1, output: { n: 7 } },
      {
        kind: 'obligation_registered',
        activation: 'a2',
        handler: { name: 'undo', version: 1 },
        input: { undone: { n: 7 } },
      },
      expect.objectContaining({ kind: 'activity_activated', node: 'ship' }),
    ]);
    expect(obligations(driver)).toEqual([['a2', 'open', 'a1']]);
  });

  it('may leave nothing: pure work without a compensation owes nothing', () => {
    const driver = drive(inSaga({ look: activity('pure', 'pay'), pay: effect('end') }), HELD);
    expect(driver.scenario.kinds).toEqual(['attempt_granted']);
    expect(obligations(driver)).toEqual([]);
  });

  it('of pure work with a compensation is undone like any other', () => {
    const look = activity('pure', 'fails', { compensation: undo() });
    const driver = drive(inSaga({ look, fails: effect('end') }), { fails: () => error('broken') });
    expect(driver.begun).toEqual(['look', 'fails', 'look:compensation']);
  });

  it('that cannot be undone leaves its marker, which an abort keeps visible', () => {
    const send = activity('safe', 'fails', { compensation: irreversible('the mail is sent') });
    const driver = drive(inSaga({ pay: effect('send'), send, fails: effect('end') }), { fails: () => error('broken') });
    expect(driver.begun).toEqual(['pay', 'send', 'fails', 'pay:compensation']);
    expect(driver.scenario.run.status).toEqual({
      kind: 'failed',
      failure: { code: 'broken', message: 'broken it was' },
      compensation: {
        complete: false,
        irreversible: [{ activation: 'a3', node: 'send', handler: null, reason: 'the mail is sent' }],
        unresolved: [],
      },
    });
  });

  it('whose compensation cannot be built stands, is accepted, and blocks the run', () => {
    const pay = activity('safe', 'ship', { compensation: undo('undo_counted') });
    const driver = drive(inSaga({ pay, ship: effect('end') }), HELD);
    expect(driver.scenario.report({ kind: 'success', output: 'no n' }, 'a2')).toEqual({ kind: 'accepted' });
    expect(driver.scenario.kinds).toEqual(['activity_succeeded', 'obligation_blocked']);
    expect(driver.scenario.recorded[1]).toMatchObject({
      handler: { name: 'undo_counted', version: 1 },
      reason: { code: 'binding.missing' },
    });
    expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    expect(obligations(driver)).toEqual([['a2', 'blocked_input', 'a1']]);
    // The receipt was lost: the same report is answered as the first was.
    expect(driver.scenario.report({ kind: 'success', output: 'no n' }, 'a2')).toEqual({
      kind: 'accepted',
      repeated: true,
    });
  });

  it('that breaks the input schema of its compensation blocks as well', () => {
    const pay = activity('safe', 'end', { compensation: undo('undo_counted') });
    const driver = drive(inSaga({ pay }), { pay: () => output({ n: 'many' }) });
    expect(driver.scenario.recorded.at(-1)).toMatchObject({
      kind: 'obligation_blocked',
      reason: { code: 'schema.invalid' },
    });
  });

  it('that comes while the saga aborts is accepted, owed and undone with the others', () => {
    const branch = (name: string) => ({
      name,
      input: from('scope.input'),
      body: body({ do: effect('end'), end: complete() }),
    });
    const both = { kind: 'parallel', branches: [branch('left'), branch('right')], next: 'end' };
    const program = inSaga({ pay: effect('both'), both });
    const driver = drive(program, { do: () => 'held', undo: () => 'held' });
    driver.scenario.report(error('broken'), 'a4');
    driver.settle();
    expect(driver.scenario.kinds).not.toContain('compensation_started');
    expect(driver.scenario.report(success(1), 'a5')).toEqual({ kind: 'accepted' });
    expect(driver.scenario.kinds).toEqual([
      'activity_succeeded',
      'obligation_registered',
      'scope_cancelled',
      'container_failed',
      'scope_failing',
      'scope_failed',
      'saga_abort_started',
      'compensation_started',
    ]);
    driver.settle();
    expect(driver.begun.slice(-1)).toEqual(['do:compensation']);
    driver.scenario.report(success(1), 'a5c');
    driver.settle();
    driver.scenario.report(success(1), 'a2c');
    expect(driver.begun.slice(-1)).toEqual(['pay:compensation']);
    expect(driver.scenario.run.status.kind).toBe('failed');
    checkHistory(program, driver.scenario.history);
  });
});

describe('the end of a saga', () => {
  it('releases what it owes when no saga is around it, and nothing of that is kept', () => {
    const driver = drive(inSaga({ pay: effect('ship'), ship: effect('end') }), { ship: () => 'held' });
    driver.scenario.report(success(1), 'a3');
    expect(driver.scenario.kinds).toEqual([
      'activity_succeeded',
      'obligation_registered',
      'scope_completed',
      'obligations_released',
      'container_completed',
      'scope_completed',
      'run_succeeded',
    ]);
    expect(driver.scenario.run.obligations.size).toBe(0);
  });

  it('hands what it owes to the saga around it, as one group, which is undone at its place and in itself reversed', () => {
    const inner = saga({ two: effect('three'), three: effect('end') }, { next: 'four' });
    const program = inSaga({ one: effect('inner'), inner, four: effect('fails'), fails: effect('end') });
    const driver = drive(program, { fails: () => error('broken') });
    expect(driver.scenario.history.map(({ body: each }) => each)).toContainEqual({
      kind: 'obligations_transferred',
      from: 'a3',
      to: 'a1',
    });
    expect(driver.begun).toEqual([
      'one',
      'two',
      'three',
      'four',
      'fails',
      'four:compensation',
      'three:compensation',
      'two:compensation',
      'one:compensation',
    ]);
    checkHistory(program, driver.scenario.history);
  });

  it('a group stands at the sequence of its transfer, behind what was registered before that', () => {
    const quick = { name: 'quick', input: from('scope.input'), body: body({ quick: effect('end'), end: complete() }) };
    const inner = saga({ first: effect('slow'), slow: effect('end') });
    const slow = { name: 'slow', input: from('scope.input'), body: body({ inner, end: complete() }) };
    const program = inSaga({
      both: { kind: 'parallel', branches: [slow, quick], next: 'fails' },
      fails: effect('end'),
    });
    const driver = drive(program, { slow: () => 'held', fails: () => error('broken') });
    // `quick` is registered after `first`, but before the group of `first` and `slow` is handed over.
    expect(driver.begun).toEqual(['quick', 'first', 'slow']);
    const [held = ''] = driver.held;
    driver.scenario.report(success(1), held);
    driver.settle();
    expect(driver.begun.slice(3)).toEqual(['fails', 'slow:compensation', 'first:compensation', 'quick:compensation']);
    checkHistory(program, driver.scenario.history);
  });

  it('that has undone itself hands nothing over: it is not undone again by the saga around it', () => {
    const inner = saga({ two: effect('fails'), fails: effect('end') }, { next: 'three', ...onError('three') });
    const program = inSaga({ one: effect('inner'), inner, three: effect('late'), late: effect('end') });
    const driver = drive(program, { fails: () => error('broken'), late: () => error('broken') });
    expect(driver.begun).toEqual([
      'one',
      'two',
      'fails',
      'two:compensation',
      'three',
      'late',
      'three:compensation',
      'one:compensation',
    ]);
    checkHistory(program, driver.scenario.history);
  });

  it('in a loop commits each iteration', () => {
    const loop = {
      kind: 'repeat',
      count: literal(3),
      state: from('workflow.input'),
      state_schema: 'value/v1',
      max_iterations: 3,
      body: body({ saga: saga({ pay: effect('ship'), ship: effect('end') }), end: complete() }),
      next: 'end',
    };
    const program = workflow({ loop, end: complete(from('workflow.input')) });
    const driver = drive(program, { ship: ({ calls }) => (calls === 2 ? error('broken') : output(calls)) });
    expect(driver.begun).toEqual(['pay', 'ship', 'pay', 'ship', 'pay', 'ship', 'pay:compensation']);
    expect(driver.scenario.run.obligations.size).toBe(1);
    checkHistory(program, driver.scenario.history);
  });

  it('around a loop keeps all of them', () => {
    const loop = {
      kind: 'repeat',
      count: literal(3),
      state: from('scope.input'),
      state_schema: 'value/v1',
      max_iterations: 3,
      body: body({ pay: effect('end', { input: { object: { round: from('loop.index') } } }), end: complete() }),
      next: 'fails',
    };
    const program = inSaga({ loop, fails: effect('end') });
    const undone: unknown[] = [];
    const driver = drive(program, {
      fails: () => error('broken'),
      undo: ({ input }) => (undone.push(input), output(null)),
    });
    expect(undone).toEqual([2, 1, 0].map((round) => ({ undone: { round } })));
    expect(driver.scenario.run.status.kind).toBe('failed');
    checkHistory(program, driver.scenario.history);
  });

  it('that aborted and is left by an error route leaves nothing behind but what could not be undone', () => {
    const send = activity('safe', 'fails', { compensation: irreversible('it is sent') });
    const driver = drive(inSaga({ pay: effect('send'), send, fails: effect('end') }, onError('caught')), {
      fails: () => error('broken'),
    });
    expect(driver.scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: 'caught' } });
    expect(obligations(driver)).toEqual([['a3', 'irreversible', 'a1']]);
    expect([...driver.scenario.run.leaves.keys()]).toEqual([]);
  });
});
