import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { agenda } from '../index.js';
import { drive, output, type Driver } from '../testing/driver.js';
import { error, success } from '../testing/scenario.js';
import { activity, body, complete, from, object, onError, workflow, type Part } from '../testing/workflow.js';

function each(fields: Part = {}) {
  const inner = body({
    work: activity('pure', 'end', { input: object({ item: from('item.value'), index: from('item.index') }) }),
    end: complete(from('nodes.work.output')),
  });
  const items = { items: from('workflow.input', '/items'), item_schema: 'value/v1', max_items: 5 };
  return workflow({
    each: { kind: 'foreach', ...items, max_concurrency: 2, body: inner, next: 'end', ...fields },
    end: complete(object({ all: from('nodes.each.output') })),
    ...('on_error' in fields ? { caught: complete(from('nodes.each.error')) } : {}),
  });
}

function outcome({ scenario }: Driver): Json {
  const { status } = scenario.run;
  if (status.kind === 'succeeded') return status.output.value;
  return status.kind === 'failed' ? status.failure.code : status.kind;
}

const running = ({ scenario }: Driver): string[] => agenda(scenario.run).claims.map(({ leaf }) => leaf.id);
const HELD = { work: () => 'held' as const };

describe('foreach', () => {
  it('over nothing is an empty array, once, and opens no body', () => {
    const driver = drive(each(), {}, { items: [] });
    expect(driver.scenario.kinds).toEqual([
      'run_admitted',
      'scope_opened',
      'foreach_entered',
      'container_completed',
      'scope_completed',
      'run_succeeded',
    ]);
    expect(outcome(driver)).toEqual({ all: [] });
  });

  it('gives each item its value and its place, and takes equal items for different iterations', () => {
    const driver = drive(each(), {}, { items: ['x', 'x', null] });
    expect(outcome(driver)).toEqual({
      all: [
        { item: 'x', index: 0 },
        { item: 'x', index: 1 },
        { item: null, index: 2 },
      ],
    });
  });

  it('opens a window of bodies and refills it as they end', () => {
    const driver = drive(each(), HELD, { items: [0, 1, 2, 3] });
    const container = [...driver.scenario.run.containers.values()][0];
    const open = (): number => container?.bodies.size ?? -1;
    expect([running(driver), open()]).toEqual([['a2', 'a3'], 2]);
    driver.scenario.report(success(0), 'a2');
    driver.settle();
    expect([running(driver), open()]).toEqual([['a3', 'a4'], 2]);
    driver.scenario.report(success(1), 'a3');
    driver.settle();
    driver.scenario.report(success(2), 'a4');
    driver.settle();
    expect([running(driver), open()]).toEqual([['a5'], 1]);
  });

  it('counts bodies that wait: they hold their place in the window', () => {
    const waiting = body({ pause: { kind: 'delay', duration: '1s', next: 'end' }, end: complete() });
    const driver = drive(each({ body: waiting }), {}, { items: [0, 1, 2] });
    expect(driver.scenario.run.pending.size).toBe(2);
    expect(driver.scenario.run.scopeCount).toBe(3);
    driver.finish();
    expect(outcome(driver)).toEqual({ all: [0, 1, 2] });
  });

  it('puts results in the order of the items, whatever the order of their end', () => {
    const driver = drive(each({ max_concurrency: 3 }), HELD, { items: ['a', 'b', 'c'] });
    for (const [id, n] of [
      ['a4', 2],
      ['a2', 0],
      ['a3', 1],
    ] as const)
      driver.scenario.report(success(n), id);
    expect(outcome(driver)).toEqual({ all: [{ n: 0 }, { n: 1 }, { n: 2 }] });
  });

  it('is captured once: its items stand in its event, and its state refers to them', () => {
    const driver = drive(each(), HELD, { items: ['a', 'b', 'c'] });
    expect(driver.scenario.history[2]?.body).toEqual({
      kind: 'foreach_entered',
      activation: 'a1',
      scope: 's1',
      node: 'each',
      items: ['a', 'b', 'c'],
    });
    expect([...driver.scenario.run.scopes.values()].map(({ input, frame }) => [input.value, frame.item])).toEqual([
      [{ items: ['a', 'b', 'c'] }, null],
      ['a', { index: 0, value: { value: 'a', seq: 3, at: '/items/0' } }],
      ['b', { index: 1, value: { value: 'b', seq: 3, at: '/items/1' } }],
    ]);
  });

  it.each<[string, Json, string]>([
    ['more items than it may have', [0, 1, 2, 3, 4, 5], 'binding.range'],
    ['an object', { 0: 'x' }, 'binding.kind'],
    ['null', null, 'binding.kind'],
  ])('over %s fails the node before any body, and its error route takes that', (_what, items, code) => {
    const driver = drive(each(onError('caught')), {}, { items });
    expect(outcome(driver)).toMatchObject({ code });
    expect(driver.scenario.run).toMatchObject({ scopeCount: 1, activationCount: 0 });
    expect(drive(each(), {}, { items }).scenario.run.status).toMatchObject({ kind: 'failed', failure: { code } });
  });

  it('over items that are missing fails its scope', () => {
    expect(outcome(drive(each(onError('caught')), {}, {}))).toBe('binding.missing');
  });

  it('over an item that breaks its schema fails its scope before any body', () => {
    const inner = body({ end: complete() });
    const strict = each({
      item_schema: 'count/v1',
      body: { ...inner, input_schema: 'count/v1', nodes: { end: complete(object({ n: from('item.index') })) } },
    });
    const driver = drive(strict, {}, { items: [{ n: 1 }, { n: 'x' }] });
    expect(driver.scenario.run.status).toMatchObject({
      kind: 'failed',
      failure: { code: 'schema.invalid', message: expect.stringContaining('nodes.each.items at /1/n') },
    });
    expect(driver.scenario.run.scopeCount).toBe(1);
  });

  it('opens nothing more once an item has failed', () => {
    const driver = drive(
      each(),
      { work: ({ calls }) => (calls === 0 ? error('broken') : output(1)) },
      { items: [0, 1, 2] },
    );
    expect(driver.begun).toEqual(['work']);
    expect(driver.scenario.run).toMatchObject({
      scopeCount: 3,
      status: { kind: 'failed', failure: { code: 'broken' } },
    });
  });
});
