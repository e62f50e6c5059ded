import { describe, expect, it } from '@jest/globals';
import type { Binding, Condition, Node } from '@graphrun/dsl';
import {
  activity,
  choose,
  complete,
  delay,
  doWhileLoop,
  fail,
  foreach,
  irreversible,
  is,
  isMore,
  onError,
  parallel,
  region,
  repeat,
  saga,
  undoneBy,
  waitSignal,
  waitUntil,
  whileLoop,
} from '../testing/build.js';
import { bindingWords } from './binding-words.js';
import { conditionWords } from './condition-words.js';
import { outEdges } from './edge-words.js';
import { bodyWords, nodeSmallPrint, nodeWords } from './node-words.js';

describe('bindings in words', () => {
  it.each<readonly [Binding, string]>([
    [{ from: 'workflow.input' }, 'workflow.input'],
    [{ from: 'scope.input', path: '' }, 'scope.input'],
    [{ from: 'nodes.pay.output', path: '/lines/0/item-name' }, 'nodes.pay.output.lines[0].item-name'],
    [{ from: 'scope.input', path: '/a~1b/~0/x y/' }, 'scope.input["a/b"]["~"]["x y"][""]'],
    [{ from: 'loop.state', path: '/left', default: 0 }, 'loop.state.left (or 0 if missing)'],
    [{ literal: 'gold' }, '"gold"'],
    [{ literal: null }, 'null'],
    [{ object: { id: { from: 'scope.id' }, total: { literal: 1 } } }, '{id, total}'],
    [{ array: [{ from: 'item.index' }, { literal: [1, 2] }] }, '[item.index, [1,2]]'],
    [{ literal: 'x'.repeat(60) }, `"${'x'.repeat(46)}\u2026`],
  ])('%j', (binding, words) => {
    expect(bindingWords(binding)).toBe(words);
  });
});

describe('conditions in words', () => {
  const left = { from: 'scope.input', path: '/n' } as const;
  const one = { literal: 1 };
  it.each<readonly [Condition, string]>([
    [{ eq: [left, one] }, 'scope.input.n is 1'],
    [{ ne: [left, one] }, 'scope.input.n is not 1'],
    [{ lt: [left, one] }, 'scope.input.n is less than 1'],
    [{ le: [left, one] }, 'scope.input.n is at most 1'],
    [{ gt: [left, one] }, 'scope.input.n is more than 1'],
    [{ ge: [left, one] }, 'scope.input.n is at least 1'],
    [{ exists: left }, 'scope.input.n exists'],
    [{ not: { exists: left } }, 'scope.input.n does not exist'],
    [{ not: { eq: [left, one] } }, 'not (scope.input.n is 1)'],
    [{ all: [{ exists: left }, { gt: [left, one] }] }, 'scope.input.n exists and scope.input.n is more than 1'],
    [
      { any: [{ exists: left }, { all: [{ gt: [left, one] }, { lt: [left, one] }] }, { all: [{ exists: left }] }] },
      'scope.input.n exists or (scope.input.n is more than 1 and scope.input.n is less than 1) or scope.input.n exists',
    ],
  ])('%j', (condition, words) => {
    expect(conditionWords(condition)).toBe(words);
  });
});

