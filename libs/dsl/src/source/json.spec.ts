import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Reporter } from '../diagnostic.js';
import { checkValue } from '../value-check.js';
import { readJson } from './json.js';
import { toJson } from './tree.js';

function read(source: string): { readonly value: unknown; readonly faults: readonly string[] } {
  const reporter = new Reporter();
  const tree = readJson(source, reporter);
  const faults = reporter.diagnostics(source, 'f').map((d) => `${d.line}:${d.column}-${d.endColumn} ${d.code}`);
  return { value: tree === null ? undefined : toJson(tree), faults };
}

describe('JSON with positions', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
        const value: unknown = JSON.parse(text);
        fc.pre(checkValue(value) === null);
        expect(read(JSON.stringify(value, null, indent)).value).toEqual(value);
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\0123456789.eE+-tfnrualse ')), maxLength: 12 }),
        (text) => {
          let good = true;
          try {
            JSON.parse(text);
          } catch {
            good = false;
          }
          expect(read(text).faults.some((fault) => fault.endsWith('GR1001'))).toBe(!good);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"a": 1,}', '1:9-10 GR1001'],
    ['{a: 1}', '1:2-3 GR1001'],
    ['[1 2]', '1:4-5 GR1001'],
    ['[1] x', '1:5-6 GR1001'],
    ['{"a": 01}', '1:7-8 GR1001'],
    ['["\\x"]', '1:2-3 GR1001'],
    ['["open', '1:2-3 GR1001'],
    ['{"a": 1,\n "a": 2}', '2:2-5 GR1005'],
    ['{"a": 9007199254740993}', '1:7-23 GR1007'],
    ['["\\u0000"]', '1:2-10 GR1009'],
    ['['.repeat(300), '1:258-259 GR1008'],
  ])('refuses %j at its place', (text, fault) => {
    expect(read(text).faults).toEqual([fault]);
  });
});
