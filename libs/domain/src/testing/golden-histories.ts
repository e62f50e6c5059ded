/**
 * How the golden histories of `golden/` came about that were not written by hand. Each is kept as it was written: an entry
 * whose file is there is never written again, so a new version of an event needs an entry of its own.
 */
import { agenda } from '../index.js';
import { around, CONTAINERS, type ContainerKind } from './containers.js';
import { applied, drive, notApplied, output, unknown, type Driver, type Handler } from './driver.js';
import { error, returned, success } from './scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  irreversible,
  literal,
  object,
  onError,
  undo,
  workflow,
  type Nodes,
  type Part,
} from './workflow.js';

export interface GoldenHistory {
  readonly about: string;
  readonly run: () => Driver;
}

const SIGNALS = { signals: { go: { schema: 'value/v1' } } };

function inSaga(nodes: Nodes, fields: Part = {}) {
  return workflow({
    saga: {
      kind: 'saga',
      input: from('workflow.input'),
      body: body({ ...nodes, end: complete() }),
      next: 'end',
      ...fields,
    },
    end: complete(from('workflow.input')),
  });
}

function branch(name: string, nodes: Nodes): Part {
  return { name, input: from('workflow.input'), body: body({ ...nodes, end: complete() }) };
}

function fireNext(driver: Driver): void {
  const [timer] = agenda(driver.scenario.run).timers;
  if (timer === undefined) throw new Error('no timer is set');
  driver.fire(timer.name, timer.dueAt);
  driver.settle();
}

function held(driver: Driver, node: string): string {
  const leaf = [...driver.scenario.run.leaves.values()].find((each) => each.node === node);
  if (leaf === undefined) throw new Error(`nothing is at ${node}`);
  return leaf.id;
}

/** Each container around the next one, with a step after it. */
function containers(): Driver {
  const step = (): Part => body({ do: activity('pure', 'end'), end: complete() });
  const nodes: Record<string, Part> = {};
  CONTAINERS.forEach((kind, index) => {
    const inner: ContainerKind = CONTAINERS[(index + 3) % CONTAINERS.length] ?? 'choose';
    const content = body({ inner: around(inner, step()), end: complete() });
    nodes[`n${index}`] = around(kind, content, { next: index + 1 < CONTAINERS.length ? `n${index + 1}` : 'end' });
  });
  return drive(workflow({ ...nodes, end: complete(object({ all: from('nodes.n5.output') })) }));
}

function errorRoutes(): Driver {
  const program = workflow({
    try: activity('pure', 'both', onError('both', ['broken'])),
    both: {
      kind: 'parallel',
      branches: [
        branch('fails', { fails: activity('safe', 'end') }),
        branch('slow', { slow: activity('safe', 'end') }),
        branch('waits', { waits: { kind: 'delay', duration: '1h', next: 'end' } }),
        branch('nested', { each: around('foreach', body({ look: activity('pure', 'end'), end: complete() })) }),
      ],
      next: 'loop',
      ...onError('loop'),
    },
    loop: {
      kind: 'while',
      state: from('workflow.input'),
      state_schema: 'value/v1',
      condition: { ge: [from('loop.index'), literal(0)] },
      max_iterations: 1,
      body: body({ end: complete() }),
      next: 'end',
      ...onError('told', ['LoopLimitExceeded']),
    },
    told: complete(from('nodes.loop.error')),
    end: complete(from('workflow.input')),
  });
  const driver = drive(program, { try: () => error('broken'), safe: () => 'held', look: () => 'held' });
  driver.scenario.report(error('broken'), held(driver, 'fails'));
  driver.scenario.report(error('busy'), held(driver, 'slow'));
  return driver.settle();
}

function timersAndSignals(): Driver {
  const wait = (key: string, next: string, fields: Part = {}): Part => ({
    kind: 'wait_signal',
    signal: 'go',
    key: literal(key),
    timeout: null,
    next,
    ...fields,
  });
  const program = workflow(
    {
      pause: { kind: 'delay', duration: '2s', next: 'until' },
      until: { kind: 'wait_until', at: literal(0), next: 'buffered' },
      buffered: wait('k', 'both'),
      both: {
        kind: 'parallel',
        branches: [
          branch('late', { late: wait('late', 'end', { timeout: '5s', on_timeout: 'end' }) }),
          branch('after', { after: wait('k', 'end', { consume_from: 'after_activation' }) }),
        ],
        next: 'never',
      },
      never: wait('never', 'end'),
      end: complete(from('workflow.input')),
    },
    SIGNALS,
  );
  const driver = drive(program);
  const { scenario } = driver;
  scenario.signal('go', { text: 'x'.repeat(1_100) });
  scenario.signal('go', 'too early');
  fireNext(driver);
  fireNext(driver);
  scenario.signal('go', 'in time');
  scenario.now += 8 * 86_400_000;
  fireNext(driver);
  scenario.cancel();
  return driver;
}

function sagaUndone(): Driver {
  const inner = {
    kind: 'saga',
    input: from('scope.input'),
    body: body({ two: effect('end'), end: complete() }),
    next: 'send',
  };
  const send = activity('safe', 'fails', { compensation: irreversible('the mail is sent') });
  const program = inSaga({ one: effect('inner'), inner, send, fails: effect('end') });
  return drive(program, {
    fails: () => error('broken'),
    'one:compensation': ({ calls }) => (calls === 0 ? error('busy') : output(null)),
  }).finish();
}

function sagaReleased(): Driver {
  return drive(inSaga({ one: effect('two'), two: effect('end') }));
}

