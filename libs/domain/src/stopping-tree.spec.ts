import { describe, expect, it } from '@jest/globals';
import { drive, type Driver, type Handlers } from './testing/driver.js';
import { checkHistory } from './testing/rules.js';
import { error, success } from './testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  onError,
  workflow,
  type Nodes,
  type Part,
} from './testing/workflow.js';
import { agenda } from './index.js';

function saga(nodes: Nodes, fields: Part = {}): Part {
  return {
    kind: 'saga',
    input: from('scope.input'),
    body: body({ ...nodes, end: complete() }),
    next: 'end',
    ...fields,
  };
}

function parallel(branches: { readonly [name: string]: Nodes }, fields: Part = {}): Part {
  return {
    kind: 'parallel',
    branches: Object.entries(branches).map(([name, nodes]) => ({
      name,
      input: from('scope.input'),
      body: body({ ...nodes, end: complete() }),
    })),
    next: 'end',
    ...fields,
  };
}

const whole = (node: Part, fields: Nodes = {}) =>
  workflow({ top: node, end: complete(from('workflow.input')), ...fields });
const claims = ({ scenario }: Driver): string[] => agenda(scenario.run).claims.map(({ leaf }) => leaf.id);
const undone = ({ begun }: Driver): string[] => begun.filter((name) => name.endsWith(':compensation'));

