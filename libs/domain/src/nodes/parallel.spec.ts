import { describe, expect, it } from '@jest/globals';
import { agenda } from '../index.js';
import { drive, type Driver } from '../testing/driver.js';
import { success } from '../testing/scenario.js';
import { activity, body, complete, from, literal, object, workflow } from '../testing/workflow.js';

const NAMES = ['left', 'middle', 'right'];

function branch(name: string) {
  const input = object({ name: literal(name), given: from('workflow.input', '/given') });
  return { name, input, body: body({ work: activity('pure', 'end'), end: complete(from('nodes.work.output')) }) };
}

const program = workflow({
  all: { kind: 'parallel', branches: NAMES.map(branch), next: 'end' },
  end: complete(object({ all: from('nodes.all.output') })),
});

const HELD = { work: () => 'held' as const };
const joins = ({ scenario }: Driver): number =>
  scenario.history.filter(({ body: { kind } }) => kind === 'container_completed').length;

const ORDERS = [
  ['a2', 'a3', 'a4'],
  ['a2', 'a4', 'a3'],
  ['a3', 'a2', 'a4'],
  ['a3', 'a4', 'a2'],
  ['a4', 'a2', 'a3'],
  ['a4', 'a3', 'a2'],
] as const;

describe('parallel', () => {
  it('freezes the inputs of all branches in one event before any work', () => {
    const driver = drive(program, HELD, { given: 7 });
    expect(driver.scenario.history[2]?.body).toEqual({
      kind: 'parallel_entered',
      activation: 'a1',
      scope: 's1',
      node: 'all',
      inputs: NAMES.map((name) => ({ name, given: 7 })),
    });
    expect(agenda(driver.scenario.run).claims.map(({ leaf }) => [leaf.id, leaf.scope])).toEqual([
      ['a2', 's2'],
      ['a3', 's3'],
      ['a4', 's4'],
    ]);
  });

  it('begins no branch when one of its inputs cannot be bound', () => {
    const driver = drive(program, HELD, {});
    expect(driver.begun).toEqual([]);
    expect(driver.scenario.run.status).toMatchObject({
      kind: 'failed',
      failure: { code: 'binding.missing', message: expect.stringContaining('branch "left" of nodes.all') },
    });
  });

  it.each(ORDERS)('joins once when its branches end as %s, %s, %s, with results in declared order', (...order) => {
    const driver = drive(program, HELD, { given: 7 });
    for (const id of order) {
      expect(joins(driver)).toBe(0);
      driver.scenario.report(success(Number(id.slice(1))), id);
      // Its receipt was lost: the same report comes again, and once more from somebody else.
      expect(driver.scenario.report(success(Number(id.slice(1))), id)).toMatchObject({
        kind: 'accepted',
        repeated: true,
      });
      expect(driver.scenario.report(success(99), id).kind).toBe('stale');
    }
    expect(joins(driver)).toBe(1);
    expect(driver.scenario.run.status).toMatchObject({
      kind: 'succeeded',
      output: { value: { all: [{ n: 2 }, { n: 3 }, { n: 4 }] } },
    });
  });

  it('of a single branch has a tuple of one', () => {
    const single = workflow({
      all: { kind: 'parallel', branches: [branch('left')], next: 'end' },
      end: complete(object({ all: from('nodes.all.output') })),
    });
    expect(drive(single, {}, { given: 1 }).scenario.run.status).toMatchObject({
      output: { value: { all: [{ name: 'left', given: 1 }] } },
    });
  });
});