function sagaBlocked(): Driver {
  const pay = activity('safe', 'ship', { compensation: undo('undo_counted') });
  const program = inSaga({ pay, ship: effect('fails'), fails: effect('end') });
  const driver = drive(program, {
    pay: () => output('no n'),
    fails: () => error('broken'),
    undo: () => error('broken'),
  });
  const { scenario } = driver;
  scenario.resolve(held(driver, 'pay'), { kind: 'input', input: { n: 7 } });
  driver.settle();
  scenario.resolve('a3c', { kind: 'retry', attempts: 1 });
  driver.settle();
  scenario.abandon();
  return driver;
}

function reconciliation(): Driver {
  const program = workflow({
    pay: activity('asked', 'ship', { timeout: '60s', retry: { max_attempts: 2 } }),
    ship: activity('asked', 'end', { timeout: '60s', input: from('workflow.input') }),
    end: complete(from('workflow.input')),
  });
  const answers = [unknown, notApplied, applied({ n: 5 })];
  const driver = drive(program, {
    asked: ({ node, calls }) => (node === 'ship' && calls > 0 ? success(1) : 'lost'),
    'pay:reconciliation': ({ calls }) => answers[calls] ?? 'held',
    'ship:reconciliation': () => 'held',
  });
  while (driver.scenario.leaf('a1').status.kind !== 'succeeded') fireNext(driver);
  fireNext(driver);
  driver.scenario.report(success(9), 'a2');
  return driver;
}

function paused(): Driver {
  const program = workflow({ one: activity('safe', 'two'), two: activity('pure', 'end'), end: complete() });
  const driver = drive(program, { one: () => 'held' });
  const { scenario } = driver;
  scenario.pause();
  scenario.report(success(1), 'a1');
  scenario.resume();
  driver.scenario.pause();
  scenario.cancel();
  scenario.resume();
  return driver;
}

function resolved(): Driver {
  const program = workflow({
    one: activity('manual', 'two', { retry: { max_attempts: 2 } }),
    two: activity('manual', 'three', { retry: { max_attempts: 1 } }),
    three: activity('manual', 'end', onError('end')),
    end: complete(from('workflow.input')),
  });
  const driver = drive(program, { manual: () => 'lost' });
  const { scenario } = driver;
  scenario.resolve('a1', { kind: 'not_applied' });
  driver.settle();
  scenario.resolve('a1', { kind: 'applied', output: 7 });
  driver.settle();
  scenario.resolve('a2', { kind: 'retry', attempts: 2 });
  driver.settle();
  scenario.report(returned(), 'a2');
  driver.settle();
  scenario.resolve('a2', { kind: 'applied', output: 8 });
  driver.settle();
  scenario.resolve('a3', { kind: 'fail', failure: { code: 'declined', message: 'the bank says no' } });
  return driver;
}

function terminated(): Driver {
  const driver = drive(inSaga({ one: effect('two'), two: effect('end') }), { two: () => 'held' });
  driver.scenario.terminate();
  return driver;
}

/** Two branches: one with a saga that was undone, one with work and one with a wait, both closed by the failure. */
function reopened(): Driver {
  const undone = {
    kind: 'saga',
    input: from('scope.input'),
    body: body({ one: effect('two'), two: effect('end'), end: complete() }),
    next: 'end',
  };
  const program = workflow({
    both: {
      kind: 'parallel',
      branches: [
        branch('saga', { undone }),
        branch('work', { work: activity('pure', 'end') }),
        branch('waits', { waits: { kind: 'delay', duration: '1h', next: 'end' } }),
      ],
      next: 'last',
    },
    last: activity('safe', 'end'),
    end: complete(from('workflow.input')),
  });
  const failsOnce: Handler = ({ calls }) => (calls === 0 ? error('broken') : output(null));
  const driver = drive(program, {
    two: failsOnce,
    last: failsOnce,
    work: ({ calls }) => (calls === 0 ? 'held' : output(1)),
  });
  driver.scenario.reopen();
  driver.finish();
  driver.scenario.reopen();
  return driver.finish();
}

/** By the name of the file. */
export const GOLDEN_HISTORIES: { readonly [name: string]: GoldenHistory } = {
  containers: { about: 'Every container, each around another one.', run: containers },
  'error-routes': {
    about:
      'Failures of an activity, of branches that are settled first, and of a loop at its limit, each taken by an error route.',
    run: errorRoutes,
  },
  'timers-and-signals': {
    about:
      'A delay, a moment that has passed, and waits that take a buffered signal, a later one, and none in time; a signal expires.',
    run: timersAndSignals,
  },
  'saga-undone': {
    about:
      'A saga aborts: what an inner saga handed over and its own effect are undone, one with a retry; a mail cannot be.',
    run: sagaUndone,
  },
  'saga-released': { about: 'A saga succeeds and owes nothing any more.', run: sagaReleased },
  'saga-blocked': {
    about: 'A compensation without an input, which a person supplies, and one that fails for good and is abandoned.',
    run: sagaBlocked,
  },
  reconciliation: {
    about: 'Lost attempts are asked about: no answer, nothing applied, applied; a late report comes before the answer.',
    run: reconciliation,
  },
  paused: { about: 'A run is paused twice; the second time it is cancelled meanwhile.', run: paused },
  resolved: { about: 'A person says what became of lost attempts, in every way there is.', run: resolved },
  reopened: {
    about:
      'A run is opened again twice: at a saga that was undone, with siblings that were closed, and at its last step.',
    run: reopened,
  },
  terminated: { about: 'A run is terminated with an effect under way and another one owed.', run: terminated },
};
