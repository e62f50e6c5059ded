/** Every container in every container (spec 02 "Nesting"): what they return, how they fail, stop and are loaded again. */
import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import {
  around,
  AT_ONCE,
  bodyAround,
  CONTAINERS,
  nodesAround,
  ROUNDS,
  type ContainerKind,
} from './testing/containers.js';
import { Driver, drive, output, type Handlers } from './testing/driver.js';
import { checkHistory } from './testing/rules.js';
import { error, Scenario } from './testing/scenario.js';
import {
  activity,
  body,
  complete,
  from,
  literal,
  object,
  onError,
  undo,
  workflow,
  type Part,
} from './testing/workflow.js';

const PAIRS = CONTAINERS.flatMap((outer) => CONTAINERS.map((inner) => [inner, outer] as const));

/** Two external activities in a row. */
function work(inSaga: boolean): Part {
  const fields = inSaga ? { compensation: undo() } : {};
  return body({
    one: activity('safe', 'two', fields),
    two: activity('safe', 'end', fields),
    end: complete(from('nodes.two.output')),
  });
}

function nested(inner: ContainerKind, outer: ContainerKind, fields: Part = {}) {
  const content = work(inner === 'saga' || outer === 'saga');
  const nodes = nodesAround(outer, bodyAround(inner, content), fields);
  return workflow({ ...nodes, ...('on_error' in fields ? { caught: complete(literal('caught')) } : {}) });
}

/** What a container makes of the results of its bodies, one for each of its executions. */
function resultOf(kind: ContainerKind, results: readonly Json[]): Json {
  return { [kind]: AT_ONCE.has(kind) ? results : (results.at(-1) ?? null) };
}

/** `two` returns how often it was called, so every result says where it comes from. */
const COUNTED: Handlers = { two: ({ calls }) => output(calls) };

/** The results of all calls, as the outer container must put them together. */
function expected(inner: ContainerKind, outer: ContainerKind): Json {
  const bodies = ROUNDS[outer];
  const rounds = ROUNDS[inner];
  const results = Array.from({ length: bodies }, (_, place) => {
    // Bodies that are under way together take turns; what they hold in turn takes turns again.
    const calls = Array.from({ length: rounds }, (_each, round) => callOf(inner, outer, place, round));
    return resultOf(inner, calls);
  });
  return resultOf(outer, results);
}

function callOf(inner: ContainerKind, outer: ContainerKind, place: number, round: number): number {
  if (AT_ONCE.has(outer) && !AT_ONCE.has(inner)) return round * ROUNDS[outer] + place;
  return place * ROUNDS[inner] + round;
}

const succeeded = (driver: Driver): Json =>
  driver.scenario.run.status.kind === 'succeeded' ? driver.scenario.run.status.output.value : null;

describe.each(PAIRS)('%s in %s', (inner, outer) => {
  const executions = ROUNDS[inner] * ROUNDS[outer];

  it('returns what its bodies return, and leaves nothing of them behind', () => {
    const program = nested(inner, outer);
    const driver = drive(program, COUNTED);
    expect(succeeded(driver)).toEqual(expected(inner, outer));
    expect(driver.begun).toHaveLength(executions * 2);
    const { run } = driver.scenario;
    expect([run.scopes.size, run.leaves.size, run.containers.size, run.obligations.size]).toEqual([1, 0, 0, 0]);
    expect(run.scopeCount).toBe(1 + ROUNDS[outer] + executions);
    checkHistory(program, driver.scenario.history);
  });

  it.each(['first', 'last'] as const)(
    'fails as a whole with its %s inner body, and undoes what a saga owes',
    (which) => {
      const program = nested(inner, outer, onError('caught'));
      const fails = which === 'first' ? 0 : executions - 1;
      const driver = drive(program, {
        two: ({ calls }) => (calls === fails ? error('broken') : output(calls)),
      }).finish();
      expect(succeeded(driver)).toBe('caught');
      const { history, run } = driver.scenario;
      checkHistory(program, history);
      expect([run.scopes.size, run.leaves.size, run.containers.size, run.obligations.size]).toEqual([1, 0, 0, 0]);
      const effects = driver.begun.filter((name) => !name.endsWith(':compensation')).length - 1;
      const undone = driver.begun.length - effects - 1;
      // Around everything a saga undoes all; inside, those that had completed have committed what they did.
      if (outer === 'saga') expect(undone).toBe(effects);
      else if (inner !== 'saga') expect(undone).toBe(0);
      else expect(undone).toBeGreaterThan(0);
    },
  );

  it('is cancelled while its inner bodies are under way', () => {
    const program = nested(inner, outer);
    const driver = drive(program, { two: () => 'held' });
    driver.scenario.cancel();
    for (const id of driver.held) driver.scenario.report(output(1), id);
    driver.finish();
    const { status } = driver.scenario.run;
    expect(status).toMatchObject({ kind: 'cancelled', failure: { code: 'run.cancelled' } });
    const effects = driver.begun.filter((name) => name === 'one' || name === 'two').length;
    const undone = driver.begun.filter((name) => name.endsWith(':compensation')).length;
    expect(undone).toBe(inner === 'saga' || outer === 'saga' ? effects : 0);
    expect([...driver.scenario.run.open]).toEqual([]);
    checkHistory(program, driver.scenario.history);
  });

  it('does the same when the run is loaded again after every step', () => {
    const fails: Handlers = { two: ({ calls }) => (calls === executions - 1 ? error('broken') : output(calls)) };
    for (const handlers of [COUNTED, fails]) {
      const program = nested(inner, outer, onError('caught'));
      const straight = drive(program, handlers).finish();
      const scenario = new Scenario(program);
      scenario.start();
      const driver = new Driver(scenario, handlers);
      driver.afterStep = (step) => scenario.restart(step % 2 === 0 ? 'checkpoint' : 'history');
      driver.settle().finish();
      expect(scenario.history).toEqual(straight.scenario.history);
    }
  });
});

describe('containers in containers', () => {
  it('may be as deep as the language allows', () => {
    let content = body({ one: activity('pure', 'end'), end: complete(object({ deep: from('nodes.one.output') })) });
    for (const kind of CONTAINERS.slice(1)) content = bodyAround(kind, content);
    const program = workflow({
      choose: around('choose', content),
      end: complete(object({ all: from('nodes.choose.output') })),
    });
    const driver = drive(program).finish();
    expect(driver.scenario.run.status.kind).toBe('succeeded');
    expect(driver.begun).toHaveLength(32);
    checkHistory(program, driver.scenario.history);
  });
});
