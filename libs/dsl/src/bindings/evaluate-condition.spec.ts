import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Binding, ComparisonOperator, Condition } from '../ir.js';
import { naiveTruth } from '../testing/naive-evaluation.js';
import type { Json } from '../value.js';
import { COMPARISONS } from './condition.js';
import { evaluateCondition } from './evaluate-condition.js';

const VALUE: Json = { none: null, yes: true, text: 'a', one: 1, list: [1], map: { a: 1 } };
const frame = { read: (reference: string): Json | undefined => (reference === 'workflow.input' ? VALUE : undefined) };

const at = (path: string): Binding => ({ from: 'workflow.input', path });
const literal = (value: Json): Binding => ({ literal: value });
/** `{eq: [left, right]}`; TypeScript cannot follow a computed key. */
const compare = (operator: ComparisonOperator, left: Binding, right: Binding): Condition =>
  ({ [operator]: [left, right] }) as unknown as Condition;

/** The truth value, or the code of the failure. */
function judge(condition: Condition): boolean | string {
  const result = evaluateCondition(condition, frame);
  return result.ok ? result.value : result.code;
}

const HOLDS = compare('eq', literal(1), literal(1));
const DOES_NOT = compare('eq', literal(1), literal(2));
const MISSING = compare('eq', at('/nowhere'), literal(1));
const MISMATCH = compare('eq', at('/text'), literal(1));

describe('comparisons', () => {
  /** Two values of each kind, the first less than the second where there is an order. */
  const SAMPLES = {
    null: [null, null],
    boolean: [false, true],
    string: ['1', '2'],
    number: [1, 2],
    array: [[], [1]],
    object: [{}, { a: 1 }],
  } as const satisfies Readonly<Record<string, readonly [Json, Json]>>;
  type Kind = keyof typeof SAMPLES;
  const KINDS = Object.keys(SAMPLES) as readonly Kind[];

  /** By kinds of the left and right side: `=` compares the values, `n` differs from null, `!` fails with binding.kind. */
  const EQUALITY: Readonly<Record<Kind, string>> = {
    //        null, boolean, string, number, array, object
    null: '   =     n        n       n       !      !',
    boolean: 'n     =        !       !       !      !',
    string: ' n     !        =       !       !      !',
    number: ' n     !        !       =       !      !',
    array: '  !     !        !       !       !      !',
    object: ' !     !        !       !       !      !',
  };

  const pairs = KINDS.flatMap((left) => KINDS.map((right): [Kind, Kind] => [left, right]));

  it.each(pairs)('of %s with %s for equality', (left, right) => {
    const rule = EQUALITY[left].trim().split(/\s+/)[KINDS.indexOf(right)];
    for (const [i, a] of SAMPLES[left].entries()) {
      for (const [j, b] of SAMPLES[right].entries()) {
        const same = left === 'null' || i === j;
        const expected = { '=': [same, !same], n: [false, true], '!': ['binding.kind', 'binding.kind'] }[rule ?? ''];
        const found = [judge(compare('eq', literal(a), literal(b))), judge(compare('ne', literal(a), literal(b)))];
        expect({ a, b, found }).toEqual({ a, b, found: expected });
      }
    }
  });

  it.each(pairs)('of %s with %s for order', (left, right) => {
    for (const operator of ['lt', 'le', 'gt', 'ge'] as const) {
      for (const a of SAMPLES[left]) {
        for (const b of SAMPLES[right]) {
          const numbers = left === 'number' && right === 'number';
          const truth = {
            lt: a === 1 && b === 2,
            le: a === 1 || b === 2,
            gt: a === 2 && b === 1,
            ge: a === 2 || b === 1,
          };
          const found = judge(compare(operator, literal(a), literal(b)));
          expect({ operator, a, b, found }).toEqual({
            operator,
            a,
            b,
            found: numbers ? truth[operator] : 'binding.kind',
          });
        }
      }
    }
  });

  it('of numbers are exact, however they are written', () => {
    const max = Number.MAX_SAFE_INTEGER;
    expect(judge(compare('eq', literal(1), literal(JSON.parse('1.0') as Json)))).toBe(true);
    expect(judge(compare('eq', literal(100), literal(JSON.parse('1e2') as Json)))).toBe(true);
    expect(judge(compare('lt', literal(max - 1), literal(max)))).toBe(true);
    expect(judge(compare('eq', literal(max - 1), literal(max)))).toBe(false);
    expect(judge(compare('gt', literal(-max), literal(max)))).toBe(false);
    expect(judge(compare('eq', literal(0.1 + 0.2), literal(0.3)))).toBe(false);
    expect(judge(compare('ge', literal(2.5), literal(2)))).toBe(true);
  });

  it('of texts are by their characters, without order', () => {
    expect(judge(compare('eq', literal('a'), literal('A')))).toBe(false);
    expect(judge(compare('eq', literal('\u00e9'), literal('e\u0301')))).toBe(false);
    expect(judge(compare('eq', literal(''), literal(' ')))).toBe(false);
    expect(judge(compare('lt', literal('10'), literal('9')))).toBe('binding.kind');
  });

  it('convert nothing', () => {
    for (const [a, b] of [
      ['1', 1],
      [0, false],
      ['', false],
      ['null', 0],
    ] as const) {
      expect(judge(compare('eq', literal(a), literal(b)))).toBe('binding.kind');
    }
    expect(judge(compare('eq', literal('null'), literal(null)))).toBe(false);
    expect(judge(compare('eq', literal(0), literal(null)))).toBe(false);
    expect(judge(compare('ne', literal(''), literal(null)))).toBe(true);
  });

  it('fail where an operand is missing, the left one first', () => {
    for (const operator of COMPARISONS) {
      expect(judge(compare(operator, at('/nowhere'), literal(1)))).toBe('binding.missing');
      expect(judge(compare(operator, literal(1), at('/nowhere')))).toBe('binding.missing');
      expect(judge(compare(operator, at('/map'), at('/nowhere')))).toBe('binding.missing');
    }
    expect(evaluateCondition(compare('eq', at('/first'), at('/second')), frame)).toEqual({
      ok: false,
      code: 'binding.missing',
      message: 'There is no value at "/first" of workflow.input, and the binding has no default',
    });
  });

  it('take the default of an operand that is missing, and only then', () => {
    const withDefault = (path: string): Binding => ({ from: 'workflow.input', path, default: 5 });
    expect(judge(compare('eq', withDefault('/nowhere'), literal(5)))).toBe(true);
    expect(judge(compare('eq', withDefault('/none'), literal(5)))).toBe(false);
    expect(judge(compare('eq', withDefault('/none'), literal(null)))).toBe(true);
    expect(judge(compare('eq', withDefault('/one'), literal(1)))).toBe(true);
  });
});

