import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { drive, output, type Driver } from './testing/driver.js';
import { activity, body, complete, from, literal, object, workflow, type Part } from './testing/workflow.js';

const FRAME: Part = object({
  loop: from('loop.state', '/at'),
  round: from('loop.index'),
  item: from('item.value'),
  place: from('item.index'),
});

/** Something that shows its frame, inside each of the containers that only hand frames on. */
function shown(inner: Part, result = from('nodes.choose.output')): Part {
  const show = body({ show: activity('pure', 'end', { input: inner }), end: complete(from('nodes.show.output')) });
  const saga = body({
    saga: { kind: 'saga', input: from('scope.input'), body: show, next: 'end' },
    end: complete(from('nodes.saga.output')),
  });
  const branch = { name: 'only', input: from('scope.input'), body: saga };
  const both = body({
    both: { kind: 'parallel', branches: [branch], next: 'end' },
    end: complete(object({ all: from('nodes.both.output') })),
  });
  const choose = {
    kind: 'choose',
    input: from('scope.input'),
    cases: [{ name: 'yes', when: { eq: [from('item.index'), from('item.index')] }, body: both }],
    default: body({ end: complete() }),
    next: 'end',
  };
  return body({ choose, end: complete(result) });
}

function inputsOf({ scenario }: Driver): Json[] {
  return scenario.history.flatMap(({ body: each }) => (each.kind === 'activity_activated' ? [each.input] : []));
}

describe('frames', () => {
  const each = { kind: 'foreach', items: literal(['a', 'b']), item_schema: 'value/v1', max_items: 2, next: 'end' };
  const loop = {
    kind: 'repeat',
    count: literal(2),
    state: object({ at: literal(0) }),
    state_schema: 'value/v1',
    max_iterations: 2,
    next: 'end',
  };

  it('of a loop around a foreach reach through every other container, as captured when the body opened', () => {
    const items = body({
      each: { ...each, max_concurrency: 1, body: shown(FRAME) },
      end: complete(object({ at: literal(7) })),
    });
    const program = workflow({ loop: { ...loop, body: items }, end: complete(from('workflow.input')) });
    expect(inputsOf(drive(program))).toEqual([
      { loop: 0, round: 0, item: 'a', place: 0 },
      { loop: 0, round: 0, item: 'b', place: 1 },
      { loop: 7, round: 1, item: 'a', place: 0 },
      { loop: 7, round: 1, item: 'b', place: 1 },
    ]);
  });

  it('of a foreach around a loop are independent of it, too', () => {
    const rounds = body({
      loop: { ...loop, body: shown(FRAME, object({ at: from('loop.index') })) },
      end: complete(from('nodes.loop.output')),
    });
    const program = workflow({
      each: { ...each, max_concurrency: 1, body: rounds },
      end: complete(from('workflow.input')),
    });
    expect(inputsOf(drive(program))).toEqual([
      { loop: 0, round: 0, item: 'a', place: 0 },
      { loop: 0, round: 1, item: 'a', place: 0 },
      { loop: 0, round: 0, item: 'b', place: 1 },
      { loop: 0, round: 1, item: 'b', place: 1 },
    ]);
  });

  it('of an inner foreach take the place of the outer one, which is back after it', () => {
    const inner = body({ show: activity('pure', 'end', { input: from('item.value') }), end: complete() });
    const around = body({
      within: { ...each, items: literal(['x']), body: inner, next: 'after' },
      after: activity('pure', 'end', { input: from('item.value') }),
      end: complete(),
    });
    const program = workflow({
      each: { ...each, max_concurrency: 1, body: around },
      end: complete(from('workflow.input')),
    });
    expect(inputsOf(drive(program))).toEqual(['x', 'a', 'x', 'b']);
  });

  it('of a loop are seen by its own condition: this carry and the completed count, not those around it', () => {
    const inner = {
      ...loop,
      kind: 'while',
      count: undefined,
      state: object({ at: literal(100) }),
      condition: { lt: [from('loop.state', '/at'), literal(102)] },
      body: body({ add: activity('pure', 'end'), end: complete(from('nodes.add.output')) }),
    };
    const outer = body({ inner, end: complete(object({ at: from('nodes.inner.output', '/at') })) });
    const program = workflow({
      loop: { ...loop, count: literal(1), max_iterations: 2, body: outer },
      end: complete(from('nodes.loop.output')),
    });
    const driver = drive(program, { add: ({ input }) => output({ at: (input as { at: number }).at + 1 }) }, {});
    expect(driver.scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: { at: 102 } } });
    expect(driver.begun).toEqual(['add', 'add']);
  });

  it('hold the input of the workflow everywhere, but input, id and outputs of their own scope only', () => {
    const inner = body({
      first: activity('pure', 'second', { input: object({ id: from('scope.id') }) }),
      second: activity('pure', 'end', {
        input: object({
          mine: from('nodes.first.output'),
          scope: from('scope.input'),
          run: from('workflow.input', '/n'),
          id: from('scope.id'),
        }),
      }),
      end: complete(),
    });
    const program = workflow({
      first: activity('pure', 'saga', { input: object({ id: from('scope.id') }) }),
      saga: { kind: 'saga', input: literal('given'), body: inner, next: 'end' },
      end: complete(from('nodes.first.output')),
    });
    const driver = drive(program);
    const id = driver.scenario.run.id;
    expect(inputsOf(driver)).toEqual([
      { id: `${id}.s1` },
      { id: `${id}.s2` },
      { mine: { id: `${id}.s2` }, scope: 'given', run: 1, id: `${id}.s2` },
    ]);
    expect(driver.scenario.run.status).toMatchObject({ output: { value: { id: `${id}.s1` } } });
  });
});