describe('nodes in words', () => {
  const body = region({ end: complete() });
  it.each<readonly [string, Node, readonly string[]]>([
    ['an activity', activity('pay.charge', 'end'), ['detail: pay.charge v1']],
    [
      'an effect that is undone',
      activity('pay.charge', 'end', undoneBy('pay.refund')),
      ['detail: pay.charge v1', 'undo: undone by pay.refund v1'],
    ],
    [
      'an effect that is not',
      activity('mail.send', 'end', irreversible('it is sent')),
      ['detail: mail.send v1', 'lock: irreversible: it is sent'],
    ],
    [
      'a choice',
      choose({ a: [is('scope.input', '/a', 'b'), body] }, body, 'end'),
      ['detail: the first case that holds'],
    ],
    [
      'a while loop',
      whileLoop(body, 'end'),
      ['detail: while loop.state.left is more than 0', 'detail: at most 10 times'],
    ],
    [
      'a do-while loop',
      doWhileLoop(body, 'end'),
      ['detail: once, then again while loop.state.left is more than 0', 'detail: at most 10 times'],
    ],
    [
      'a repetition',
      repeat(body, 'end'),
      ['detail: as many times as scope.input.times says', 'detail: at most 10 times'],
    ],
    [
      'a fixed repetition',
      { ...repeat(body, 'end'), count: { literal: 1 } } as Node,
      ['detail: 1 time', 'detail: at most 10 times'],
    ],
    [
      'a foreach',
      foreach(body, 'end'),
      ['detail: for each item of scope.input.lines', 'detail: at most 100 items, 8 at a time'],
    ],
    ['branches', parallel({ a: body, b: body }, 'end'), ['detail: 2 branches at once']],
    ['a saga', saga(body, 'end'), ['detail: undone in reverse order if it fails']],
    ['a delay', delay(90_000, 'end'), ['detail: for 90s']],
    [
      'a delay that is computed',
      { ...delay(1, 'end'), duration: { from: 'scope.input', path: '/ms' } } as Node,
      ['detail: for scope.input.ms ms'],
    ],
    ['a moment', waitUntil('end'), ['detail: until scope.input.not_before']],
    [
      'a fixed moment',
      { ...waitUntil('end'), at: { literal: 1_893_456_000_000 } } as Node,
      ['detail: until 2030-01-01T00:00:00.000Z'],
    ],
    [
      'a signal without a limit',
      { ...waitSignal('paid', 'end'), consumeFrom: 'after_activation' } as Node,
      [
        'detail: signal paid',
        'detail: for scope.input.order_id',
        'detail: without a time limit',
        'detail: sent after it began to wait',
      ],
    ],
    ['a success', complete(), ['detail: complete']],
    ['a failure', fail('a.code', 'Why.'), ['error: fail with a.code', 'detail: Why.']],
    ['another run', { kind: 'continue_as_new', input: { literal: 1 } }, ['detail: continue as a new run']],
  ])('%s', (_, node, lines) => {
    expect(nodeWords(node).map(({ role, text }) => `${role}: ${text}`)).toEqual(lines);
  });

  it('titles cases with their conditions, branches with their names, and nothing else', () => {
    const choice = choose({ big: [isMore('scope.input', '/sum', 9), body] }, body, 'end');
    expect(bodyWords(choice, 0)).toEqual({ title: 'big', when: 'when scope.input.sum is more than 9' });
    expect(bodyWords(choice, 1)).toEqual({ title: 'default', when: 'otherwise' });
    expect(bodyWords(parallel({ a: body }, 'end'), 0)).toEqual({ title: 'a', when: '' });
    expect(bodyWords(saga(body, 'end'), 0)).toBeNull();
  });

  it('has times, retries and values in small print', () => {
    expect(nodeSmallPrint(activity('pay.charge', 'end'))).toEqual([
      'input scope.input',
      'timeout 5m',
      'up to 5 attempts',
    ]);
    const { retry, ...rest } = activity('pay.charge', 'end') as Extract<Node, { kind: 'activity' }>;
    expect(nodeSmallPrint({ ...rest, retry: { ...retry, errors: ['busy', 'late'] } })).toContain(
      'up to 5 attempts, again after busy, late',
    );
    expect(nodeSmallPrint({ ...rest, retry: { ...retry, maxAttempts: 1 } })).toContain('one attempt');
    expect(nodeSmallPrint(complete())).toEqual(['output scope.input']);
  });
});

describe('edges in words', () => {
  it('names the two ways out of a timed wait', () => {
    expect(outEdges(waitSignal('paid', 'ship', 'ask'))).toEqual([
      { field: 'next', to: 'ship', label: 'received' },
      { field: 'on_timeout', to: 'ask', label: 'after 15m' },
    ]);
    expect(outEdges(waitSignal('paid', 'ship'))).toEqual([{ field: 'next', to: 'ship', label: '' }]);
  });

  it('names the codes of an error', () => {
    const codes = activity('pay.charge', 'ship', onError('ask', 'a', 'b'));
    expect(outEdges(codes)).toEqual([
      { field: 'next', to: 'ship', label: '' },
      { field: 'on_error', to: 'ask', label: 'a, b' },
    ]);
    expect(outEdges(saga(region({ end: complete() }), 'end', onError('ask')))[1]?.label).toBe('any error');
  });
});