describe('all and any', () => {
  it.each<[string, Condition, boolean | string]>([
    ['all of what holds', { all: [HOLDS, HOLDS] }, true],
    ['all with one that does not', { all: [HOLDS, DOES_NOT] }, false],
    ['all that is decided before a failure', { all: [DOES_NOT, MISSING, MISMATCH] }, false],
    ['all that fails before it is decided', { all: [MISSING, DOES_NOT] }, 'binding.missing'],
    ['all that holds up to a failure', { all: [HOLDS, MISMATCH, DOES_NOT] }, 'binding.kind'],
    ['any with one that holds', { any: [DOES_NOT, HOLDS] }, true],
    ['any of what does not hold', { any: [DOES_NOT, DOES_NOT] }, false],
    ['any that is decided before a failure', { any: [HOLDS, MISMATCH, MISSING] }, true],
    ['any that fails before it is decided', { any: [MISMATCH, HOLDS] }, 'binding.kind'],
    ['any that does not hold up to a failure', { any: [DOES_NOT, MISSING, HOLDS] }, 'binding.missing'],
    ['not', { not: HOLDS }, false],
    ['not of what does not hold', { not: DOES_NOT }, true],
    ['not of a failure', { not: MISSING }, 'binding.missing'],
    [
      'a guard before a comparison',
      { all: [{ exists: { from: 'workflow.input', path: '/nowhere' } }, MISSING] },
      false,
    ],
    ['one inside the other', { any: [{ all: [HOLDS, { not: HOLDS }] }, { all: [HOLDS, HOLDS] }] }, true],
  ])('%s', (_what, condition, expected) => {
    expect(judge(condition)).toBe(expected);
  });

  it('look at their operands in order, each once, and at none after the decision', () => {
    const read: string[] = [];
    const watching = {
      read: (reference: string): Json => {
        read.push(reference);
        return reference === 'loop.index' ? 1 : 0;
      },
    };
    const is = (from: 'loop.index' | 'item.index' | 'scope.input'): Condition => compare('eq', { from }, literal(1));
    expect(evaluateCondition({ all: [is('loop.index'), is('item.index'), is('scope.input')] }, watching)).toEqual({
      ok: true,
      value: false,
    });
    expect(evaluateCondition({ any: [is('item.index'), is('loop.index'), is('scope.input')] }, watching)).toEqual({
      ok: true,
      value: true,
    });
    expect(read).toEqual(['loop.index', 'item.index', 'item.index', 'loop.index']);
  });

  it('are followed to the greatest depth a definition may have', () => {
    let condition = HOLDS;
    for (let operators = 1; operators < 256; operators += 1) condition = { not: condition };
    expect(judge(condition)).toBe(false);
  });
});