describe('what is undone', () => {
  it('is one thing after the other, in reverse of the order in which it was registered', () => {
    const program = whole(
      saga({ one: effect('two'), two: effect('three'), three: effect('fails'), fails: effect('end') }),
    );
    const driver = drive(program, { fails: () => error('broken'), undo: () => 'held' });
    for (const id of ['a4c', 'a3c', 'a2c']) {
      expect(claims(driver)).toEqual([id]);
      driver.scenario.report(success(1), id);
      driver.settle();
    }
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', compensation: { complete: true } });
  });

  it('follows registration, not declaration, for parallel branches', () => {
    const branches = { a: { a: effect('end') }, b: { b: effect('end') }, c: { c: effect('end') } };
    const program = whole(saga({ all: parallel(branches, { next: 'fails' }), fails: effect('end') }));
    const hold: Handlers = { a: () => 'held', b: () => 'held', c: () => 'held', fails: () => error('broken') };
    for (const order of [
      ['a3', 'a4', 'a5'],
      ['a5', 'a3', 'a4'],
      ['a4', 'a5', 'a3'],
    ]) {
      const driver = drive(program, hold);
      for (const id of order) driver.scenario.report(success(1), id);
      driver.settle();
      const names = order.map((id) => ({ a3: 'a', a4: 'b', a5: 'c' })[id]);
      expect(undone(driver)).toEqual(names.reverse().map((name) => `${name}:compensation`));
    }
  });

  it('waits until no forward work of the saga may happen any more', () => {
    const branches = { fails: { fails: effect('end') }, slow: { slow: effect('end') } };
    const program = whole(saga({ one: effect('all'), all: parallel(branches) }));
    const driver = drive(program, { fails: () => 'held', slow: () => 'held' });
    driver.scenario.report(error('broken'), 'a4');
    driver.settle();
    expect(undone(driver)).toEqual([]);
    driver.scenario.expire('worker_lost', 'a5');
    // Lost while the saga aborts: it is never repeated to find out, but asked about.
    expect(driver.scenario.kinds).toEqual(['attempt_lost', 'intervention_required']);
    driver.settle();
    expect(undone(driver)).toEqual([]);
    driver.scenario.resolve('a5', { kind: 'applied', output: 1 });
    driver.settle();
    expect(undone(driver)).toEqual(['slow:compensation', 'one:compensation']);
    checkHistory(program, driver.scenario.history);
  });

  it('of an outer saga comes after all of the inner ones: innermost first, latest opened first', () => {
    const inner = (key: string) => ({ [key]: saga({ [`${key}1`]: effect(`${key}2`), [`${key}2`]: effect('end') }) });
    const branches = { left: inner('left'), right: inner('right'), fails: { fails: effect('end') } };
    const program = whole(saga({ one: effect('all'), all: parallel(branches) }));
    const hold: Handlers = { left2: () => 'held', right2: () => 'held', fails: () => 'held' };
    const driver = drive(program, hold);
    driver.scenario.report(
      error('broken'),
      [...driver.held].find((id) => driver.scenario.leaf(id).node === 'fails') ?? '',
    );
    for (const id of driver.held)
      if (driver.scenario.leaf(id).status.kind === 'claimed') driver.scenario.report(success(1), id);
    driver.settle();
    expect(undone(driver)).toEqual([
      'right2:compensation',
      'right1:compensation',
      'left2:compensation',
      'left1:compensation',
      'one:compensation',
    ]);
    checkHistory(program, driver.scenario.history);
  });

  it('of sagas that abort apart from each other is under way at the same time', () => {
    const inner = (key: string) => ({
      [key]: saga({ [`${key}1`]: effect(`${key}2`), [`${key}2`]: effect('end') }, onError('end')),
    });
    const program = whole(parallel({ left: inner('left'), right: inner('right') }));
    const driver = drive(program, { left2: () => error('broken'), right2: () => error('broken'), undo: () => 'held' });
    expect(undone(driver)).toEqual(['left1:compensation', 'right1:compensation']);
    expect(claims(driver)).toHaveLength(2);
  });

  it('of a saga that aborts leaves the work beside it alone', () => {
    const aborts = saga({ one: effect('fails'), fails: effect('end') }, onError('end'));
    const program = whole(
      parallel({ aborts: { aborts }, goes_on: { work: activity('safe', 'more'), more: activity('safe', 'end') } }),
    );
    const driver = drive(program, { fails: () => error('broken'), work: () => 'held' });
    expect(undone(driver)).toEqual(['one:compensation']);
    const [held = ''] = driver.held;
    driver.scenario.report(success(1), held);
    driver.settle();
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });

  it('under way when everything around it stops is not begun again, and the rest comes after it', () => {
    const aborts = saga({ left1: effect('left2'), left2: effect('fails'), fails: effect('end') });
    const later = saga({ right1: effect('right2'), right2: effect('end') });
    const program = whole(parallel({ left: { aborts }, right: { later } }));
    const driver = drive(program, { fails: () => error('broken'), right2: () => 'held', undo: () => 'held' });
    expect(undone(driver)).toEqual(['left2:compensation']);
    driver.scenario.cancel();
    for (const id of claims(driver)) if (!id.endsWith('c')) driver.scenario.report(error('broken'), id);
    driver.settle();
    expect(undone(driver)).toEqual(['left2:compensation']);
    for (let n = 0; n < 3; n++) {
      for (const id of claims(driver)) driver.scenario.report(success(1), id);
      driver.settle();
    }
    // The saga that was opened later goes first now.
    expect(undone(driver)).toEqual(['left2:compensation', 'right1:compensation', 'left1:compensation']);
    expect(driver.scenario.run.status.kind).toBe('cancelled');
    checkHistory(program, driver.scenario.history);
  });

  it('is everything when a run with a saga under way is cancelled', () => {
    const program = whole(saga({ one: effect('two'), two: effect('end') }), {});
    const driver = drive(program, { two: () => 'held' });
    driver.scenario.cancel();
    driver.scenario.report(success(1), 'a3');
    driver.settle();
    expect(undone(driver)).toEqual(['two:compensation', 'one:compensation']);
    expect(driver.scenario.run.status).toMatchObject({
      kind: 'cancelled',
      failure: { code: 'run.cancelled' },
      compensation: { complete: true, irreversible: [], unresolved: [] },
    });
  });

  it('comes before the error route of its saga', () => {
    const program = whole(saga({ one: effect('fails'), fails: effect('end') }, onError('caught')), {
      caught: activity('pure', 'end'),
    });
    const driver = drive(program, { fails: () => error('broken') });
    expect(driver.begun).toEqual(['one', 'fails', 'one:compensation', 'caught']);
    expect(driver.scenario.run.status.kind).toBe('succeeded');
  });
});
