import { describe, expect, it } from '@jest/globals';
import { loadProgram, type ActivityNode, type Definition, type Node, type Program, type Region } from '@graphrun/dsl';
import { executionObstacle, unexecutableParts } from './index.js';
import { chain } from './testing/chain.js';
import { Scenario } from './testing/scenario.js';

const FAIL: Node = { kind: 'fail', error: { code: 'stop', message: 'as written' } };
const WHOLE_INPUT = { from: 'workflow.input' } as const;
const EMPTY = region({ end: FAIL });

function region(nodes: Region['nodes']): Region {
  return { inputSchema: 'integer/v1', outputSchema: 'integer/v1', start: Object.keys(nodes)[0] ?? '', nodes };
}

function activity(fields: Partial<ActivityNode> = {}): ActivityNode {
  return {
    kind: 'activity',
    activity: { name: 'work', version: 1 },
    input: WHOLE_INPUT,
    timeoutMs: 1_000,
    retry: { errors: [], maxAttempts: 1, backoff: { initialMs: 1_000, multiplier: 2, maxMs: 1_000 } },
    next: 'end',
    ...fields,
  };
}

/** Version 2 of `order`, written in normal form: the compiler would check far more than these tests are about. */
function program(nodes: Region['nodes'], fields: Partial<Definition> = {}): Program {
  const root = region({ ...nodes, end: FAIL });
  const definition = { dsl: 'graphrun/v1', id: 'order', version: 2, runTimeoutMs: null, root, ...fields } as const;
  const schemas = { 'integer/v1': { type: 'integer' } };
  return loadProgram({ format: 'graphrun.artifact/v1', digest: 'd'.repeat(64), definition, contracts: {}, schemas });
}

const loop = { state: WHOLE_INPUT, stateSchema: 'integer/v1', maxIterations: 3, body: EMPTY, next: 'end' } as const;
const condition = { exists: { from: 'workflow.input' } } as const;
const REFUSED: readonly Node[] = [
  {
    kind: 'choose',
    input: WHOLE_INPUT,
    cases: [{ name: 'a', when: condition, body: EMPTY }],
    default: EMPTY,
    next: 'end',
  },
  { kind: 'while', condition, ...loop },
  { kind: 'do_while', condition, ...loop },
  { kind: 'repeat', count: { literal: 2 }, ...loop },
  {
    kind: 'foreach',
    items: { literal: [] },
    itemSchema: 'integer/v1',
    maxItems: 2,
    maxConcurrency: 1,
    body: EMPTY,
    next: 'end',
  },
  { kind: 'parallel', branches: [{ name: 'a', input: WHOLE_INPUT, body: EMPTY }], next: 'end' },
  { kind: 'saga', input: WHOLE_INPUT, body: EMPTY, next: 'end' },
  { kind: 'delay', duration: { literal: 1_000 }, next: 'end' },
  { kind: 'wait_until', at: { literal: 0 }, next: 'end' },
  { kind: 'wait_signal', signal: 's', key: { literal: 'k' }, timeoutMs: null, consumeFrom: 'buffered', next: 'end' },
  { kind: 'continue_as_new', input: WHOLE_INPUT },
];

describe('what cannot be executed yet', () => {
  it('is nothing in a chain of activities that completes or fails', () => {
    expect(unexecutableParts(chain({ steps: [{}, {}] }))).toEqual([]);
    expect(executionObstacle(chain({ steps: [{}], fail: { code: 'stop', message: 'as written' } }))).toBeNull();
    expect(executionObstacle(program({}, { runTimeoutMs: 60_000 }))).toBeNull();
  });

  it.each(REFUSED.map((node) => [node.kind, node] as const))('%s is refused by its node', (kind, node) => {
    expect(executionObstacle(program({ items: node }))).toBe(
      `the node "items" (${kind}) of order version 2 cannot be executed by this version of the engine`,
    );
  });

  it.each<[string, string, Program]>([
    [
      'compensation',
      'the compensation of the node "pay"',
      program({ pay: activity({ compensation: { kind: 'irreversible', reason: 'it is paid' } }) }),
    ],
    [
      'on_error',
      'the on_error of the node "pay"',
      program({ pay: activity({ onError: [{ codes: 'any', next: 'end' }] }) }),
    ],
    ['signals', 'the signals', program({}, { signals: { paid: { schema: 'integer/v1' } } })],
    ['search_attributes', 'the search_attributes', program({}, { searchAttributes: { customer: WHOLE_INPUT } })],
  ])('%s is refused by its place', (what, where, refused) => {
    expect(unexecutableParts(refused)).toEqual([{ what, where }]);
    expect(executionObstacle(refused)).toBe(
      `${where} of order version 2 cannot be executed by this version of the engine`,
    );
  });

  it('is named once each, with the place of the first', () => {
    const delay: Node = { kind: 'delay', duration: { literal: 1_000 }, next: 'end' };
    const inner = region({ pause: delay, again: delay, end: FAIL });
    const nodes = {
      items: { kind: 'saga', input: WHOLE_INPUT, body: inner, next: 'late' },
      late: delay,
    } as const;
    const refused = program(nodes, { searchAttributes: { customer: WHOLE_INPUT } });
    expect(unexecutableParts(refused)).toEqual([
      { what: 'saga', where: 'the node "items" (saga)' },
      { what: 'delay', where: 'the node "pause" (delay)' },
      { what: 'search_attributes', where: 'the search_attributes' },
    ]);
    expect(executionObstacle(refused)).toBe(
      'the node "items" (saga) of order version 2 cannot be executed by this version of the engine, nor can its delay and search_attributes',
    );
  });

  it('is looked for once for each program', () => {
    const refused = program({ wait: { kind: 'delay', duration: { literal: 1 }, next: 'end' } });
    expect(unexecutableParts(refused)).toBe(unexecutableParts(refused));
  });

  it('makes start refuse the run, whatever its input, and there is no run', () => {
    const scenario = new Scenario(program({ items: { kind: 'saga', input: WHOLE_INPUT, body: EMPTY, next: 'end' } }));
    for (const input of [1, 'no integer']) {
      expect(scenario.start(input)).toEqual({
        kind: 'rejected',
        rejection: {
          code: 'FailedPrecondition',
          message: 'the node "items" (saga) of order version 2 cannot be executed by this version of the engine',
        },
      });
    }
    expect(scenario.recorded).toEqual([]);
    expect(() => scenario.run).toThrow('has not started');
  });
});