describe('exists', () => {
  it.each([
    ['', true],
    ['/none', true],
    ['/list/0', true],
    ['/map/a', true],
    ['/nowhere', false],
    ['/none/a', false],
    ['/text/0', false],
    ['/list/1', false],
    ['/list/-', false],
    ['/list/length', false],
    ['/map/__proto__', false],
    ['/constructor', false],
  ])('of %j is %s, and never fails', (path, expected) => {
    expect(judge({ exists: path === '' ? { from: 'workflow.input' } : { from: 'workflow.input', path } })).toBe(
      expected,
    );
  });

  it('of a reference without a value is false', () => {
    expect(judge({ exists: { from: 'loop.state' } })).toBe(false);
  });
});

describe('a failure', () => {
  it('names the kinds of the operands', () => {
    const messageOf = (condition: Condition): string => {
      const result = evaluateCondition(condition, frame);
      return result.ok ? '' : result.message;
    };
    expect(messageOf(compare('eq', at('/text'), at('/one')))).toBe(
      '"eq" compares scalars of one kind, but found a string and a number',
    );
    expect(messageOf(compare('lt', at('/none'), at('/yes')))).toBe(
      '"lt" compares numbers, but found null and a boolean',
    );
    expect(messageOf(compare('ne', at('/list'), at('/map')))).toBe(
      '"ne" compares scalars of one kind, but found an array and an object',
    );
  });

  it('says nothing of the values', () => {
    const secret = fc.string({ minLength: 1 }).map((text) => `secret-${text}`);
    const operator = fc.constantFrom(...COMPARISONS);
    fc.assert(
      fc.property(secret, secret, operator, (text, key, by) => {
        const values: Json = { text, map: { [key]: text }, list: [text] };
        for (const right of ['/map', '/list', '/nowhere']) {
          const result = evaluateCondition(compare(by, at('/text'), at(right)), { read: () => values });
          expect(result.ok ? 'holds' : result.message).not.toMatch(/secret|holds/);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('any condition', () => {
  const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, 'a', '1', [], {});
  const operand: fc.Arbitrary<Binding> = fc.oneof(
    scalar.map(literal),
    fc.constantFrom('/none', '/yes', '/text', '/one', '/list', '/map/a', '/nowhere').map(at),
    scalar.map((value): Binding => ({ from: 'workflow.input', path: '/nowhere', default: value })),
  );
  const condition = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.tuple(fc.constantFrom(...COMPARISONS), operand, operand).map(([by, a, b]) => compare(by, a, b)),
      fc.constantFrom('', '/none', '/nowhere', '/list/0').map((path): Condition => ({
        exists: path === '' ? { from: 'workflow.input' } : { from: 'workflow.input', path },
      })),
      fc.array(tie('condition'), { minLength: 1, maxLength: 4 }).map((all): Condition => ({ all })),
      fc.array(tie('condition'), { minLength: 1, maxLength: 4 }).map((any): Condition => ({ any })),
      tie('condition').map((not): Condition => ({ not })),
    ),
  })).condition;

  it('is as true as the reference says, or fails as it does', () => {
    fc.assert(
      fc.property(condition, (tree) => {
        const result = evaluateCondition(tree, frame);
        const found = result.ok ? { value: result.value } : { fails: result.code.replace('binding.', '') };
        expect(found).toEqual(naiveTruth(tree, { 'workflow.input': VALUE }));
      }),
      { numRuns: 2_000 },
    );
  });
});
