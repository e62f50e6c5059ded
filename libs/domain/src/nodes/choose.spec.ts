import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { drive } from '../testing/driver.js';
import { activity, body, complete, from, literal, workflow } from '../testing/workflow.js';

const TOTAL = from('workflow.input', '/total');

/** Cases for totals over 100 and over 10, and a default; each body has an activity of its own. */
const program = workflow({
  size: {
    kind: 'choose',
    input: from('workflow.input'),
    cases: [
      { name: 'large', when: { gt: [TOTAL, literal(100)] }, body: only('large') },
      { name: 'medium', when: { gt: [TOTAL, literal(10)] }, body: only('medium') },
    ],
    default: only('small'),
    next: 'end',
  },
  end: complete(from('nodes.size.output')),
});

function only(key: string) {
  return body({ [key]: activity('pure', 'end'), end: complete(from(`nodes.${key}.output`)) });
}

describe('choose', () => {
  it.each<[number, number | null, number, string]>([
    [500, 0, 0, 'large'],
    [50, 1, 1, 'medium'],
    [5, null, -1, 'small'],
  ])('of %i records case %p and opens its body only', (total, chosen, slot, node) => {
    const { scenario, begun } = drive(program, {}, { total });
    expect(scenario.history.filter(({ body: { kind } }) => kind === 'choose_entered')).toMatchObject([
      { body: { activation: 'a1', scope: 's1', node: 'size', input: { total }, chosen } },
    ]);
    expect(scenario.history.filter(({ body: { kind } }) => kind === 'body_opened')).toMatchObject([
      { body: { scope: 's2', owner: 'a1', slot } },
    ]);
    expect(begun).toEqual([node]);
    expect(scenario.run).toMatchObject({ scopeCount: 2, activationCount: 2 });
    expect(scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: { total } } });
  });

  it.each<[string, Json, string, string]>([
    ['kinds that do not meet', { total: 'much' }, 'binding.kind', 'case "large" of nodes.size'],
    ['a value that is missing', {}, 'binding.missing', 'case "large" of nodes.size'],
  ])('with %s fails its scope before any body', (_what, input, code, where) => {
    const { scenario } = drive(program, {}, input);
    expect(scenario.kinds).toEqual(['run_admitted', 'scope_opened', 'run_stop_intended', 'scope_failed', 'run_failed']);
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code } });
    expect(scenario.run.status.kind === 'failed' && scenario.run.status.failure.message).toContain(where);
  });

  it('stops at the first case that holds: what later ones would meet does not matter', () => {
    const first = workflow({
      pick: {
        kind: 'choose',
        input: from('workflow.input'),
        cases: [
          { name: 'yes', when: { exists: from('workflow.input', '/n') }, body: only('yes') },
          { name: 'never', when: { gt: [from('workflow.input', '/gone'), literal(1)] }, body: only('never') },
        ],
        default: only('other'),
        next: 'end',
      },
      end: complete(from('nodes.pick.output')),
    });
    expect(drive(first).begun).toEqual(['yes']);
    expect(drive(first, {}, {}).scenario.run.status).toMatchObject({ failure: { code: 'binding.missing' } });
  });
});
