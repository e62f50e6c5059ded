import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalize } from './canonical.js';
import { Reporter } from './diagnostic.js';
import { printDocument } from './print.js';
import { toJson } from './source/tree.js';
import { readYaml } from './source/yaml.js';
import { scalarIssue } from './value-check.js';
import type { Json, JsonObject } from './value.js';

/** What the compiler reads from a text, and what it complains about. */
function read(text: string): { readonly value: Json; readonly errors: readonly string[] } {
  const reporter = new Reporter();
  const tree = readYaml(text, reporter);
  const errors = reporter.diagnostics(text, 'test.yaml').map(({ code, message }) => `${code} ${message}`);
  return { value: tree === null ? null : toJson(tree), errors };
}

describe('a printed document', () => {
  it('has its fields in the order in which people write them, and its nodes in the order in which they run', () => {
    const document: JsonObject = {
      start: 'wait',
      nodes: {
        done: { output: { literal: null }, kind: 'complete' },
        late: { next: 'done', duration: '1s', kind: 'delay' },
        lost: { kind: 'fail', error: { message: 'No.', code: 'no' } },
        work: {
          on_error: [{ codes: 'any', next: 'lost' }],
          next: 'done',
          input: { literal: { z: 1, a: 2 } },
          activity: { version: 1, name: 'work' },
          kind: 'activity',
        },
        wait: {
          on_timeout: 'late',
          timeout: '5m',
          next: 'work',
          key: { literal: 'k' },
          signal: 'go',
          kind: 'wait_signal',
        },
      },
      signals: { go: { schema: 'unit/v1' } },
      output_schema: 'unit/v1',
      input_schema: { array: 'order/v1' },
      version: 1,
      id: 'test',
      dsl: 'graphrun/v1',
    };
    expect(printDocument(document)).toBe(`dsl: graphrun/v1
id: test
version: 1
input_schema:
  array: order/v1
output_schema: unit/v1
signals:
  go:
    schema: unit/v1
start: wait
nodes:
  wait:
    kind: wait_signal
    signal: go
    key:
      literal: k
    timeout: 5m
    next: work
    on_timeout: late
  work:
    kind: activity
    activity:
      version: 1
      name: work
    input:
      literal:
        z: 1
        a: 2
    next: done
    on_error:
      - codes: any
        next: lost
  lost:
    kind: fail
    error:
      message: No.
      code: no
  late:
    kind: delay
    duration: 1s
    next: done
  done:
    kind: complete
    output:
      literal: null
`);
  });

  it('orders bodies, cases, branches and regions the same way', () => {
    const region = {
      nodes: { b: { kind: 'complete' }, a: { next: 'b', kind: 'delay' } },
      start: 'a',
      input_schema: 'x/v1',
    };
    const sorted = {
      input_schema: 'x/v1',
      start: 'a',
      nodes: { a: { kind: 'delay', next: 'b' }, b: { kind: 'complete' } },
    };
    const document = {
      regions: { shared: region },
      nodes: {
        choose: { default: region, cases: [{ body: region, when: {}, name: 'x' }], kind: 'choose' },
        parallel: { branches: [{ body: region, input: {}, name: 'y' }], kind: 'parallel' },
        saga: { body: region, kind: 'saga' },
      },
    };
    const ordered = {
      nodes: {
        choose: { kind: 'choose', cases: [{ name: 'x', when: {}, body: sorted }], default: sorted },
        parallel: { kind: 'parallel', branches: [{ name: 'y', input: {}, body: sorted }] },
        saga: { kind: 'saga', body: sorted },
      },
      regions: { shared: sorted },
    };
    // `JSON.stringify` shows the order of members, which `toEqual` does not look at.
    expect(JSON.stringify(read(printDocument(document)).value)).toBe(JSON.stringify(ordered));
  });

  it.each([
    ['numbers', ['012', '0x1f', '0o17', '1e3', '.5', '1.', '+5', '-0', '.inf', 'NaN', '1_000']],
    ['other scalars', ['', 'null', '~', 'true', 'False', 'yes', 'on', '2020-01-01']],
    [
      'marks of YAML',
      [
        '<<',
        '&a',
        '*a',
        '!tag',
        '%YAML',
        '- a',
        '? a',
        'a: b',
        'a #b',
        '#a',
        '---',
        '...',
        '{',
        '[',
        '@',
        '`',
        '|',
        '>',
      ],
    ],
    [
      'white space',
      [' a ', 'a\nb', '\n', 'a\r\nb', 'a\tb', '\ta', '\u00a0', '\u0085', '\u2028', '\ufeffa', 'a\n\n  b\n'],
    ],
  ])('keeps texts that look like %s', (_what, texts) => {
    const document = { ...Object.fromEntries(texts.map((text) => [text, text])), all: texts };
    expect(read(printDocument(document))).toEqual({ value: document, errors: [] });
  });

  it('is read back as what it was, whatever it holds', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => scalarIssue(value) === null),
      fc.string({ unit: fc.constantFrom(...'-?:,[]{}#&*!|>\'"%@`~<=. \n\t01ex'.split('')), maxLength: 6 }),
      fc.string({ minLength: 1_020, maxLength: 1_100, unit: fc.constantFrom('a', ' ', ':') }),
    );
    const scalar = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).filter((value) => !Object.is(value, -0)),
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }), (document) => {
        const found = read(printDocument(document));
        expect(found.errors).toEqual([]);
        expect(canonicalize(found.value)).toBe(canonicalize(document));
      }),
      { numRuns: 300 },
    );
  });
});
