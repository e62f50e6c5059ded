import { describe, expect, it } from '@jest/globals';
import { loadProgram, type Definition, type Node, type Program, type Region } from '@graphrun/dsl';
import { Scenario } from './testing/scenario.js';
import { activity, body, complete, effect, fail, from, literal, onError, workflow } from './testing/workflow.js';
import { executionObstacle, unexecutableParts } from './index.js';

const END: Node = { kind: 'fail', error: { code: 'stop', message: 'as written' } };
const WHOLE_INPUT = { from: 'workflow.input' } as const;
const AGAIN: Node = { kind: 'continue_as_new', input: WHOLE_INPUT };

function region(nodes: Region['nodes']): Region {
  return { inputSchema: 'integer/v1', outputSchema: 'integer/v1', start: Object.keys(nodes)[0] ?? '', nodes };
}

/** Version 2 of `order`, written in normal form: the compiler would check far more than these tests are about. */
function program(nodes: Region['nodes'], fields: Partial<Definition> = {}): Program {
  const root = region({ ...nodes, end: END });
  const definition = { dsl: 'graphrun/v1', id: 'order', version: 2, runTimeoutMs: null, root, ...fields } as const;
  const schemas = { 'integer/v1': { type: 'integer' } };
  return loadProgram({ format: 'graphrun.artifact/v1', digest: 'd'.repeat(64), definition, contracts: {}, schemas });
}

/** A workflow with every node kind and feature that can be executed. */
function everything(): Program {
  const plain = body({ end: complete() });
  const loop = { state: from('workflow.input'), state_schema: 'value/v1', max_iterations: 3, body: plain };
  const condition = { eq: [from('loop.index'), literal(0)] };
  return workflow(
    {
      work: activity('pure', 'pick', onError('stop')),
      pick: {
        kind: 'choose',
        input: from('workflow.input'),
        cases: [{ name: 'a', when: { exists: from('workflow.input') }, body: plain }],
        default: plain,
        next: 'first',
      },
      first: { kind: 'while', condition, ...loop, next: 'second' },
      second: { kind: 'do_while', condition, ...loop, next: 'third' },
      third: { kind: 'repeat', count: literal(1), ...loop, next: 'each' },
      each: { kind: 'foreach', items: literal([]), item_schema: 'value/v1', max_items: 2, body: plain, next: 'both' },
      both: {
        kind: 'parallel',
        branches: [{ name: 'a', input: from('workflow.input'), body: plain }],
        next: 'safely',
      },
      safely: {
        kind: 'saga',
        input: from('workflow.input'),
        body: body({ pay: effect('end'), end: complete() }),
        next: 'pause',
      },
      pause: { kind: 'delay', duration: '1s', next: 'until' },
      until: { kind: 'wait_until', at: literal(0), next: 'wait' },
      wait: { kind: 'wait_signal', signal: 'go', key: literal('k'), timeout: null, next: 'end' },
      end: complete(),
      stop: fail('stop'),
    },
    { signals: { go: { schema: 'value/v1' } }, run_timeout: '1h' },
  );
}

describe('what cannot be executed yet', () => {
  it('is nothing of the rest of the language', () => {
    expect(unexecutableParts(everything())).toEqual([]);
    expect(executionObstacle(everything())).toBeNull();
  });

  it.each<[string, string, Program]>([
    ['continue_as_new', 'the node "items" (continue_as_new)', program({ items: AGAIN })],
    ['search_attributes', 'the search_attributes', program({}, { searchAttributes: { customer: WHOLE_INPUT } })],
  ])('is %s, which is refused by its place', (what, where, refused) => {
    expect(unexecutableParts(refused)).toEqual([{ what, where }]);
    expect(executionObstacle(refused)).toBe(
      `${where} of order version 2 cannot be executed by this version of the engine`,
    );
  });

  it('is named once each, with the place of the first', () => {
    const refused = program({ items: AGAIN, late: AGAIN }, { searchAttributes: { customer: WHOLE_INPUT } });
    expect(unexecutableParts(refused)).toEqual([
      { what: 'continue_as_new', where: 'the node "items" (continue_as_new)' },
      { what: 'search_attributes', where: 'the search_attributes' },
    ]);
    expect(executionObstacle(refused)).toBe(
      'the node "items" (continue_as_new) of order version 2 cannot be executed by this version of the engine, nor can its search_attributes',
    );
  });

  it('is looked for once for each program', () => {
    const refused = program({ again: AGAIN });
    expect(unexecutableParts(refused)).toBe(unexecutableParts(refused));
  });

  it('makes start refuse the run, whatever its input, and there is no run', () => {
    const scenario = new Scenario(program({ items: AGAIN }));
    for (const input of [1, 'no integer']) {
      expect(scenario.start(input)).toEqual({
        kind: 'rejected',
        rejection: {
          code: 'FailedPrecondition',
          message:
            'the node "items" (continue_as_new) of order version 2 cannot be executed by this version of the engine',
        },
      });
    }
    expect(scenario.recorded).toEqual([]);
    expect(() => scenario.run).toThrow('has not started');
  });
});
